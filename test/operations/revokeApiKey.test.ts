/** DELETE /admin/api_keys/{api_key_id} */
import t from 'tap';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const { client, workspace_id } = await testServer(t);
const create = () =>
  client.expect(201, 'createApiKey', { body: { workspace_id, name: 'to be revoked' } });
const revoke = (api_key_id: string) => client.call('revokeApiKey', { path: { api_key_id } });

t.test('a revoked key is refused, and stays in the list', async (t) => {
  const { id, api_key } = await create();
  const answer = await revoke(id);
  t.strictSame([answer.status, answer.body], [204, undefined]);
  t.match(await client.as(api_key).expect(401, 'listSessions'), { code: 'invalid_api_key' });
  const { data } = await client.expect(200, 'listApiKeys');
  const revoked = data.find((key) => key.id === id);
  t.match(revoked, { status: 'revoked', revoked_at: String });
  t.equal((await revoke(id)).status, 204, 'again is fine');
  const after = (await client.expect(200, 'listApiKeys')).data.find((key) => key.id === id);
  t.strictSame(after, revoked, 'and changes nothing');
  t.equal((await client.call('listSessions')).status, 200, 'the other keys go on');
});

t.test('one that was in use is refused within a second', async (t) => {
  const { id, api_key } = await create();
  const inside = client.as(api_key);
  t.equal((await inside.call('listSessions')).status, 200);
  await revoke(id);
  const revoked_ms = performance.now();
  let accepted_ms = 0;
  await untilSeen('a refusal', async () => {
    const asked_ms = performance.now() - revoked_ms;
    const { status } = await inside.call('listSessions');
    if (status === 200) accepted_ms = asked_ms;
    return status;
  }, (status) => status === 401);
  // When the request left, not when it was answered: a slow machine keeps that as well.
  t.ok(accepted_ms <= 1_000, `the last one that was accepted left after ${accepted_ms} ms`);
});

t.test('an unknown key', async (t) => {
  t.match(await client.expect(404, 'revokeApiKey', { path: { api_key_id: 'key_none' } }),
    { code: 'not_found', error: /No api key has the id "key_none"/ });
});
