/** POST /action_invocations with an Idempotency-Key. */
import t from 'tap';
import { connectLab, createLab } from '../support/lab.ts';
import { testServer } from '../support/server.ts';

const lab = createLab();
const server = await testServer(t, { sources: [lab.source] });
const { client, sql } = server;
await connectLab(sql, server.workspace_id);
const invoke = (key: string, body: object) => client.call('createActionInvocation',
  { headers: { 'idempotency-key': key }, body });
const timesPerformed = (action: string) =>
  lab.performed.filter((name) => name === action).length;

t.test('a completed call is answered again from the record', async (t) => {
  const body = { action: 'lab.echo.get', input: { text: 'once' } };
  const first = await invoke('once', body);
  const again = await invoke('once', body);
  t.strictSame([again.status, again.body], [201, first.body], 'page included');
  t.equal(again.headers.get('location'), first.headers.get('location'));
  t.equal(timesPerformed('lab.echo.get'), 1);
});

t.test('another body is refused', async (t) => {
  await invoke('taken', { action: 'lab.echo.get' });
  t.match(await invoke('taken', { action: 'lab.echo.get', input: { text: 'other' } }),
    { status: 409, body: { code: 'idempotency_key_reused', param: 'idempotency-key' } });
});

t.test('a failed call releases its key', async (t) => {
  for (const [body, status] of [[{ action: 'lab.error.get' }, 502],
    [{ action: 'lab.item.delete' }, 403], [{ action: 'lab.fault.get' }, 500]] as const) {
    t.equal((await invoke('released', body)).status, status);
  }
  t.equal((await invoke('released', { action: 'lab.error.get' })).status, 502);
  t.equal(timesPerformed('lab.error.get'), 2, 'it is made again');
  t.equal((await invoke('released', { action: 'lab.echo.get' })).status, 201);
});

t.test('in flight', async (t) => {
  const body = { action: 'lab.gate.hold' };
  const first = invoke('flying', body);
  await lab.held;
  const second = await invoke('flying', body);
  t.match([second.status, second.body], [409, { code: 'idempotency_in_progress' }]);
  t.equal(second.headers.get('retry-after'), '1');
  t.match(await invoke('flying', { action: 'lab.echo.get' }),
    { status: 409, body: { code: 'idempotency_key_reused' } });
  lab.release();
  const { status, body: made } = await first;
  t.equal(status, 201);
  t.strictSame((await invoke('flying', body)).body, made);
  t.equal(timesPerformed('lab.gate.hold'), 1);
});
