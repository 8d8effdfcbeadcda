/** The file of the first credentials. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import {
  keepFirstProfile, profileOf, renewProfile, requireNoProfile,
} from '../../src/accounts/profile.ts';
import { createLog } from '../../src/log.ts';
import { testDatabase } from '../support/database.ts';

const log = createLog('silent');
const kept = { base_url: 'http://127.0.0.1:1/v1', api_key: 'gth_1' };
const elsewhere = 'http://127.0.0.1:2/v1';
const { sql } = await testDatabase(t);
const { api_key, admin_token } = await createFirstCredentials(sql);
const configOf = (data_dir: string, token: string | null = null) =>
  ({ data_dir, admin_token: token });

t.test('it is the owner\'s alone, and follows its service', async (t) => {
  const data_dir = join(t.testdir({}), 'data');
  const file = join(data_dir, 'credentials.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as typeof kept;
  t.equal(await profileOf(sql, configOf(data_dir)), null, 'there is none yet');
  await requireNoProfile(data_dir);
  const own = { base_url: kept.base_url, api_key, admin_token };
  await keepFirstProfile({ config: { data_dir }, log }, own);
  t.same(read(), own);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.strictSame(readdirSync(data_dir), ['credentials.json']);
  const profile = await profileOf(sql, configOf(data_dir));
  t.match(profile, { file });
  await renewProfile(profile!, elsewhere);
  t.same(read(), { ...own, base_url: elsewhere });
});

t.test('it is of a service that knows one of its secrets, and of no other', async (t) => {
  const isOwn = async (content: object, token: string | null = null) => {
    const data_dir = t.testdir({ 'credentials.json': JSON.stringify(content) });
    return await profileOf(sql, configOf(data_dir, token)) !== null;
  };
  t.ok(await isOwn({ api_key, admin_token: null }));
  t.ok(await isOwn({ api_key: 'gth_1', admin_token }));
  t.ok(await isOwn({ admin_token: 'of the configuration' }, 'of the configuration'));
  t.notOk(await isOwn(kept));
  t.notOk(await isOwn({ base_url: elsewhere }, 'of the configuration'));
});

t.test('what is of another service is never written over', async (t) => {
  const text = JSON.stringify(kept);
  const data_dir = t.testdir({ 'credentials.json': text });
  await t.rejects(requireNoProfile(data_dir), { message:
    /credentials\.json holds .* no embedded database .* set DATABASE_URL\. .* move \S+ away/s });
  await keepFirstProfile({ config: { data_dir }, log }, { base_url: elsewhere });
  const files = readdirSync(data_dir).sort();
  t.match(files, [/^credentials\.before-\d+\.json$/, 'credentials.json']);
  t.equal(readFileSync(join(data_dir, files[0]!), 'utf8'), text);
});

t.test('one that is damaged names no credentials, and is kept, too', async (t) => {
  for (const text of ['{"base_url":', 'null', '[]']) {
    const data_dir = t.testdir({ 'credentials.json': text });
    t.equal(await profileOf(sql, configOf(data_dir)), null, JSON.stringify(text));
    await t.rejects(requireNoProfile(data_dir));
  }
  const data_dir = t.testdir({ 'credentials.json': '' });
  t.equal(await profileOf(sql, configOf(data_dir)), null, 'left by a setup that was cut short');
  await requireNoProfile(data_dir);
});
