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
  t.strictSame([first, again].map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true'], 'and it says so');
  t.equal(timesPerformed('lab.echo.get'), 1);
});

t.test('an empty list of fields is as good as none', async (t) => {
  const first = await invoke('fields', { action: 'lab.echo.get', fields: [] });
  t.match(first, { status: 201, body: { result: { input: {} } } }, 'the whole result');
  const again = await invoke('fields', { action: 'lab.echo.get' });
  t.strictSame([again.status, again.body], [201, first.body], 'they are the same request');
});

t.test('a repeat shows what was done, also to a key that may not do it any more', async (t) => {
  const body = { action: 'lab.echo.get', input: { text: 'denied' } };
  const first = await invoke('denied', body);
  const { id } = await client.expect(201, 'createGrant',
    { body: { workspace_id: server.workspace_id, actions: 'lab.echo.get', decision: 'deny' } });
  t.match(await invoke('new', body), { status: 404, body: { code: 'unknown_action' } });
  const performed = timesPerformed('lab.echo.get');
  t.strictSame((await invoke('denied', body)).body, first.body);
  t.equal(timesPerformed('lab.echo.get'), performed, 'nothing is called');
  const { invocation_id } = first.body as { invocation_id: string };
  const { page: _page, ...recorded } = first.body as Record<string, unknown>;
  t.match(await client.expect(200, 'getActionInvocation', { path: { invocation_id } }), recorded,
    'its record is open to the keys of the workspace all the same');
  await client.expect(204, 'deleteGrant', { path: { grant_id: id } });
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
  const done = await invoke('released', { action: 'lab.echo.get' });
  t.strictSame([done.status, done.headers.get('idempotent-replayed')], [201, null]);
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
