import t from 'tap';
import { addApiKey, createFirstCredentials } from '../../src/accounts/accounts.ts';
import { addAdminToken } from '../../src/accounts/adminTokens.ts';
import { Authenticator } from '../../src/accounts/authenticator.ts';
import { newToken } from '../../src/accounts/token.ts';
import type { Author } from '../../src/audit/audit.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { revokeAdminTokenRow } from '../../src/store/adminTokens.ts';
import { revokeApiKeyRow } from '../../src/store/apiKeys.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { testDatabase } from '../support/database.ts';

const { sql } = await testDatabase(t);
const log = createLog('silent');
const operator_token = 'x'.repeat(40);
const config = readConfig({}, { admin_token: operator_token });
const first = await createFirstCredentials(sql);
const by: Author = { actor: { type: 'system', id: null } };
const invalid = { code: 'invalid_api_key' };

t.test('a key opens its workspace', async (t) => {
  const credentials = new Authenticator(sql, config, log);
  const caller = await credentials.authenticate(first.api_key);
  t.equal(caller.workspace_id, first.workspace_id);
  await t.rejects(credentials.authenticate(newToken('gth')), invalid, 'unknown');
  await t.rejects(credentials.authenticate('gth_mistyped'), invalid, 'mistyped');
  await t.rejects(credentials.authenticate(first.admin_token), invalid, 'not a key');
});

t.test('a malformed key is refused without asking the database', async (t) => {
  const nowhere = connect('postgres://localhost:1/none', { max: 1 });
  const credentials = new Authenticator(nowhere, config, log);
  await t.rejects(credentials.authenticate(`${first.api_key.slice(0, -1)}!`), invalid);
  await t.rejects(credentials.authenticate(first.api_key), { code: 'ECONNREFUSED' },
    'a database that is away is not a wrong key');
  await nowhere.end();
});

t.test('admin tokens: of the database and of the operator', async (t) => {
  const credentials = new Authenticator(sql, config, log);
  await credentials.authenticateAdmin(first.admin_token);
  await credentials.authenticateAdmin(operator_token);
  await t.rejects(credentials.authenticateAdmin(first.api_key),
    { ...invalid, message: /it is an api key, and those do not open/ });
  await t.rejects(credentials.authenticate(newToken('gta')),
    { ...invalid, message: /it is an admin token/ });
  await t.rejects(credentials.authenticateAdmin(newToken('gta')),
    { ...invalid, message: /^(?!.*api key).*revoked or expired; .* as GATEHOUSE_ADMIN_TOKEN\.$/ });
  const closed = new Authenticator(sql, readConfig({}), log);
  await t.rejects(closed.authenticateAdmin(operator_token), invalid, 'not configured there');
});

t.test('a look-up is announced for what has not been valid here, and may be refused', async (t) => {
  let now_ms = 0;
  const { workspace_id } = first;
  const key = await addApiKey(sql, { workspace_id, name: 'known' }, by);
  const credentials = new Authenticator(sql, config, log, () => now_ms);
  const refuse = () => { throw new Error('too many'); };
  await t.rejects(credentials.authenticate(key.api_key, refuse), { message: 'too many' });
  await t.rejects(credentials.authenticateAdmin(first.admin_token, refuse),
    { message: 'too many' });
  for (const token of [operator_token, 'y'.repeat(40)]) {
    await t.rejects(credentials.authenticateAdmin(token, refuse), { message: 'too many' });
  }
  await t.rejects(new Authenticator(sql, readConfig({}), log).authenticateAdmin('gta_mistyped',
    refuse), invalid, 'there is nothing to compare it with');
  await t.rejects(credentials.authenticate('gth_mistyped', refuse), invalid, 'it is not looked up');
  await credentials.authenticate(key.api_key);
  await credentials.authenticateAdmin(first.admin_token);
  await credentials.authenticateAdmin(operator_token);
  now_ms += 3_600_000; // long after it was trusted unasked
  await credentials.authenticate(key.api_key, refuse);
  await credentials.authenticateAdmin(first.admin_token, refuse);
  await credentials.authenticateAdmin(operator_token, refuse);
  await revokeApiKeyRow(sql, key.id);
  now_ms += 3_600_000;
  await t.rejects(credentials.authenticate(key.api_key, refuse), invalid, 'looked up once more');
  await t.rejects(credentials.authenticate(key.api_key, refuse), { message: 'too many' });
});

t.test('all who come with the same key at once share one look-up, announced once', async (t) => {
  const credentials = new Authenticator(sql, config, log);
  let guesses = 0;
  const guess = () => {
    guesses += 1;
    if (guesses > 1) throw new Error('too many');
  };
  const together = (token: string) => Promise.allSettled(
    [1, 2, 3].map(() => credentials.authenticate(token, guess)));
  t.match(await together(first.api_key), Array(3).fill({ status: 'fulfilled' }));
  guesses = 0;
  t.match(await together(newToken('gth')),
    Array(3).fill({ status: 'rejected', reason: invalid }), 'and each of them is told');
});

t.test('a key is not trusted for longer than it is good', async (t) => {
  let now_ms = 0;
  const key = await addApiKey(sql, { workspace_id: first.workspace_id, name: 'brief' }, by);
  // In a transaction the time of the database stands still.
  await sql.begin(async (tx) => {
    const credentials = new Authenticator(tx as unknown as Sql, config, log, () => now_ms);
    const expire = (interval: string) => tx`
      update api_keys set expires_at = now() + ${interval}::interval where id = ${key.id}`;
    await expire('300 milliseconds');
    await credentials.authenticate(key.api_key);
    await expire('0');
    now_ms += 299;
    await credentials.authenticate(key.api_key);
    now_ms += 1;
    await t.rejects(credentials.authenticate(key.api_key), invalid);
  });
});

t.test('a revoked or expired key is refused, and its open streams end', async (t) => {
  const { workspace_id } = first;
  const key = await addApiKey(sql, { workspace_id, name: 'doomed' }, by);
  const credentials = new Authenticator(sql, config, log);
  const caller = await credentials.authenticate(key.api_key);
  const stream = credentials.whileValid(caller);
  const other = credentials.whileValid(await credentials.authenticate(first.api_key));
  t.match(await revokeApiKeyRow(sql, key.id), { id: key.id, newly: true });
  t.match(await revokeApiKeyRow(sql, key.id), { newly: false }, 'twice is fine');
  t.equal(await revokeApiKeyRow(sql, 'key_unknown'), undefined);
  await credentials.review();
  t.ok(stream.signal.aborted);
  t.notOk(other.signal.aborted);
  stream.release();
  other.release();
  await t.rejects(new Authenticator(sql, config, log).authenticate(key.api_key), invalid);

  const expiring = await addApiKey(sql, {
    workspace_id, name: 'short', expires_at: new Date(Date.now() + 60_000).toISOString() }, by);
  await sql`update api_keys set expires_at = now() where id = ${expiring.id}`;
  await t.rejects(credentials.authenticate(expiring.api_key), invalid);
  await t.rejects(addApiKey(sql, { workspace_id: 'wsp_no', name: 'x' }, by),
    { code: 'not_found' });
});

t.test('the trust in a key lasts less than a second', async (t) => {
  let now_ms = 0;
  const key = await addApiKey(sql, { workspace_id: first.workspace_id, name: 'brief' }, by);
  const credentials = new Authenticator(sql, config, log, () => now_ms);
  await credentials.authenticate(key.api_key);
  await revokeApiKeyRow(sql, key.id);
  await credentials.authenticate(key.api_key);
  now_ms += 1_000;
  await t.rejects(credentials.authenticate(key.api_key), invalid);
});

t.test('uses are noted, and only hashes are stored', async (t) => {
  const key = await addApiKey(sql, { workspace_id: first.workspace_id, name: 'used' }, by);
  const credentials = new Authenticator(sql, config, log);
  await credentials.authenticate(key.api_key);
  await credentials.close();
  const [row] = await sql`select * from api_keys where id = ${key.id}`;
  t.ok(row!.last_used_at);
  t.notOk(JSON.stringify(row).includes(key.api_key));
});

t.test('what was used and then revoked was used, and not after that', async (t) => {
  const key = await addApiKey(sql, { workspace_id: first.workspace_id, name: 'leaked' }, by);
  const { id, admin_token } = await addAdminToken(sql, { name: 'leaked' }, by);
  const credentials = new Authenticator(sql, config, log);
  await credentials.authenticate(key.api_key);
  await credentials.authenticateAdmin(admin_token);
  await revokeApiKeyRow(sql, key.id);
  await revokeAdminTokenRow(sql, id);
  await credentials.close();
  const rows = await sql`
    select last_used_at = revoked_at as noted from api_keys where id = ${key.id}
    union all select last_used_at = revoked_at from admin_tokens where id = ${id}`;
  t.strictSame(rows.map(({ noted }) => noted), [true, true]);
});
