import t from 'tap';
import { ActionFailure, type ActionDefinition } from '../../../src/gateway/action/action.ts';
import type { Missing } from '../../../src/gateway/action/outcome.ts';
import { execute } from '../../../src/gateway/calls/execute.ts';
import { caller, connection, definition } from '../support.ts';

const run = (
  perform: ActionDefinition['perform'], timeout_ms = 60_000, signal?: AbortSignal) =>
  execute({ definition: definition({ perform }), fields: null, needs_approval: false,
    request: { input: { a: 1 }, cursor: 'c', connection: connection() } },
  caller, { invocation_id: 'inv_1', idempotency_key: null, timeout_ms, signal });

const untilAborted = (signal: AbortSignal) => new Promise<never>((_, reject) => {
  signal.addEventListener('abort', () => reject(new Error('socket hang up')));
});

t.test('the action gets its request and gives its result', async (t) => {
  const performed = { result: 1, next_cursor: null };
  t.same(await run(async (request, by) => {
    t.same(request, { input: { a: 1 }, cursor: 'c', connection: connection(),
      invocation_id: 'inv_1', idempotency_key: null });
    t.equal(by, caller);
    return performed;
  }), { performed });
});

t.test('what takes too long is aborted', async (t) => {
  t.same(await run((_request, _by, signal) => untilAborted(signal), 20), { error: {
    code: 'upstream_timeout', message: 'github did not answer within 0.02 seconds.' } });
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
  t.same(await run(async () => { throw new ActionFailure('No.', { details: { status: 404 } }); }),
    { error: { code: 'upstream_error', message: 'No.', details: { status: 404 } } });
  t.same(await run(async () => { throw new ActionFailure('x', { missing: [gap] }); }),
    { missing: [gap] });
  const fault = new TypeError('oops');
  t.same(await run(() => { throw fault; }), { fault }, 'also a synchronous one');
});
