/** A workspace that has linked an account for each of its own customers. */
import t from 'tap';
import { newId } from '../../../src/ids.ts';
import { addIntegration, gatewayServer, invoke } from './support.ts';

const ACCOUNTS = 120;
const LIST = 'gateway.connections.list';

const server = await gatewayServer(t);
const { client, sql, workspace_id } = server;
await addIntegration(server, { slug: 'shop', kind: 'openapi', base_url: 'https://shop.example',
  document: { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {
    '/orders': { get: { operationId: 'orders/list', responses: { 200: {
      description: 'Done.' } } } } } } as never });
const rows = Array.from({ length: ACCOUNTS }, (_, at) => ({
  id: newId('con'), name: `customer-${at}`,
  account_label: at % 2 === 0 ? `Buyer-${at}@Example.org` : null }));
await sql`insert into connections (workspace_id, id, integration, name, account_label, status)
  select ${workspace_id}, id, 'shop', name, account_label, 'connected'
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r (id text, name text, account_label text)`;

interface Page {
  result: { data: { connection_id: string, name: string }[] };
  page?: { next_cursor: string };
}

async function list(input: object, cursor?: string): Promise<Page> {
  const body = { action: LIST, input, ...(cursor !== undefined && { cursor }) };
  return await client.expect(201, 'createActionInvocation', { body }) as Page;
}

t.test('they are listed in pages, in the order in which they were linked', async (t) => {
  const pages: Page[] = [];
  do {
    pages.push(await list({ integration: 'shop' }, pages.at(-1)?.page?.next_cursor));
  } while (pages.at(-1)!.page !== undefined);
  t.strictSame(pages.map(({ result }) => result.data.length), [50, 50, 20]);
  t.strictSame(pages.flatMap(({ result }) => result.data.map(({ connection_id }) => connection_id)),
    rows.map(({ id }) => id).sort());
});

t.test('one of them is found by a part of its label or name', async (t) => {
  const found = async (input: object) =>
    (await list(input)).result.data.map(({ name }) => name);
  t.strictSame(await found({ account: 'buyer-88@' }), ['customer-88']);
  t.strictSame(await found({ account: 'CUSTOMER-119' }), ['customer-119']);
  t.strictSame(await found({ account: 'buyer-88@', integration: 'gateway' }), []);
  t.strictSame(await found({ account: 'nobody' }), []);
  t.match(await invoke(client, LIST, { account: '' }), { status: 400 });
});

t.test('an action names the first hundred', async (t) => {
  const { data } = await client.expect(200, 'listActions', { query: { integration: 'shop' } });
  t.equal(data[0]!.connections.length, 100);
  const { connections } =
    await client.expect(200, 'getAction', { path: { action: 'shop.orders.list' } });
  t.strictSame(connections, data[0]!.connections);
});
