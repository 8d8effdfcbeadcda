/** APIs that read by POST alone: the operator says so by a pattern, and it holds everywhere. */
import t from 'tap';
import type { Schemas } from '../support/client.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, eventsOf, newSession, OFFLINE } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, workspace_id } = server;
const store = await startPetStore(t);

const post = (operationId: string) => ({ post: { operationId,
  requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
  responses: { 200: { description: 'ok' } } } });
/** As Plaid has it, and Notion its search. */
const document = {
  openapi: '3.0.0', info: { title: 'Plaid', version: '1' },
  paths: {
    '/accounts/get': post('accountsGet'), '/transactions/get': post('transactionsGet'),
    '/accounts/balance/get': post('accountsBalanceGet'),
    '/item/remove': post('itemRemove'), '/transfer/create': post('transferCreate'),
    '/v1/search': post('post-search'),
  },
};
const pattern = 'plaid.*.get';
const call = (action: string) => ({ body: { action, input: { body: { a: 1 } } } });

/** What became of an agent's call: it has no grant. */
async function byAgent(action: string): Promise<string[]> {
  const session_id = await newSession(client);
  const { id } = await completeRun(
    client, session_id, `call ${action} {"body": {"a": 1}}`, OFFLINE);
  return (await eventsOf(client, id)).map(({ type }) => type)
    .filter((type) => /^tool_call\.(completed|failed)$/.test(type));
}

t.test('the import names the patterns that an operator may say', async (t) => {
  const made = await client.expect(201, 'createIntegration',
    { body: petIntegration(store, { slug: 'plaid', document }) });
  await connectPets(client, workspace_id, { integration: 'plaid' });
  t.equal(made.actions.read, 0);
  const [warning] = made.report.warnings;
  t.equal(warning, '4 with POST are called as if they only read, and need a grant all the same.'
    + " Where they do read, say so: --effect 'plaid.*.get=read' (2),"
    + " --effect 'POST /accounts/balance/get=read', --effect 'plaid.*.search=read'");
  await client.expect(403, 'createActionInvocation', call('plaid.accounts.get'));
  t.strictSame(await byAgent('plaid.accounts.get'), ['tool_call.failed']);
  t.strictSame(store.visits, []);
});

t.test('they are readings then: directly, for agents, and without a key of idempotency',
  async (t) => {
    const overrides = Object.fromEntries(
      [pattern, 'POST /accounts/balance/get', 'plaid.*.search']
        .map((key) => [key, { effect: 'read' }]));
    const made = await client.expect(200, 'updateIntegration', { path: { slug: 'plaid' },
      body: { overrides } as Schemas['UpdateIntegrationRequest'] });
    t.strictSame(made.report.warnings, []);
    t.match(made.report.patterns, [{ pattern, matches: 2 }, { matches: 1 }]);
    const { data } = await client.expect(200, 'listActions', { query: { integration: 'plaid' } });
    t.strictSame(Object.fromEntries(data.map(({ name, effect }) => [name, effect])), {
      'plaid.accounts.get': 'read', 'plaid.accounts.get_balance': 'read',
      'plaid.transactions.get': 'read', 'plaid.search.search': 'read',
      'plaid.transfer.create': 'write', 'plaid.item.remove': 'destructive' });
    const reads = data.filter(({ effect }) => effect === 'read');
    for (const { name } of reads) await client.expect(201, 'createActionInvocation', call(name));
    t.strictSame(await byAgent('plaid.accounts.get'), ['tool_call.completed']);
    t.equal(store.visits.length, reads.length + 1);
    t.ok(store.visits.every(({ method, headers }) =>
      method === 'POST' && headers['idempotency-key'] === undefined));
  });

t.test('grants and approvals meet them as readings', async () => {
  const { id } = await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'plaid.accounts.get', decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation', call('plaid.accounts.get'));
  await client.expect(204, 'deleteGrant', { path: { grant_id: id } });
  await client.expect(201, 'createActionInvocation', call('plaid.accounts.get'));
});
