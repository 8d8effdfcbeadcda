/** What is said of keys and tokens that are not there, not good, or about to be gone. */
import t from 'tap';
import { against, page } from './operator.ts';
import { json } from './support.ts';

t.test('the last admin token does not revoke itself by mistake', async (t) => {
  const token = (id: string, hint: string, status = 'active') => ({ id, name: id, hint, status,
    created_at: '2026-01-01T00:00:00Z', last_used_at: null, expires_at: null });
  let tokens = [token('adm_1', '…test'), token('adm_2', '…5678', 'revoked')];
  const { call, requests } = await against(t, ({ method }, response) =>
    method === 'GET' ? json(response, 200, page(...tokens)) : response.writeHead(204).end());
  const revoked = () => requests.some(({ method }) => method === 'DELETE');
  t.match(await call('admin-tokens', 'revoke', 'adm_1'), { code: 2, out: '',
    err: /^adm_1 is .* and the last one.* admin-tokens create.*GATEHOUSE_ADMIN_TOKEN\.\n$/ });
  t.notOk(revoked());
  t.match(await call('admin-tokens', 'revoke', 'adm_1', '--last'), { code: 0 });
  t.ok(revoked());
  tokens = [token('adm_1', '…test'), token('adm_3', '…9abc')];
  t.match(await call('admin-tokens', 'revoke', 'adm_1'), { code: 0 }, 'there is another');
  tokens = [token('adm_3', '…9abc')];
  t.match(await call('admin-tokens', 'revoke', 'adm_3'), { code: 0 },
    'it was another that asked: that of the configuration');
});
