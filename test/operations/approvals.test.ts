/** /admin/approvals: calls that somebody has to approve first. */
import t from 'tap';
import type { Schemas } from '../support/client.ts';
import { readPage, readPages } from '../support/pages.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { nextMillisecond } from '../support/until.ts';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
await client.expect(201, 'createIntegration', { body: petIntegration(store) });
const connection = await connectPets(client, workspace_id);
await client.expect(201, 'createGrant',
  { body: { workspace_id, actions: 'pets.*', decision: 'require_approval' } });
const session_id = await newSession(client);

/** Has an agent add a pet of this name; its call, as the run tells of it. */
async function addPet(name: string) {
  const run = await completeRun(client, session_id,
    `call pets.pets.create {"body": {"name": "${name}"}}`);
  return { run_id: run.id, ...run.tool_calls[0]! };
}

const decide = (approval_id: string, body: object) =>
  client.call('decideApproval', { path: { approval_id }, body });
const get = (approval_id: string) =>
  client.expect(200, 'getApproval', { path: { approval_id } });
const newest = async (): Promise<Schemas['Approval']> =>
  (await client.expect(200, 'listApprovals', { query: { limit: 1 } })).data[0]!;
/** How often a pet was really added. */
const added = () => store.visits.filter(({ method }) => method === 'POST').length;

t.test('a call asks for an approval, once', async (t) => {
  const { run_id, error } = await addPet('Rex');
  t.equal(error?.code, 'approval_required');
  const approval = await newest();
  t.match(approval, {
    id: /^apr_/, object: 'approval', workspace_id, run_id, action: 'pets.pets.create',
    effect: 'write', connection_id: connection.id, connection_name: 'pets', account_label: null,
    input: { body: { name: 'Rex' } },
    status: 'pending', reason: null, decided_at: null, api_key_id: /^key_/ });
  t.equal(Date.parse(approval.expires_at) - Date.parse(approval.created_at), 86_400_000);
  const { action_title, request, ...found } = await get(approval.id);
  t.strictSame(found, approval);
  t.equal(action_title, 'Add a pet');
  t.match(request, { type: 'http', method: 'POST', url: `${store.url}/pets` });
  t.match((await addPet('Rex')).error?.code, 'approval_required');
  t.equal((await newest()).id, approval.id, 'the same call asks for the same approval');
  t.equal(added(), 0);
});

t.test('approved, exactly this call goes through, once', async (t) => {
  const { id } = await newest();
  t.match(await decide(id, { decision: 'approve', reason: 'a good name\0' }), { status: 200,
    body: { id, status: 'approved', reason: 'a good name\uFFFD', decided_at: String } });
  t.match((await addPet('Max')).error?.code, 'approval_required', 'another input is another call');
  t.equal((await addPet('Rex')).error ?? null, null);
  t.equal(added(), 1);
  t.match(await get(id), { status: 'used' });
  t.match((await addPet('Rex')).error?.code, 'approval_required', 'it was used up');
  t.not((await newest()).id, id);
  t.equal(added(), 1);
});

t.test('of two calls at once, one goes through', async (t) => {
  const path = { path: { pet_id: '7' } };
  const call = () => client.call('createActionInvocation',
    { body: { action: 'pets.pets.get', input: path } });
  const answers = await Promise.all([call(), call()]);
  t.strictSame(answers.map(({ status }) => status), [403, 403]);
  const { ids } = await readPage(client, 'listApprovals', { status: 'pending' });
  const { id, run_id } = await newest();
  t.equal(run_id, null, 'an application asked for it');
  t.equal(ids.filter((one) => one === id).length, 1);
  await decide(id, { decision: 'approve' });
  const statuses = (await Promise.all([call(), call()])).map(({ status }) => status);
  t.strictSame(statuses.sort(), [201, 403]);
});

t.test('denied, the agent is told why, and is not to ask again', async (t) => {
  await addPet('Tom');
  const { id } = await newest();
  t.match(await decide(id, { decision: 'deny', reason: 'Tom is a cat.' }),
    { status: 200, body: { status: 'denied', reason: 'Tom is a cat.' } });
  const { error } = await addPet('Tom');
  t.match(error, { code: 'approval_required', message: /was denied \(Tom is a cat\.\)/ });
  t.equal((await newest()).id, id, 'no other approval is asked for');
});

t.test('what is decided stays so', async (t) => {
  await addPet('Kim');
  const { id } = await newest();
  const first = await decide(id, { decision: 'approve' });
  const again = await decide(id, { decision: 'approve', reason: 'twice' });
  t.strictSame([again.status, again.body], [200, first.body], 'the same again is fine');
  t.match(await decide(id, { decision: 'deny' }), { status: 409,
    body: { code: 'approval_decided', param: 'approval_id', error: /is approved/ } });
  await addPet('Kim');
  for (const decision of ['approve', 'deny']) {
    t.match(await decide(id, { decision }),
      { status: 409, body: { code: 'approval_decided', error: /is used/ } });
  }
  const { data } = await client.expect(200, 'listAuditEntries', { query: { target: id } });
  t.match(data, [{ event: 'approval.approved', workspace_id,
    details: { action: 'pets.pets.create' } }], 'and is told of once');
  t.equal(data.length, 1);
  await addPet('Joy');
  const joy = (await newest()).id;
  const both = await Promise.all(['approve', 'deny'].map((decision) => decide(joy, { decision })));
  t.strictSame(both.map(({ status }) => status).sort(), [200, 409], 'of two at once, one decides');
});

t.test('one that nobody used in time is over', async (t) => {
  await addPet('Ben');
  const { id } = await newest();
  const expire = () => sql`
    update approvals set expires_at = now() - interval '1 second' where id = ${id}`;
  await decide(id, { decision: 'approve' });
  await expire();
  t.match(await get(id), { status: 'expired' });
  t.match(await decide(id, { decision: 'approve' }),
    { status: 409, body: { code: 'approval_decided', error: /is expired/ } });
  t.equal((await addPet('Ben')).error?.code, 'approval_required');
  t.not((await newest()).id, id, 'it is asked for again');
  t.match((await readPage(client, 'listApprovals', { status: 'expired' })).ids, [id]);
});

t.test('what is not there, or not valid', async (t) => {
  const path = { approval_id: 'apr_none' };
  for (const answer of [await client.call('getApproval', { path }),
    await decide('apr_none', { decision: 'approve' })]) {
    t.match(answer, { status: 404, body: { code: 'not_found', error: /No approval/ } });
  }
  const { id } = await newest();
  for (const [body, param] of [[{}, '/decision'], [{ decision: 'approved' }, '/decision'],
    [{ decision: 'deny', reason: 'x'.repeat(1_001) }, '/reason']] as const) {
    t.match(await decide(id, body), { status: 400, body: { code: 'invalid_request', param } });
  }
  t.match(await get(id), { status: 'pending' });
});

t.test('pages and filters', async (t) => {
  const stranger = await otherWorkspace(server);
  await sql`delete from approvals`;
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    await nextMillisecond();
    await addPet(name);
    ids.push((await newest()).id);
  }
  await decide(ids[1]!, { decision: 'deny' });
  const pages = (query: object) => readPages(client, 'listApprovals', { limit: 2, ...query });
  t.strictSame(await pages({}), [[ids[2], ids[1]], [ids[0]]]);
  t.strictSame(await pages({ order: 'asc' }), [[ids[0], ids[1]], [ids[2]]]);
  t.strictSame(await pages({ status: 'pending' }), [[ids[2], ids[0]]]);
  t.strictSame(await pages({ status: 'denied', workspace_id }), [[ids[1]]]);
  t.strictSame(await pages({ status: 'approved' }), [[]]);
  const { data } = await client.expect(200, 'listApiKeys');
  const other = data.find((key) => key.workspace_id !== workspace_id)!.workspace_id;
  t.strictSame(await pages({ workspace_id: other }), [[]]);
  t.match(await client.expect(400, 'listApprovals', { query: { cursor: 'garbage' } }),
    { code: 'invalid_cursor' });
  t.match(await stranger.expect(401, 'listApprovals', { token: stranger.api_key! }),
    { code: 'invalid_api_key' });
});

t.test('one for a connection that is removed is over', async (t) => {
  const { id: connection_id } = await connectPets(client, workspace_id);
  const call = `call pets.pets.create {"body": {"name": "Tim"}} connection_id=${connection_id}`;
  await completeRun(client, session_id, call);
  const { id } = await newest();
  await client.expect(204, 'deleteConnection', { path: { connection_id } });
  t.match(await get(id), { connection_id, status: 'expired', reason: 'account_changed' });
  t.match(await decide(id, { decision: 'approve' }),
    { status: 409, body: { code: 'approval_decided' } });
});
