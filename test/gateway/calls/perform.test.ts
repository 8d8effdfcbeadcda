import t from 'tap';
import type { ActionDefinition } from '../../../src/gateway/action/action.ts';
import { failure, lacks } from '../../../src/gateway/action/failure.ts';
import type { Missing } from '../../../src/gateway/action/outcome.ts';
import { performInTime } from '../../../src/gateway/calls/perform.ts';
import { NOT_BEGUN } from '../../../src/gateway/calls/writes.ts';
import type { Issued } from '../../../src/gateway/credentials/connectionCredentials.ts';
import { Departure } from '../../../src/gateway/egress/departure.ts';
import { caller, connection, definition, source } from '../support.ts';

const run = (
  perform: ActionDefinition['perform'], timeout_ms = 60_000, signal?: AbortSignal,
  departure = new Departure()) =>
  performInTime({ status: 'planned', definition: definition({ perform }), fields: null,
    granted: false, approval_scope: null, integration: source([]).integration, input: { a: 1 },
    request: { input: { a: 1 }, connection: connection() }, cursor: null },
  caller, { invocation_id: 'inv_1', idempotency_key: null, timeout_ms, signal, departure,
    credentials: { for: never, refused: never } });

const never = () => Promise.reject(new Error('it needs no credentials'));

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

t.test('what may not leave any more is not begun, and that is asked last', async (t) => {
  const order: string[] = [];
  const issued = { credentials: { type: 'none' }, secrets: [], version: null };
  const perform = async () => {
    order.push('performed');
    return { result: null, source_cursor: null };
  };
  const plan = { status: 'planned', definition: definition({ perform }), fields: null,
    granted: false, approval_scope: null, cursor: null,
    integration: { ...source([]).integration, egress_allow: [] },
    input: {}, request: { input: {}, connection: connection() } } as const;
  const outcome = (answer: boolean) => performInTime(plan, caller, {
    invocation_id: 'inv_1', idempotency_key: null, timeout_ms: 60_000, signal: undefined,
    departure: new Departure(undefined, async () => {
      order.push('asked');
      return answer;
    }),
    credentials: { refused: never, for: async () => {
      order.push('credentials');
      return issued as unknown as Issued;
    } } });
  t.equal(await outcome(false), NOT_BEGUN);
  t.same(order.splice(0), ['credentials', 'asked']);
  t.match(await outcome(true), { status: 'completed' });
  t.same(order, ['credentials', 'asked', 'performed']);
});

t.test('what is given up before its credentials are there never leaves', async (t) => {
  let performed = 0;
  const perform = async () => ({ result: performed += 1, source_cursor: null });
  const plan = { status: 'planned', definition: definition({ perform }), fields: null,
    granted: false, approval_scope: null, cursor: null,
    integration: { ...source([]).integration, egress_allow: [] },
    input: {}, request: { input: {}, connection: connection() } } as const;
  const renewed = Promise.withResolvers<Issued>();
  const asking = Promise.withResolvers<void>();
  const cancel = new AbortController();
  const givenUp = async (timeout_ms: number) => {
    const departure = new Departure();
    const outcome = await performInTime(plan, caller, {
      invocation_id: 'inv_1', idempotency_key: null, timeout_ms, signal: cancel.signal, departure,
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
  renewed.resolve({ credentials: { type: 'none' }, secrets: [], version: null,
    after_refusal: false });
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
