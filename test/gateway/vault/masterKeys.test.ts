import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readConfig } from '../../../src/config.ts';
import { openMasterKeys, parseMasterKeys } from '../../../src/gateway/vault/masterKeys.ts';
import { createSecrets } from '../../../src/gateway/vault/secrets.ts';
import { createLog } from '../../../src/log.ts';
import type { Sql } from '../../../src/store/database.ts';
import { testDatabase } from '../../support/database.ts';
import { addWorkspaces } from './support.ts';

const log = createLog('silent');
const PLACE = { table: 'connection_secrets', row: 'con_1', field: 'credentials' };
const newKey = () => randomBytes(32).toString('base64');

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-keys-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

const open = (sql: Sql, environment: Record<string, string>) =>
  openMasterKeys({ config: readConfig(environment), sql, log });

t.test('keys are read in their order', async (t) => {
  const [a, b] = [randomBytes(32), randomBytes(32)];
  const keys = parseMasterKeys(
    ` 2026:${a.toString('base64')}, old_1:${b.toString('base64').replace('=', '')} `, 'x');
  t.strictSame(keys.map(({ id }) => id), ['2026', 'old_1']);
  t.ok(keys[0]!.key.export().equals(a));
  t.ok(keys[1]!.key.export().equals(b), 'padding does not matter');
  const file = `# a comment, with: a colon\na:${newKey()}\r\n\n  b:${newKey()}\n`;
  t.strictSame(parseMasterKeys(file, 'x').map(({ id }) => id), ['a', 'b']);
});

t.test('what is no key is refused, and not repeated', async (t) => {
  const good = newKey();
  const wrong: Record<string, [string, RegExp]> = {
    'no name': [good, /GATEHOUSE_MASTER_KEYS: entry 1 has no name/],
    'an odd name': [`my key:${good}`, /entry 1 has a name of other than/],
    'too short': [`a:${good},b:${randomBytes(16).toString('base64')}`, /entry 2 is not 32 bytes/],
    'too long': [`a:${randomBytes(33).toString('base64')}`, /entry 1 is not 32 bytes/],
    'no base64': [`a:${good.slice(0, 20)}!${good.slice(20)}`, /entry 1 is not 32 bytes/],
    'hexadecimal': [`a:${randomBytes(32).toString('hex')}`, /entry 1 is not 32 bytes/],
    'the same name twice': [`a:${good},a:${newKey()}`, /names two master keys alike/],
    'nothing': [' , ',
      /holds no master key\. Restore it .* nothing is stored.*openssl rand -base64 32/],
  };
  for (const [what, [text, message]] of Object.entries(wrong)) {
    let thrown: Error | undefined;
    try {
      parseMasterKeys(text, 'GATEHOUSE_MASTER_KEYS');
    } catch (error) {
      thrown = error as Error;
    }
    t.match(thrown?.message, message, what);
    t.notOk(thrown?.stack?.includes(good.slice(0, 20)), `${what}: the key is not shown`);
  }
});

t.test('they come from the environment or from a file, not from both', async (t) => {
  const { sql } = await testDatabase(t);
  const file = join(await folder(t), 'keys');
  await writeFile(file, `a:${newKey()}\n`);
  const one = await open(sql, { GATEHOUSE_MASTER_KEYS: `b:${newKey()}` });
  t.strictSame([one.keys.map(({ id }) => id), one.created_file], [['b'], null]);
  const other = await open(sql, { GATEHOUSE_MASTER_KEYS_FILE: file });
  t.strictSame([other.keys.map(({ id }) => id), other.created_file], [['a'], null]);
  await t.rejects(open(sql, {
    GATEHOUSE_MASTER_KEYS: `b:${newKey()}`, GATEHOUSE_MASTER_KEYS_FILE: file,
  }), /Both GATEHOUSE_MASTER_KEYS and GATEHOUSE_MASTER_KEYS_FILE are set/);
  await t.rejects(open(sql, { GATEHOUSE_MASTER_KEYS_FILE: `${file}.none` }),
    /GATEHOUSE_MASTER_KEYS_FILE cannot be read: ENOENT/);
});

t.test('without either, one is made beside the embedded database, once', async (t) => {
  const { sql } = await testDatabase(t);
  const data_dir = join(await folder(t), 'data');
  const environment = { GATEHOUSE_DATA_DIR: data_dir };
  const all = await Promise.all(Array.from({ length: 8 }, () => open(sql, environment)));
  const file = join(data_dir, 'master.key');
  t.strictSame(all.map(({ created_file }) => created_file).filter((made) => made !== null), [file],
    'one of those that start together makes it');
  t.strictSame(await readdir(data_dir), ['master.key'], 'nothing else is left');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.match(await readFile(file, 'utf8'), /^# .*[Kk]eep a copy.*\nlocal-[0-9a-f]{8}:[^\n]{44}\n$/);
  const used = all.map(({ keys }) => keys.map(({ key }) => key.export().toString('base64')));
  t.equal(new Set(used.flat()).size, 1, 'all of them have the same');
  t.equal((await open(sql, environment)).created_file, null, 'the next start finds it');
});

t.test('a master key that is gone is not made anew', async (t) => {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  const data_dir = await folder(t);
  const environment = { GATEHOUSE_DATA_DIR: data_dir };
  const { keys } = await open(sql, environment);
  await createSecrets({ sql, keys }).seal('wsp_1', PLACE, {});
  await open(sql, environment);
  for (const damaged of ['garbage\n', '', 'local:short']) {
    await writeFile(join(data_dir, 'master.key'), damaged);
    await t.rejects(open(sql, environment), { message: new RegExp('master\\.key.* Restore it from'
      + ` its copy: .* sealed with the master key ${keys[0]!.id}, and [^.]*\\.$`) },
    'nothing of a new key, with which they would be lost');
  }
  await rm(join(data_dir, 'master.key'));
  await t.rejects(open(sql, environment),
    new RegExp(`master.key is missing.*master key ${keys[0]!.id}.*Restore the file`));
  t.strictSame(await readdir(data_dir), []);
});

t.test('a start with keys that are not those of the database is refused', async (t) => {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  const right = newKey();
  const { keys } = await open(sql, { GATEHOUSE_MASTER_KEYS: `a:${right}` });
  await createSecrets({ sql, keys }).seal('wsp_1', PLACE, {});

  await t.rejects(open(sql, { GATEHOUSE_MASTER_KEYS: `a:${newKey()}` }),
    /master key a of GATEHOUSE_MASTER_KEYS is not the one that .* Restore the right one/);
  await t.rejects(open(sql, { GATEHOUSE_MASTER_KEYS: `b:${newKey()},c:${newKey()}` }),
    /sealed with the master key a, and GATEHOUSE_MASTER_KEYS has b, c alone\. Add it again/);
  await t.rejects(open(sql, { DATABASE_URL: 'postgres://localhost/x' }),
    /sealed with the master key a, and GATEHOUSE_MASTER_KEYS is not set/);
  await open(sql, { GATEHOUSE_MASTER_KEYS: `b:${newKey()},a:${right}` });
});

t.test('a database of one\'s own needs a master key for the first secret', async (t) => {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  const opened = await open(sql, { DATABASE_URL: 'postgres://localhost/x' });
  t.strictSame(opened, { keys: [], created_file: null });
  await t.rejects(createSecrets({ sql, keys: opened.keys }).seal('wsp_1', PLACE, {}), {
    code: 'unavailable', message: /has no master key. Make one by `openssl rand -base64 32`/ });
});
