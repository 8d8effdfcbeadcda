import t from 'tap';
import type { ActionDefinition } from '../../../src/gateway/action/action.ts';
import { failure, lacks } from '../../../src/gateway/action/failure.ts';
import type { Missing } from '../../../src/gateway/action/outcome.ts';
import { execute } from '../../../src/gateway/calls/execute.ts';
import { Departure } from '../../../src/gateway/egress/departure.ts';
import { caller, connection, definition, source } from '../support.ts';

const run = (
  perform: ActionDefinition['perform'], timeout_ms = 60_000, signal?: AbortSignal) =>
  execute({ status: 'planned', definition: definition({ perform }), fields: null, granted: false,
    approval_scope: null, integration: source([]).integration,
    request: { input: { a: 1 }, connection: connection() }, cursor: null },
  caller, { invocation_id: 'inv_1', idempotency_key: null, timeout_ms, signal, departure,
    credentials: { for: never, refused: never } });

const never = () => Promise.reject(new Error('it needs no credentials'));
const departure = new Departure();

const untilAborted = (signal: AbortSignal) => new Promise<never>((_, reject) => {
  signal.addEventListener('abort', () => reject(new Error('socket hang up')));
});

t.test('the action gets its request and gives its result', async (t) => {
  const performed = { result: 1, next_cursor: null };
  t.same(await run(async (request, by) => {
    const { scrub, ...given } = request;
    t.same(given, { input: { a: 1 }, connection: connection(),
      invocation_id: 'inv_1', idempotency_key: null, credentials: { type: 'none' }, departure });
    t.equal(scrub('x'), 'x');
    t.equal(by, caller);
    return performed;
  }), { status: 'completed', truncated: false, ...performed });
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
  const perform = async () => ({ result: begun += 1, next_cursor: null });
  t.match(await run(perform, 60_000, AbortSignal.abort()), { error: { code: 'cancelled' } });
  t.equal(begun, 0);
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
