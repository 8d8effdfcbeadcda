/** `keys rotate-master` on a database, as an operator does it. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parseMasterKeys } from '../../src/gateway/vault/masterKeys.ts';
import { createSecrets } from '../../src/gateway/vault/secrets.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { gatehouse } from './support.ts';

const PLACE = { table: 'connection_secrets', connection_id: 'con_1', field: 'sealed' };
const newKey = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;

t.test('the data keys are sealed with the first master key, and open with it alone', async (t) => {
  const { url, sql } = await testDatabase(t);
  const cwd = t.testdir({});
  const [before, after] = [newKey('before'), newKey('after')];
  const secretsWith = (keys: string) => createSecrets({ sql, keys: parseMasterKeys(keys, 'test') });
  const sealed = await secretsWith(before).seal('wsp_1', PLACE, { token: 't' });
  await secretsWith(before).seal('wsp_2', PLACE, { token: 'u' });

  const rotate = (keys: string) => gatehouse(['keys', 'rotate-master'],
    { cwd, env: { DATABASE_URL: url, GATEHOUSE_MASTER_KEYS: keys } });
  t.match(await rotate(`${after},${before}`), { code: 0,
    out: '2 data keys are sealed with after now.\n', err: /^Nothing needs before any more, but / });
  t.strictSame(await secretsWith(after).open('wsp_1', PLACE, sealed), { token: 't' });
  const [entry] = await sql<{ event: string; target: string }[]>`
    select event, target from audit_entries`;
  t.strictSame({ ...entry }, { event: 'master_key.rotated', target: 'after' });

  t.match(await rotate(`${after},${before}`),
    { code: 0, out: 'Every data key is sealed with after already.\n',
      err: /^Nothing needs before/ });
  t.match(await rotate(before), { code: 1, out: '',
    err: /^The data keys could not be sealed anew: .* master key after, and .* has before alone/ });
  const [{ count }] = await sql<[{ count: string }]>`select count(*) from audit_entries`;
  t.equal(Number(count), 1, 'nothing is written down where nothing was done');

  await writeFile(join(cwd, 'keys'), `# both\n${newKey('third')}\n${after}\n`);
  t.match(await gatehouse(['keys', 'rotate-master', '--database-url', url],
    { cwd, env: { GATEHOUSE_MASTER_KEYS_FILE: join(cwd, 'keys') } }),
  { code: 0, out: '2 data keys are sealed with third now.\n' });
});

t.test('what is in the way is said in a line, and nothing is made', async (t) => {
  const cwd = t.testdir({});
  const empty = await emptyDatabase(t);
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /There is no database in .*\.gatehouse\. Set GATEHOUSE_DATA_DIR, or DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }, /ECONNREFUSED/],
    [{ DATABASE_URL: empty.url, GATEHOUSE_MASTER_KEYS: newKey('one') },
      /of another version\. Start/],
    [{ DATABASE_URL: empty.url, PORT: 'many' }, /^PORT is "many"/],
  ];
  for (const [env, message] of cases) {
    const { code, out, err } = await gatehouse(['keys', 'rotate-master'], { cwd, env });
    t.match({ code, out }, { code: 1, out: '' });
    t.match(err, message);
    t.equal(err.trimEnd().split('\n').length, 1, err);
  }
});
