/** An integration for tests, with one action for each thing that can come of a call. */
import type { ActionDefinition, ActionSource } from '../../src/gateway/action/action.ts';
import { failure } from '../../src/gateway/action/failure.ts';
import { newId } from '../../src/ids.ts';
import type { JsonObject } from '../../src/json.ts';
import type { Sql } from '../../src/store/database.ts';

export const LAB_SLUG = 'lab';

export interface Lab {
  source: ActionSource;
  /** Names of the actions that were performed, in order. */
  performed: string[];
  /** Resolves once `lab.gate.hold` is being performed. */
  held: Promise<void>;
  /** Resolves once the signal of `lab.gate.hold` has aborted. */
  aborted: Promise<void>;
  /** Lets `lab.gate.hold` return. */
  release(): void;
}

type Perform = ActionDefinition['perform'];

/**
 * - `lab.echo.get` answers its input and has two pages;
 * - `lab.gate.hold` returns when it is released, and throws when it is aborted;
 * - `lab.error.get` fails as an upstream service does; `lab.fault.get` by a fault of ours;
 * - `lab.item.delete` changes data.
 */
export function createLab(): Lab {
  const performed: string[] = [];
  const held = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const actions = [
    action('echo.get', async ({ input: { page = '1', ...input } }) =>
      ({ result: { input, page }, source_cursor: page === '1' ? '2' : null })),
    action('gate.hold', async (_request, _caller, signal) => {
      signal.addEventListener('abort', () => aborted.resolve(), { once: true });
      held.resolve();
      await Promise.race([released.promise, aborted.promise]);
      signal.throwIfAborted();
      return { result: 'released', source_cursor: null };
    }),
    action('error.get', async () => {
      throw failure('The lab answered 418.', { details: { status: 418 } });
    }),
    action('fault.get', async () => { throw new Error('a secret of the service'); }),
    action('item.delete', async () => ({ result: 'deleted', source_cursor: null }), 'destructive'),
  ];
  return {
    source: {
      integration: { slug: LAB_SLUG, title: 'Lab', auth_methods: ['bearer'] },
      actions,
    },
    performed,
    held: held.promise,
    aborted: aborted.promise,
    release: () => released.resolve(),
  };

  function action(
    verb: string, perform: Perform, effect: ActionDefinition['effect'] = 'read'): ActionDefinition {
    const name = `${LAB_SLUG}.${verb}`;
    return {
      name, effect, integration: LAB_SLUG, source_key: verb, title: verb,
      description: `The action ${verb} of the lab.`,
      input_schema: { type: 'object', properties: { text: { type: 'string' } },
        additionalProperties: false },
      output_schema: null,
      paged: verb === 'echo.get',
      ...(verb === 'echo.get' && { turnTo: (input: JsonObject, page: string) =>
        ({ input: { ...input, page }, described: input }) }),
      perform: (...call) => {
        call[0].departure.mark();
        performed.push(name);
        return perform(...call);
      },
    };
  }
}

/** Links an account of the lab to the workspace; answers the connection's id. */
export async function connectLab(
  sql: Sql, workspace_id: string,
  { status = 'connected', account_label = null, status_reason = null }: {
    status?: 'connected' | 'needs_reconnect'; account_label?: string | null;
    status_reason?: string | null;
  } = {}): Promise<string> {
  const id = newId('con');
  await sql`
    insert into connections (workspace_id, id, integration, name, account_label, status,
      status_reason)
    values (${workspace_id}, ${id}, ${LAB_SLUG}, ${LAB_SLUG}, ${account_label}, ${status},
      ${status_reason})`;
  return id;
}
