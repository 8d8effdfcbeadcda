/** GET /actions */
import t from 'tap';
import { createLab, connectLab, LAB_SLUG } from '../support/lab.ts';
import { readPage, readPages } from '../support/pages.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

const server = await testServer(t, { sources: [createLab().source] });
const { client, sql } = server;
const other = await otherWorkspace(server);
const one = await connectLab(sql, server.workspace_id, { account_label: 'ada' });
const two = await connectLab(sql, server.workspace_id, { account_label: 'grace' });
await connectLab(sql, server.workspace_id, { status: 'needs_reconnect' });

t.test('actions of connected integrations, by name', async (t) => {
  const { data } = await client.expect(200, 'listActions', { query: { limit: 100 } });
  const names = data.map(({ name }) => name);
  t.strictSame(names, names.toSorted());
  t.strictSame(new Set(data.map(({ integration }) => integration)),
    new Set(['gatehouse', 'gateway', LAB_SLUG]));
  t.ok(data.every(({ name, integration }) => name.startsWith(`${integration}.`)));
  t.ok(data.every(({ read_only, effect }) => read_only === (effect === 'read')));
  t.strictSame(data.find(({ name }) => name === 'lab.item.delete'), {
    object: 'action', name: 'lab.item.delete', integration: LAB_SLUG, title: 'item.delete',
    description: 'The action item.delete of the lab.', read_only: false, effect: 'destructive',
    connections: [{ connection_id: one, account_label: 'ada' },
      { connection_id: two, account_label: 'grace' }],
  }, 'with the connections that can be used');
});

t.test('with schemas if they are asked for', async (t) => {
  const list = async (include_schemas: boolean) => (await client.expect(200, 'listActions',
    { query: { integration: LAB_SLUG, include_schemas } })).data;
  const [lean, whole] = [await list(false), await list(true)];
  t.strictSame(whole.map(({ input_schema: _, output_schema: __, ...rest }) => rest), lean);
  t.ok(lean.every((action) => !('input_schema' in action) && !('output_schema' in action)));
  t.strictSame(whole.find(({ name }) => name === 'lab.item.delete')?.input_schema, {
    type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false });
  const self = (await client.expect(200, 'listActions',
    { query: { integration: 'gatehouse', include_schemas: true, limit: 100 } })).data;
  t.type(self.find(({ name }) => name === 'gatehouse.runs.list')?.output_schema, 'object');
});

t.test('what a workspace is not connected to is not shown to it', async (t) => {
  t.strictSame((await readPage(other, 'listActions', { integration: LAB_SLUG })).ids, []);
  const { data } = await other.expect(200, 'listActions', { query: { limit: 100 } });
  t.strictSame(new Set(data.map(({ integration }) => integration)),
    new Set(['gatehouse', 'gateway']));
  const foreign = new Set([one, two]);
  t.notOk(data.some(({ connections }) => connections.some((c) => foreign.has(c.connection_id))));
});

t.test('filters', async (t) => {
  const list = async (query: Record<string, string | boolean>) =>
    (await readPage(client, 'listActions', { limit: 100, ...query })).ids;
  t.strictSame(await list({ integration: 'gateway' }),
    ['gateway.actions.describe', 'gateway.actions.search', 'gateway.connections.list']);
  t.strictSame(await list({ integration: LAB_SLUG, read_only: false }), ['lab.item.delete']);
  t.strictSame(await list({ integration: LAB_SLUG, read_only: true }),
    ['lab.echo.get', 'lab.error.get', 'lab.fault.get', 'lab.gate.hold']);
  t.strictSame(await list({ integration: 'nobody' }), []);
  t.strictSame([...await list({ read_only: true }), ...await list({ read_only: false })].sort(),
    await list({}));
});

t.test('pages hold everything once', async (t) => {
  const whole = (await readPage(client, 'listActions', { limit: 100 })).ids;
  const pages = await readPages(client, 'listActions', { limit: 7 });
  t.ok(pages.length > 2);
  t.strictSame(pages.flat(), whole);
  t.strictSame((await readPages(client, 'listActions', { limit: 2, integration: LAB_SLUG })),
    [['lab.echo.get', 'lab.error.get'], ['lab.fault.get', 'lab.gate.hold'], ['lab.item.delete']]);
});

t.test('parameters and cursors that are none are refused', async (t) => {
  const mine = (await readPage(client, 'listActions', { limit: 1 })).next_cursor!;
  for (const [who, cursor] of [[client, 'garbage'], [other, mine]] as const) {
    t.match(await who.expect(400, 'listActions', { query: { cursor } }),
      { code: 'invalid_cursor' });
  }
  const bad = { read_only: 'maybe', integration: 'No Slug', order: 'asc' };
  for (const [name, value] of Object.entries(bad)) {
    t.match(await client.expect(400, 'listActions', { query: { [name]: value } }),
      { code: 'invalid_request', param: name });
  }
});
