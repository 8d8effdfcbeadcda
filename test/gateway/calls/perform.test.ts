import t from 'tap';
import type { ActionDefinition } from '../../../src/gateway/action/action.ts';
import { ActionFailure, failure, lacks } from '../../../src/gateway/action/failure.ts';
import type { Missing, Outcome } from '../../../src/gateway/action/outcome.ts';
import type { CallRequest, CallServices, PlannedCall } from '../../../src/gateway/calls/call.ts';
import { perform } from '../../../src/gateway/calls/perform.ts';
import { NOT_BEGUN } from '../../../src/gateway/calls/writes.ts';
import type { Issued } from '../../../src/gateway/credentials/connectionCredentials.ts';
import type { CredentialSource } from '../../../src/gateway/credentials/withCredentials.ts';
import { Departure, DepartureRefused } from '../../../src/gateway/egress/departure.ts';
import { caller, connection, definition, source } from '../support.ts';

const never = () => Promise.reject(new Error('it needs no credentials'));

/** What comes of performing a plan. */
async function outcomeOf(
  plan: Pick<PlannedCall, 'definition' | 'integration'>,
  { timeout_ms = 60_000, signal, departure = new Departure(),
    credentials = { for: never, refused: never } }: {
    timeout_ms?: number | undefined, signal?: AbortSignal | undefined,
    departure?: Departure | undefined, credentials?: CredentialSource },
): Promise<Outcome> {
  const config = { action_timeout_ms: timeout_ms, action_result_limit_bytes: 1_000 };
  const context = { source: 'run', read_only_only: false, ...(signal && { signal }) } as const;
  const asked = { caller, context, departure, invocation_id: 'inv_1' } as CallRequest;
  return await perform({ config: config as CallServices['config'], credentials }, asked, {
    fields: null, granted: false, approval_scope: null, input: { a: 1 }, cursor: null,
    request: { input: { a: 1 }, connection: connection() }, ...plan,
  }).catch((error: unknown) => {
    if (error instanceof DepartureRefused) return NOT_BEGUN;
    if (error instanceof ActionFailure) return error.outcome;
    throw error;
  });
}

const { integration } = source([]);

const run = (
  perform: ActionDefinition['perform'], timeout_ms?: number, signal?: AbortSignal,
  departure?: Departure) =>
  outcomeOf({ definition: definition({ perform }), integration },
    { timeout_ms, signal, departure });

const untilAborted = (signal: AbortSignal) => new Promise<never>((_, reject) => {
  signal.addEventListener('abort', () => reject(new Error('socket hang up')));
});

t.test('the action gets its request and gives its result', async (t) => {
  const performed = { result: 1, source_cursor: null };
  const departure = new Departure();
  t.same(await run(async (request, by) => {
    const { scrub, ...given } = request;
    t.same(given, { input: { a: 1 }, connection: connection(),
      invocation_id: 'inv_1', idempotency_key: null, credentials: { type: 'none' }, departure,
      fields: null, secrets: [] });
    t.equal(scrub('x'), 'x');
    t.equal(by, caller);
    return performed;
  }, 60_000, undefined, departure), { status: 'completed', truncated: false, ...performed });
});

t.test('what takes too long is aborted', async (t) => {
  t.same(await run((_request, _by, signal) => untilAborted(signal), 20), { status: 'failed',
    error: { code: 'upstream_timeout', message: 'github did not answer within 0.02 seconds.' } });
});

t.test('what does not heed its signal is left behind', async (t) => {
  t.match(await run(() => new Promise(() => {}), 20), { error: { code: 'upstream_timeout' } });
});

t.test('a cancel aborts the action', async (t) => {
  const cancel = new AbortController();
  const execution = await run((_request, _by, signal) => {
    const stopped = untilAborted(signal);
    cancel.abort();
    return stopped;
  }, 60_000, cancel.signal);
  t.match(execution, { error: { code: 'cancelled' } });
});

t.test('what is cancelled beforehand is not begun', async (t) => {
  let begun = 0;
  const perform = async () => ({ result: begun += 1, source_cursor: null });
  t.match(await run(perform, 60_000, AbortSignal.abort()), { error: { code: 'cancelled' } });
  t.equal(begun, 0);
});

const ISSUED = { credentials: { type: 'none' }, secrets: [], version: null } as unknown as Issued;

t.test('what may not leave any more is not sent, and that is asked last', async (t) => {
  const order: string[] = [];
  const perform: ActionDefinition['perform'] = async ({ departure }) => {
    order.push('begun');
    await departure.grant();
    order.push('sent');
    return { result: null, source_cursor: null };
  };
  const plan = {
    definition: definition({ perform }), integration: { ...integration, egress_allow: [] } };
  const outcome = (answer: boolean) => outcomeOf(plan, {
    departure: new Departure(undefined, async () => {
      order.push('asked');
      return answer;
    }),
    credentials: { refused: never, for: async () => {
      order.push('credentials');
      return ISSUED;
    } } });
  t.equal(await outcome(false), NOT_BEGUN);
  t.same(order.splice(0), ['credentials', 'begun', 'asked']);
  t.match(await outcome(true), { status: 'completed' });
  t.same(order, ['credentials', 'begun', 'asked', 'sent']);
});

t.test('what is given up while it waits for a session has not left', async (t) => {
  const begun = Promise.withResolvers<void>();
  const plan = { integration: { ...integration, egress_allow: [] },
    definition: definition({ effect: 'write', perform: (_request, _by, signal) => {
      begun.resolve();
      return untilAborted(signal);
    } }) };
  const cancel = new AbortController();
  const given = { signal: cancel.signal, credentials: { refused: never, for: async () => ISSUED } };
  t.match(await outcomeOf(plan, { ...given, timeout_ms: 20 }),
    { error: { code: 'upstream_error', message: /was not made/ } });
  const hungUp = outcomeOf(plan, given);
  await begun.promise;
  cancel.abort();
  t.equal(await hungUp, NOT_BEGUN);
});

t.test('what is given up before its credentials are there never leaves', async (t) => {
  let performed = 0;
  const perform: ActionDefinition['perform'] = async ({ departure }) => {
    await departure.grant();
    return { result: performed += 1, source_cursor: null };
  };
  const plan = {
    definition: definition({ perform }), integration: { ...integration, egress_allow: [] } };
  const renewed = Promise.withResolvers<Issued>();
  const asking = Promise.withResolvers<void>();
  const cancel = new AbortController();
  const givenUp = async (timeout_ms: number) => {
    const departure = new Departure();
    const outcome = await outcomeOf(plan, {
      timeout_ms, signal: cancel.signal, departure,
      credentials: { refused: never, for: () => {
        asking.resolve();
        return renewed.promise;
      } } });
    return { outcome, departure };
  };
  const late = await givenUp(20);
  t.match(late.outcome, { error: { code: 'upstream_error', message: /was not made/ } });
  const hungUp = givenUp(60_000);
  await asking.promise;
  cancel.abort();
  const { outcome, departure } = await hungUp;
  t.equal(outcome, NOT_BEGUN);
  renewed.resolve(ISSUED);
  await t.rejects(departure.grant(), { name: 'DepartureRefused' });
  t.same([departure.left, late.departure.left, performed], [false, false, 0]);
});

t.test('failures, gaps and faults are told apart', async (t) => {
  const gap: Missing = { code: 'unknown_action', message: 'x', action: 'a', suggestions: [] };
  t.same(await run(async () => { throw failure('No.', { details: { status: 404 } }); }),
    { status: 'failed',
      error: { code: 'upstream_error', message: 'No.', details: { status: 404 } } });
  t.same(await run(async () => { throw lacks(gap); }), { status: 'missing', missing: [gap] });
  const fault = new TypeError('oops');
  await t.rejects(run(() => { throw fault; }), fault, 'also a synchronous one');
});
