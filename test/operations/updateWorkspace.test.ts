/** PATCH /admin/workspaces/{workspace_id} */
import t from 'tap';
import { testServer } from '../support/server.ts';
import { completeRun, endlessRun, newSession, queueRun, untilEvent } from '../support/runs.ts';

const { client, workspace_id } = await testServer(t);
const update = (body: unknown) =>
  client.call('updateWorkspace', { path: { workspace_id }, body });

t.test('what is given changes, the rest stays', async (t) => {
  const path = { workspace_id };
  const before = await client.expect(200, 'getWorkspace', { path });
  const named = await client.expect(200, 'updateWorkspace', { path, body: { name: 'Renamed' } });
  t.strictSame({ ...named, updated_at: null }, { ...before, name: 'Renamed', updated_at: null });
  t.ok(named.updated_at >= before.updated_at);
  const change = { instructions: 'Be brief.\0', model: 'rehearsal', limits: { max_steps: 2 } };
  t.match(await update(change), { status: 200,
    body: { ...change, name: 'Renamed', instructions: 'Be brief.\uFFFD' } });
  const reset = { instructions: null, model: null, limits: {} };
  t.match(await update(reset), { status: 200, body: { name: 'Renamed', ...reset } });
});

t.test('defaults hold for runs created from then on', async (t) => {
  const session_id = await newSession(client);
  const blocker = await endlessRun(client, session_id);
  const queued = await queueRun(client, session_id, '@rehearsal steps=3');
  await update({ limits: { max_steps: 2 } });
  const later = completeRun(client, session_id, '@rehearsal steps=3');
  await client.expect(200, 'cancelRun', { path: { run_id: blocker.id } });
  t.ok(await untilEvent(client, queued.id, 'run.completed'));
  t.match(await later, { status: 'failed', error: { code: 'max_steps_exceeded' } });
});

t.test('what is not valid is refused', async (t) => {
  const bad: [body: unknown, param: string | null][] = [
    [{}, null], [{ name: '' }, '/name'], [{ model: 'nobody/nothing' }, 'model'],
    [{ limits: { timeout_s: 86_401 } }, '/limits/timeout_s'], [{ id: 'x' }, '/id'],
  ];
  for (const [body, param] of bad) {
    t.match(await update(body), { status: 400, body: { code: 'invalid_request', param } });
  }
});

t.test('null for a limit is refused with how one is taken back', async (t) => {
  await update({ limits: { max_steps: 3, timeout_s: 60 } });
  t.match(await update({ limits: { max_steps: null, timeout_s: 60 } }), { status: 400, body: {
    param: '/limits/max_steps', error: 'The body is not valid: /limits/max_steps must be integer;'
      + ' to take a limit back, leave it out of limits, and give the others as they are.' } });
  t.strictSame((await client.expect(200, 'updateWorkspace', { path: { workspace_id },
    body: { limits: { timeout_s: 60 } } })).limits, { timeout_s: 60 });
});

t.test('an unknown workspace', async (t) => {
  t.match(await client.expect(404, 'updateWorkspace',
    { path: { workspace_id: 'wsp_none' }, body: { name: 'x' } }), { code: 'not_found' });
});
