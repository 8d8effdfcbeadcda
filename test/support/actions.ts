/** Integrations for tests: actions that do what a test needs. */
import type { Caller } from '../../src/caller.ts';
import type { ActionSource, PerformRequest } from '../../src/gateway/action/action.ts';

export interface TestAction {
  effect?: 'read' | 'write' | 'destructive';
  perform(request: PerformRequest, signal: AbortSignal, caller: Caller): Promise<unknown>;
}

/** An integration `slug` with these actions; `<slug>.test.<key>` is the name of each. */
export function testSource(slug: string, actions: Record<string, TestAction>): ActionSource {
  return {
    integration: { slug, title: slug },
    actions: Object.entries(actions).map(([key, action]) => ({
      name: `${slug}.test.${key}`, integration: slug, source_key: key, title: key,
      description: `The test action ${key}.`, effect: action.effect ?? 'read',
      output_schema: null, paged: false,
      input_schema: { type: 'object', properties: {}, additionalProperties: true },
      async perform(request, caller, signal) {
        request.departure.mark();
        return { result: await action.perform(request, signal, caller), source_cursor: null };
      },
    })),
  };
}

/** Connects a workspace to such an integration; answers the connection's id. */
export async function connectTo(
  sql: import('../../src/store/database.ts').Sql, workspace_id: string, integration: string,
  status = 'connected'): Promise<string> {
  const id = `con_test_${integration}_${Math.random().toString(36).slice(2)}`;
  await sql`insert into connections (workspace_id, id, integration, name, status)
    values (${workspace_id}, ${id}, ${integration}, ${integration}, ${status})`;
  return id;
}

/** An action that a test can hold and let go: it waits until `release`, or until it is aborted. */
export function heldAction() {
  const begun = Promise.withResolvers<AbortSignal>();
  const released = Promise.withResolvers<void>();
  let calls = 0;
  return {
    /** Resolves, when the action is under way, to the signal it was given. */
    begun: begun.promise,
    release: released.resolve,
    get calls() { return calls; },
    action: {
      async perform(_request: PerformRequest, signal: AbortSignal) {
        calls += 1;
        const aborted = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
        begun.resolve(signal);
        await Promise.race([released.promise, aborted.promise]);
        return { released: true };
      },
    } satisfies TestAction,
  };
}
