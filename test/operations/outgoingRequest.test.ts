/** GET /admin/approvals/{approval_id}: what the call will send. */
import t, { type Test } from 'tap';
import type { Schemas } from '../support/client.ts';
import { connectPets, petDocument, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const TOKEN = 'a-token-of-the-pet-store';
const server = await testServer(t);
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
const ok = { 200: { description: 'ok' } };
const parameter = (place: string, name: string) =>
  ({ in: place, name, required: place === 'path', schema: { type: 'string' } });
const body = (media_type: string, properties: object) =>
  ({ required: true, content: { [media_type]: { schema: { type: 'object', properties } } } });
const text = { type: 'string' };
const document = { ...petDocument(), security: [{ token: [] }], paths: {
  '/pets/{pet_id}': { put: {
    operationId: 'renamePet', summary: 'Rename a pet', responses: ok,
    parameters: [parameter('path', 'pet_id'), parameter('query', 'note'),
      parameter('header', 'X-Reason'), parameter('cookie', 'shop')],
    requestBody: body('application/json', { name: text }) } },
  '/notes': { post: { operationId: 'addNote', responses: ok,
    requestBody: body('application/x-www-form-urlencoded', { title: text, by: text }) } },
  '/photos': { post: { operationId: 'addPhoto', responses: ok, requestBody: body(
    'multipart/form-data', { photo: { type: 'string', format: 'binary' } }) } },
  '/pets': { delete: { operationId: 'removeAll', responses: ok } },
} };
await client.expect(201, 'createIntegration',
  { body: petIntegration(store, { document: JSON.stringify(document) }) });
const connection = await connectPets(client, workspace_id,
  { name: 'Shop', credentials: { type: 'bearer', token: TOKEN } });
await client.expect(201, 'createGrant',
  { body: { workspace_id, actions: '*', decision: 'require_approval' } });

const session_id = await newSession(client);

const get = (approval_id: string) =>
  client.expect(200, 'getApproval', { path: { approval_id } });

/** Has an agent call an action. */
async function call(action: string, input: object) {
  const run = await completeRun(client, session_id, `call ${action} ${JSON.stringify(input)}`);
  return run.tool_calls[0]!;
}

/** Has a call ask for an approval, and answers that. */
async function ask(action: string, input: object): Promise<Schemas['Approval']> {
  const { error } = await call(action, input);
  t.equal(error?.code, 'approval_required');
  const { data } = await client.expect(200, 'listApprovals', { query: { limit: 1 } });
  return await get(data[0]!.id);
}

/** Approves the call and holds what the store then gets against what was shown. */
async function sentAsShown(t: Test, action: string, input: object) {
  const approval = await ask(action, input);
  const { request } = approval;
  t.notMatch(JSON.stringify(approval), TOKEN);
  if (request?.type !== 'http') throw new Error('it is no HTTP request');
  await client.expect(200, 'decideApproval',
    { path: { approval_id: approval.id }, body: { decision: 'approve' } });
  t.strictSame((await get(approval.id)).request?.type, 'http', 'it is shown until it has left');
  const received = new Promise<string>((resolve) => {
    store.onBody = resolve;
  });
  t.equal((await call(action, input)).error ?? null, null);
  const { method, target, headers } = store.visits.at(-1)!;
  const sent = await received;
  t.strictSame([request.method, request.url], [method, store.url + target]);
  t.equal(headers.authorization, `Bearer ${TOKEN}`, 'which was not shown');
  t.equal(request.body_bytes, Buffer.byteLength(sent, 'latin1'));
  t.equal((await get(approval.id)).request, null, 'it is over');
  return { request, headers, sent };
}

t.test('everything that a document can describe', async (t) => {
  const { request, headers, sent } = await sentAsShown(t, 'pets.pets.rename', {
    path: { pet_id: 'a bü' }, query: { note: 'x & y' },
    header: { 'X-Reason': 'new owner' }, cookie: { shop: 'north' }, body: { name: 'Rex ✓' } });
  t.match(request, { method: 'PUT', url: `${store.url}/pets/a%20b%C3%BC?note=x%20%26%20y`,
    body: '{"name":"Rex ✓"}' });
  for (const [name, value] of Object.entries(request.headers)) t.equal(headers[name], value, name);
  t.match(request.headers, { 'x-reason': 'new owner', cookie: 'shop=north',
    'content-type': 'application/json' });
  t.equal(Buffer.from(sent, 'latin1').toString(), request.body);
});

t.test('a form', async (t) => {
  const { request, sent } = await sentAsShown(t, 'pets.notes.create',
    { body: { title: 'a & b', by: 'Ann' } });
  t.equal(request.body, sent);
});

t.test('bytes are counted, and not shown', async (t) => {
  const base64 = Buffer.from([0xff, 0xd8, 0, 1]).toString('base64');
  const { request } = await sentAsShown(t, 'pets.photos.create',
    { body: { photo: { base64, filename: 'rex.jpg' } } });
  t.equal(request.body, null);
  t.match(request.headers['content-type'], /^multipart\/form-data; boundary=/);
});

t.test('no body', async (t) => {
  t.match(await ask('pets.pets.remove_all', {}), { connection_id: connection.id,
    connection_name: 'Shop',
    request: { method: 'DELETE', url: `${store.url}/pets`, body: null, body_bytes: 0 } });
});

t.test('what cannot be sent asks for no approval', async (t) => {
  const pending = async () =>
    (await client.expect(200, 'listApprovals', { query: { limit: 1 } })).data[0]!.id;
  const before = await pending();
  const { error } = await call('pets.pets.rename', { path: { pet_id: 'a/b' }, body: {} });
  t.match(error, { code: 'invalid_input', message: /pet_id must be one path segment/ });
  t.equal(await pending(), before);
});

t.test('nothing leaves, or nothing can', async (t) => {
  t.match(await ask('gateway.connections.list', {}),
    { action_title: 'List connections', request: null });
  const { id } = await ask('pets.pets.rename', { path: { pet_id: '1' }, body: { name: 'Max' } });
  t.ok((await get(id)).request);
  await sql`update approvals set input = '{"path": {"pet_id": ".."}}' where id = ${id}`;
  t.equal((await get(id)).request, null);
  await sql`update approvals set action = 'pets.none.get' where id = ${id}`;
  t.match(await get(id), { action_title: null, request: null });
  const { id: gone } = await ask('gateway.connections.list', {});
  await sql`update approvals set connection_id = 'con_gone' where id = ${gone}`;
  t.match(await get(gone), { connection_name: null, account_label: null });
});
