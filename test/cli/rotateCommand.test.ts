/** `keys rotate-master` on a database, as an operator does it. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parseMasterKeys } from '../../src/gateway/vault/masterKeys.ts';
import { createSecrets } from '../../src/gateway/vault/secrets.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { testServer } from '../support/server.ts';
import { gatehouse } from './oneProcess.ts';

const PLACE = { table: 'connection_secrets', row: 'con_1', field: 'sealed' };
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

t.test('it refuses while a node runs that lacks the new key', async (t) => {
  const { url, sql } = await testDatabase(t);
  const cwd = t.testdir({});
  const [before, after] = [newKey('2026'), newKey('2027')];
  await createSecrets({ sql, keys: parseMasterKeys(before, 'test') })
    .seal('wsp_1', PLACE, { token: 't' });
  const master = async () => (await sql<{ master_key_id: string }[]>`
    select distinct master_key_id from workspace_keys`).map((row) => row.master_key_id);
  const rotate = () => gatehouse(['keys', 'rotate-master'],
    { cwd, env: { DATABASE_URL: url, GATEHOUSE_MASTER_KEYS: `${after},${before}` } });
  const both = `${before},${after}`;
  const start = (master_keys: string, role: 'api' | 'all') => testServer(t,
    { database: { url, sql }, config: { master_keys, role } });
  await start(both, 'all');
  // A key of the same name is not the same key.
  for (const keys of [before, `${before},${newKey('2027')}`]) {
    const { service } = await start(keys, 'api');
    t.match(await rotate(), { code: 1, out: '',
      err: /The master key 2027 is not known to process \d+ on \S+ \(api\)\. Start it anew/ });
    t.strictSame(await master(), ['2026'], 'nothing was changed');
    await service.stop();
  }
  const told = await sql<{ text: string }[]>`select row_to_json(n)::text as text from nodes n`;
  t.equal(told.length, 1, 'who stops is gone at once');
  for (const key of [before, after]) t.notMatch(told[0]!.text, key.split(':')[1]!);

  // A worker whose node could not tell of itself.
  await sql`insert into workers (id, host, lease_until)
    values ('wrk_silent', 'elsewhere', now() + interval '1 hour')`;
  t.match(await rotate(), { code: 1, err: /1 of the workers that live do not tell/ });
  await sql`delete from workers where id = 'wrk_silent'`;
  t.match(await rotate(), { code: 1, out: / sealed with 2027 now\.\n$/,
    err: /^Not every node seals with 2027: process \d+ on \S+ \(all\) may .* Restart them/ });
  t.strictSame(await master(), ['2027']);
});

t.test('a node that starts while it seals is told of, or does not start', async (t) => {
  const { url, sql } = await testDatabase(t);
  const cwd = t.testdir({});
  const [before, after] = [newKey('before'), newKey('after')];
  await createSecrets({ sql, keys: parseMasterKeys(before, 'test') })
    .seal('wsp_1', PLACE, { token: 't' });
  await sql`create table former as select * from workspace_keys`;
  const rotate = () => gatehouse(['keys', 'rotate-master'],
    { cwd, env: { DATABASE_URL: url, GATEHOUSE_MASTER_KEYS: `${after},${before}` } });

  // It tells of itself after the first look, and has read the data keys before they were sealed.
  await sql`create function appear() returns trigger language plpgsql as $$ begin
    insert into nodes values (gen_random_uuid(), 'late', 7, '{"before": "f"}', '{"role": "api"}',
      now() + interval '1 hour'); return new; end $$`;
  await sql`create trigger appears before update on workspace_keys
    for each row execute function appear()`;
  t.match(await rotate(), { code: 1, out: '',
    err: /sealed with after now, but a node .* key after is not known to process 7 on late/ });
  await sql`drop trigger appears on workspace_keys`;
  await sql`delete from nodes`;

  // It has checked its keys, and all is sealed before it tells of itself.
  await sql`create table sealed as select * from workspace_keys`;
  await sql`delete from workspace_keys`;
  await sql`insert into workspace_keys select * from former`;
  await sql`create function seal_all() returns trigger language plpgsql as $$ begin
    delete from workspace_keys; insert into workspace_keys select * from sealed; return new;
    end $$`;
  await sql`create trigger seals before insert on nodes
    for each row execute function seal_all()`;
  await t.rejects(testServer(t, { database: { url, sql }, config: { master_keys: before } }),
    { message: /sealed with the master key after, and .* has before alone/ });
  const left = await sql`select id from nodes`;
  t.equal(left.length, 0, 'who does not start is gone from the nodes');
});

t.test('what is in the way is said in a line, and nothing is made', async (t) => {
  const cwd = t.testdir({});
  const empty = await emptyDatabase(t);
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /There is no database in .*\.gatehouse\. Set GATEHOUSE_DATA_DIR, or DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /ECONNREFUSED/],
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
