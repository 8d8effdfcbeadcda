/** What of a document is stored, so that no node imports it again. */
import t from 'tap';
import { createServiceLog } from '../../../src/service.ts';
import { json, serve } from '../egress/support.ts';
import {
  addNotes, connectAccount, gatewayServer, invoke, notesDocument, secondNode,
} from './support.ts';

const upstream = await serve(t, (_request, response) => json(response, 'done'));

t.test('a node needs no document to list, search, describe and call', async (t) => {
  const server = await gatewayServer(t);
  const { client, sql } = server;
  await addNotes(server, upstream);
  await connectAccount(server, 'acme');
  const list = async (at: typeof client) => (await at.expect(200, 'listActions',
    { query: { integration: 'acme', include_schemas: true } })).data;
  const made = await list(client);
  t.equal(made.length, 4);
  // Whoever reads the document now does not get far.
  await sql`update integrations set document = '{' where slug = 'acme'`;
  const { client: other } = await secondNode(t, server);
  t.same(await list(other), made);
  t.match(await other.expect(200, 'searchActions', { body: { query: 'get a note' } }),
    { data: [made.find(({ name }) => name === 'acme.notes.get')!] });
  const name = 'acme.notes.get';
  t.match(await invoke(other, 'gateway.actions.describe', { name }),
    { body: { result: { input_schema: { required: ['path'] } } } });
  t.match(await invoke(other, name, { path: { id: '1' } }), { status: 201 });
  t.match(await invoke(other, name), { status: 400, body: { code: 'invalid_input' } });

  const body = { required: true, content: { 'application/json': { schema: {
    type: 'object', properties: { type: { enum: ['laminate', 'shred'] } } } } } };
  const more = { get: { operationId: 'notes/count', responses: {} },
    post: { operationId: 'notes/act', requestBody: body, responses: {} } };
  const document = notesDocument({ '/more': more });
  await client.expect(200, 'updateIntegration', { path: { slug: 'acme' }, body: { document } });
  await sql`update integrations set document = '{' where slug = 'acme'`;
  t.equal((await list(other)).length, 6, 'so it is with what is changed');
  t.match(await invoke(other, 'acme.notes.count'), { status: 201 });
  t.match(await other.expect(200, 'searchActions', { body: { query: 'laminate' } }),
    { data: [{ name: 'acme.notes.act' }] }, 'by what its caller chooses from, too');
});

t.test('what is not there yet is made once, and stored', async (t) => {
  const server = await gatewayServer(t);
  const { client, sql } = server;
  await addNotes(server, upstream);
  await connectAccount(server, 'acme');
  const stored = async () => (await sql<{ format: number, count: number }[]>`
    select format, count(*)::int from operation_definitions group by format order by format`)
    .map(({ format, count }) => [format, count]);
  const [[format]] = await stored() as [[number]];
  // As an older node leaves it: it knows none, or stores them in its own format.
  await sql`update operation_definitions set format = ${format - 1}`;
  const { client: other } = await secondNode(t, server);
  t.match(await invoke(other, 'acme.notes.get', { path: { id: '1' } }), { status: 201 });
  t.same(await stored(), [[format - 1, 4], [format, 4]], 'beside those of the older node');
  await sql`update integrations set document = '{' where slug = 'acme'`;
  const { client: third } = await secondNode(t, server);
  t.match(await invoke(third, 'acme.notes.get', { path: { id: '1' } }), { status: 201 });

  await sql`update operation_definitions set format = ${format - 2} where format < ${format}`;
  const document = notesDocument();
  const update = { path: { slug: 'acme' }, body: { document } };
  for (const revision of [2, 3, 4]) {
    await client.expect(200, 'updateIntegration', update);
    t.match(await sql`select max(revision) from operation_definitions`, [{ max: revision }]);
  }
  t.same(await stored(), [[format, 8]], 'of this revision and the one before it alone');
  await sql`delete from connections where integration = 'acme'`;
  await client.expect(204, 'deleteIntegration', { path: { slug: 'acme' } });
  t.same(await stored(), []);
});

t.test('an upgrade that makes less of a document says in the log what it does not offer any more',
  async (t) => {
    const server = await gatewayServer(t);
    const { sql } = server;
    await addNotes(server, upstream);
    await connectAccount(server, 'acme');
    // What the newer version leaves out, the older one had imported.
    const { paths, ...rest } = notesDocument() as { paths: Record<string, unknown> };
    const { '/notes/{id}': _, ...kept } = paths;
    await sql`update integrations set document = ${JSON.stringify({ ...rest, paths: kept })}
      where slug = 'acme'`;
    await sql`delete from operation_definitions`;
    const lines: string[] = [];
    const { client: other } = await secondNode(t, server, { log: createServiceLog('warn', {
      destination: { write: (text: string) => void lines.push(text) } }) });
    const { data } = await other.expect(200, 'listActions', { query: { integration: 'acme' } });
    t.same(data.map(({ name }) => name), ['acme.notes.create', 'acme.notes.list']);
    const told = lines.map((text) => JSON.parse(text) as { msg: string })
      .filter(({ msg }) => /not made of their document any more/.test(msg));
    t.equal(told.length, 1, 'once');
    t.match(told, [{ integration: 'acme', count: 2, msg: /a refresh of the integration says why/,
      actions: ['acme.notes.delete', 'acme.notes.get'] }]);
  });

t.test('words that no text of the database can hold', async (t) => {
  const server = await gatewayServer(t);
  const { client } = server;
  const odd = { get: { operationId: 'notes/odd', summary: 'a\0b', description: 'c\ud800d',
    parameters: [{ name: 'q', in: 'query', schema: { type: 'string', default: 'e\0f' } }] } };
  await addNotes(server, upstream, { document: notesDocument({ '/odd': odd }) });
  await connectAccount(server, 'acme');
  t.match(await client.expect(200, 'getAction', { path: { action: 'acme.notes.odd' } }),
    { title: 'a\ufffdb', description: 'c\ufffdd' });
  t.match(await invoke(client, 'acme.notes.odd', { query: { q: 'x' } }), { status: 201 });
});
