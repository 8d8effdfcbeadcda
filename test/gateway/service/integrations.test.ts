/** Integrations over their life: added, changed and removed on one node, in use on all. */
import t from 'tap';
import { json, serve, type Handler } from '../egress/support.ts';
import {
  addIntegration, addNotes, agentCall, connectAccount, gatewayServer, grantTo, invoke,
  notesDocument, secondNode,
} from './support.ts';

const notes: Handler = ({ method, target }, response) => json(response, { method, target });
const slug = { path: { slug: 'acme' } };

t.test('what one node changes holds on another from the next call on', async (t) => {
  const upstream = await serve(t, notes);
  const elsewhere = await serve(t, (_request, response) => json(response, 'elsewhere'));
  const first = await gatewayServer(t);
  const second = await secondNode(t, first);
  t.match(await invoke(second.client, 'acme.notes.list'), { status: 404 });
  await addNotes(first, upstream);
  const { id: connection_id } = await connectAccount(first, 'acme');
  const calls = await Promise.all(Array.from({ length: 20 }, () =>
    invoke(second.client, 'acme.notes.list')));
  t.strictSame(calls.map(({ status }) => status), calls.map(() => 201), 'all of them, at once');
  t.match(await second.client.expect(200, 'searchActions', { body: { query: 'list notes' } }),
    { data: [{ name: 'acme.notes.list' }] });

  await first.client.expect(200, 'updateIntegration', { ...slug,
    body: { base_url: elsewhere.url, egress_allow: elsewhere.egress_allow } });
  t.match(await invoke(second.client, 'acme.notes.list'), { body: { result: 'elsewhere' } });

  await second.client.expect(200, 'updateIntegration', { ...slug,
    body: { overrides: { 'POST /notes': { effect: 'read' }, 'GET /notes': { hidden: true } } } });
  t.match(await invoke(first.client, 'acme.notes.create', { body: {} }), { status: 201 });
  t.match(await invoke(first.client, 'acme.notes.list'), { status: 404 });

  const third = await secondNode(t, first);
  t.match(await invoke(third.client, 'acme.notes.create', { body: {} }), { status: 201 },
    'a node that starts later has it, too');

  t.match(await second.client.call('deleteIntegration', slug),
    { status: 409, body: { code: 'integration_in_use' } });
  await second.client.expect(204, 'deleteConnection', { path: { connection_id } });
  await second.client.expect(204, 'deleteIntegration', slug);
  for (const { client } of [first, second, third]) {
    t.match(await invoke(client, 'acme.notes.create'),
      { status: 404, body: { code: 'unknown_action' } });
    t.match(await client.call('getIntegration', slug), { status: 404 });
  }
  t.same(await first.sql`select * from connection_secrets`, [], 'and no secret stays behind');
});

t.test('a node that is started again loads what there is', async (t) => {
  const upstream = await serve(t, notes);
  const first = await gatewayServer(t);
  await addNotes(first, upstream);
  await connectAccount(first, 'acme');
  await grantTo(first, 'allow', 'acme.*');
  await first.service.stop();
  const again = await secondNode(t, first);
  t.match(await invoke(again.client, 'acme.notes.list'), { status: 201 });
  t.match((await agentCall(again.client, 'acme.notes.create', { body: {} })).result, { ok: true });
  t.equal(upstream.received.at(-1)!.headers.authorization, 'Bearer a-token-of-the-tests');
});

t.test('a document that changes: names stay, what is gone may come back', async (t) => {
  const upstream = await serve(t, notes);
  const server = await gatewayServer(t);
  const { client } = server;
  await addNotes(server, upstream);
  await connectAccount(server, 'acme');
  const { paths, ...rest } = notesDocument() as { paths: Record<string, Record<string, object>> };
  const list = paths['/notes']!.get as Record<string, unknown>;
  const change = (changed: object) => client.expect(200, 'updateIntegration',
    { ...slug, body: { document: { ...rest, paths: changed } } });
  t.match(await change({ '/notes': { get: { ...list, operationId: 'memos/search' } } }),
    { revision: 2, actions: { read: 1, write: 0, destructive: 0 } });
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 }, 'it is GET /notes still');
  for (const name of ['acme.memos.search', 'acme.notes.get', 'acme.notes.create']) {
    t.match(await invoke(client, name), { status: 404 }, name);
  }
  t.match(await change(paths), { revision: 3, actions: { read: 2, write: 1, destructive: 1 } });
  t.match(await invoke(client, 'acme.notes.get', { path: { id: '1' } }), { status: 201 });
  t.match(await client.call('updateIntegration', { ...slug, body: { document: 'no document' } }),
    { status: 400, body: { code: 'invalid_document', param: '/document' } });
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 }, 'nothing has changed');
});

t.test('a document from its address', async (t) => {
  let document = notesDocument();
  const upstream = await serve(t, (request, response) =>
    (request.target === '/openapi.json' ? json(response, document) : notes(request, response)));
  const server = await gatewayServer(t);
  const { client } = server;
  const document_url = `${upstream.url}/openapi.json`;
  const asked = { slug: 'acme', kind: 'openapi' as const, document_url, base_url: upstream.url };
  t.match(await client.call('createIntegration', { body: asked }),
    { status: 400, body: { code: 'egress_refused' } });
  const { egress_allow } = upstream;
  t.match(await client.call('createIntegration',
    { body: { ...asked, egress_allow, document_url: `${upstream.url}/missing` } }),
  { status: 400, body: { code: 'invalid_document' } });
  await addIntegration(server, { ...asked, egress_allow, new_actions: 'offer' });
  t.equal(upstream.received.some(({ headers }) => headers.authorization !== undefined), false);
  await connectAccount(server, 'acme');
  document = notesDocument({ '/more': { get: { operationId: 'notes/count', responses: {} } } });
  t.match(await invoke(client, 'acme.notes.count'), { status: 404 });
  t.match(await client.expect(200, 'refreshIntegration', { ...slug, body: {} }), { revision: 2 });
  t.match(await invoke(client, 'acme.notes.count'), { status: 201 });
});

t.test('one integration that cannot be loaded does not take the others with it', async (t) => {
  const upstream = await serve(t, notes);
  const server = await gatewayServer(t);
  await addNotes(server, upstream);
  await addIntegration(server, { slug: 'broken', kind: 'openapi', document: notesDocument() });
  await connectAccount(server, 'acme');
  await connectAccount(server, 'broken');
  await server.sql`update integrations set document = '{' where slug = 'broken'`;
  await server.sql`delete from operation_definitions`;
  const node = await secondNode(t, server);
  t.match(await invoke(node.client, 'acme.notes.list'), { status: 201 });
  t.match(await invoke(node.client, 'broken.notes.list'), { status: 404 });
  t.match(await node.client.expect(200, 'getIntegration', { path: { slug: 'broken' } }),
    { slug: 'broken' });
});

t.test('two operators add and change the same at once', async (t) => {
  const upstream = await serve(t, notes);
  const first = await gatewayServer(t);
  const second = await secondNode(t, first);
  const body = { slug: 'acme', kind: 'openapi' as const, document: notesDocument(),
    base_url: upstream.url, egress_allow: upstream.egress_allow };
  const added = await Promise.all([first, second, first, second].map(({ client }) =>
    client.call('createIntegration', { body })));
  t.strictSame(added.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  const changed = await Promise.all([first, second].map(({ client }, index) =>
    client.call('updateIntegration', { ...slug, body: { title: `Title ${index}` } })));
  const done = changed.filter(({ status }) => status === 200).length;
  t.ok(done >= 1 && changed.every(({ status }) => status === 200 || status === 409));
  t.match(await first.client.expect(200, 'getIntegration', slug), { revision: 1 + done });
  const { ok } = await first.client.expect(200, 'verifyAuditLog', {});
  t.ok(ok);
});

t.test('a document that changes does not lead elsewhere, until the operator says so', async (t) => {
  const [here, there] = [await serve(t, notes), await serve(t, notes)];
  const server = await gatewayServer(t);
  const { client } = server;
  const document = (url: string) => ({ ...notesDocument(), servers: [{ url }] });
  const egress_allow = [...here.egress_allow, ...there.egress_allow];
  t.match(await addIntegration(server, {
    slug: 'acme', kind: 'openapi', document: document(here.url), egress_allow,
  }), { base_url: here.url });
  await connectAccount(server, 'acme');
  const update = (body: object) => client.expect(200, 'updateIntegration', { ...slug, body });
  t.match(await update({ document: document(there.url) }), { base_url: here.url });
  t.match(await client.expect(200, 'refreshIntegration', { ...slug, body: {} }),
    { base_url: here.url });
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });
  t.same([here.received.length, there.received.length], [1, 0]);
  t.match(await update({ base_url: null }), { base_url: there.url });
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });
  t.same([here.received.length, there.received.length], [1, 1]);
  t.match(await update({ base_url: here.url }), { base_url: here.url });
});

t.test('a slug that was given to another integration meanwhile', async (t) => {
  const [one, two] = [await serve(t, (_request, response) => json(response, 'one')),
    await serve(t, (_request, response) => json(response, 'two'))];
  const first = await gatewayServer(t);
  const second = await secondNode(t, first);
  for (const upstream of [one, two]) {
    t.match(await addNotes(first, upstream), { revision: 1 });
    const { id: connection_id } = await connectAccount(first, 'acme');
    t.match(await invoke(second.client, 'acme.notes.list'),
      { status: 201, body: { result: upstream === one ? 'one' : 'two' } });
    await first.client.expect(204, 'deleteConnection', { path: { connection_id } });
    await first.client.expect(204, 'deleteIntegration', slug);
  }
});
