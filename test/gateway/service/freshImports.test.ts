/** A document that a node has imported itself is not imported again when that node loads it. */
import t from 'tap';
import { FreshImports } from '../../../src/gateway/openapi/freshImports.ts';
import type { ImportedAction } from '../../../src/gateway/openapi/openapi.ts';
import { json, serve } from '../egress/support.ts';
import {
  addNotes, connectAccount, gatewayServer, invoke, notesDocument, secondNode,
} from './support.ts';

t.test('the node that imports has it at once, and as any other makes it', async (t) => {
  const upstream = await serve(t, (_request, response) => json(response, 'done'));
  const server = await gatewayServer(t);
  const { client, sql } = server;
  await addNotes(server, upstream);
  await connectAccount(server, 'acme');
  const list = async (at: typeof client) =>
    (await at.expect(200, 'listActions', { query: { integration: 'acme' } })).data;
  const other = await secondNode(t, server);
  const made = await list(other.client);
  t.equal(made.length, 4);
  // Whoever reads the document now does not get far.
  await sql`update integrations set document = '{' where slug = 'acme'`;
  t.same(await list(client), made);
  t.match(await invoke(client, 'acme.notes.get', { path: { id: '1' } }), { status: 201 });
  const third = await secondNode(t, server);
  t.same(await list(third.client), []);

  const more = { get: { operationId: 'notes/count', responses: {} } };
  const document = notesDocument({ '/more': more });
  await client.expect(200, 'updateIntegration', { path: { slug: 'acme' }, body: { document } });
  await sql`update integrations set document = '{' where slug = 'acme'`;
  t.equal((await list(client)).length, 5, 'so it is with what is changed');
  t.match(await invoke(client, 'acme.notes.count'), { status: 201 });
});

t.test('only that revision, only once, and not for ever', (t) => {
  const fresh = new FreshImports();
  const actions: ImportedAction[] = [];
  const row = (slug: string, revision = 1, id = `int_${slug}`) => ({ slug, revision, id });
  fresh.put(row('a', 2), actions);
  t.equal(fresh.take(row('a', 1)), undefined, 'a load that began before');
  t.equal(fresh.take(row('a', 2, 'int_another')), undefined, 'removed, and added again elsewhere');
  t.equal(fresh.take(row('a', 2)), actions);
  t.equal(fresh.take(row('a', 2)), undefined);
  fresh.put(row('a', 2), actions);
  t.equal(fresh.take(row('a', 3)), undefined, 'another node wrote since');
  t.equal(fresh.take(row('a', 2)), undefined, 'and nobody will ask for the old one');
  for (const slug of ['a', 'b', 'c', 'd', 'e']) fresh.put(row(slug), actions);
  t.same(['a', 'b', 'c', 'd', 'e'].map((slug) => fresh.take(row(slug)) === actions),
    [false, true, true, true, true]);
  t.end();
});
