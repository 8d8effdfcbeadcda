/** POST /admin/workspaces */
import t from 'tap';
import { testServer } from '../support/server.ts';
import { completeRun, newSession } from '../support/runs.ts';

const { client } = await testServer(t);

t.test('a workspace keeps what it was given', async (t) => {
  const body = {
    name: 'Growth', model: 'rehearsal', instructions: 'Answer in French.',
    limits: { max_steps: 4, timeout_s: 60 },
  };
  const answer = await client.call('createWorkspace', { body });
  t.equal(answer.status, 201);
  t.match(answer.body, { id: /^wsp_/, object: 'workspace', ...body });
  if (answer.status !== 201) return;
  const { id } = answer.body;
  t.equal(answer.headers.get('location'), `/v1/admin/workspaces/${id}`);
  const path = { workspace_id: id };
  t.strictSame(await client.expect(200, 'getWorkspace', { path }), answer.body);
});

t.test('everything but the name may be left out', async (t) => {
  t.match(await client.expect(201, 'createWorkspace', { body: { name: 'Plain' } }),
    { name: 'Plain', model: null, instructions: null, limits: {} });
  t.match(await client.expect(201, 'createWorkspace',
    { body: { name: 'Nulls', model: null, instructions: null } }),
  { model: null, instructions: null });
});

t.test('with a key it is ready for use, and its own', async (t) => {
  const { id } = await client.expect(201, 'createWorkspace',
    { body: { name: 'Ready', limits: { max_steps: 1 } } });
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: id, name: 'first' } });
  const inside = client.as(api_key);
  const session_id = await newSession(inside);
  t.match(await completeRun(inside, session_id, '@rehearsal steps=2'),
    { error: { code: 'max_steps_exceeded' } }, 'its limits hold');
  t.match(await inside.expect(201, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } }),
  { result: { data: [{ integration: 'gatehouse' }, { integration: 'gateway' }] } });
  await client.expect(404, 'getSession', { path: { session_id } });
});

t.test('what is not valid is refused', async (t) => {
  const bad: [body: unknown, param: string][] = [
    [{}, '/name'], [{ name: '' }, '/name'], [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 'x', model: 'nobody/nothing' }, 'model'],
    [{ name: 'x', instructions: 'x'.repeat(32_769) }, '/instructions'],
    [{ name: 'x', limits: { max_steps: 0 } }, '/limits/max_steps'],
    [{ name: 'x', limits: { tokens: 1 } }, '/limits/tokens'], [{ name: 'x', id: 'x' }, '/id'],
  ];
  for (const [body, param] of bad) {
    t.match(await client.expect(400, 'createWorkspace', { body }),
      { code: 'invalid_request', param });
  }
  const body = { name: 'a\0', instructions: '\0' };
  t.match(await client.expect(201, 'createWorkspace', { body }),
    { name: 'a\uFFFD', instructions: '\uFFFD' }, 'text that cannot be stored is mended');
});

t.test('an api key opens nothing here', async (t) => {
  t.match(await client.expect(401, 'createWorkspace',
    { body: { name: 'x' }, token: client.api_key! }), { code: 'invalid_api_key' });
});
