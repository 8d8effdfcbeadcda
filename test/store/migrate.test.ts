import { mkdirSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { connect, type Sql } from '../../src/store/database.ts';
import { createLog } from '../../src/log.ts';
import { FUNCTIONS } from '../../src/store/functions.ts';
import {
  isUpToDate, LATEST_VERSION, migrate, MIGRATIONS, readMigrations, schemaVersion, type Schema,
} from '../../src/store/migrate.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { untilSeen } from '../support/until.ts';

/** The table that functions are recorded in is there from the first one on. */
const [TABLE] = MIGRATIONS.flatMap(({ sql }) =>
  /create table schema_functions [^;]*;/.exec(sql) ?? []);

function migrations(...sqls: string[]): Schema {
  return { functions: [], migrations: sqls.map((sql, i) => ({
    version: i + 1, name: `step-${i + 1}`, sql: i === 0 ? TABLE + sql : sql,
    sha256: createHash('sha256').update(sql).digest('hex'),
  })) };
}

t.test('an empty database gets the whole schema, once', async (t) => {
  const { sql } = await emptyDatabase(t);
  t.equal(await schemaVersion(sql), 0);
  t.notOk(await isUpToDate(sql));
  const all = MIGRATIONS.map(({ version }) => version);
  const functions = FUNCTIONS.map(({ name }) => name);
  t.same(await migrate(sql), { applied: all, functions });
  t.equal(await schemaVersion(sql), LATEST_VERSION);
  t.same(await migrate(sql), { applied: [], functions: [] });
  const rows = await sql`select version, name, sha256 from schema_migrations order by version`;
  t.same([...rows], MIGRATIONS.map(({ version, name, sha256 }) => ({ version, name, sha256 })));
});

t.test('test databases are clones with the current schema', async (t) => {
  const one = await testDatabase(t);
  const other = await testDatabase(t);
  t.equal(await schemaVersion(one.sql), LATEST_VERSION);
  await one.sql`insert into workspaces (id, name) values ('wsp_1', 'one')`;
  t.equal((await other.sql`select from workspaces`).length, 0);
});

t.test('processes that start together apply each migration once', async (t) => {
  const { url } = await emptyDatabase(t);
  const nodes = Array.from({ length: 5 }, () => connect(url, { max: 2 }));
  t.teardown(() => Promise.all(nodes.map((node) => node.end())));
  const versions = await Promise.all(nodes.map(async (node) => {
    const { applied } = await migrate(node);
    return { applied, version: await schemaVersion(node) };
  }));
  t.same(versions.flatMap(({ applied }) => applied).sort((a, b) => a - b),
    MIGRATIONS.map(({ version }) => version));
  t.ok(versions.every(({ version }) => version === LATEST_VERSION));
});

t.test('a failing migration leaves nothing behind, and those before it stay', async (t) => {
  const { sql } = await emptyDatabase(t);
  const broken = migrations('create table a (id int)', 'create table b (id int); select 1/0');
  await t.rejects(migrate(sql, undefined, broken),
    { message: /migration 0002-step-2 failed and was rolled back: division by zero/ });
  t.equal(await schemaVersion(sql), 1);
  t.equal((await sql`select to_regclass('b') as b`)[0]!.b, null);
  const mended = migrations('create table a (id int)', 'create table b (id int)');
  t.same(await migrate(sql, undefined, mended), { applied: [2], functions: [] });
});

t.test('an index is built while others write, by one of those that start together', async (t) => {
  const { sql, url } = await emptyDatabase(t);
  const schema = migrations(
    'create table a (id int); create index a_at_first on a (id)', `-- concurrently
-- A comment; with what separates statements.
create index concurrently if not exists a_by_id on a (id);
create index concurrently if not exists a_by_both on a (
  (id + 1), id);
drop index concurrently if exists a_at_first;
`, 'create table b (id int)');
  await migrate(sql, undefined, { ...schema, migrations: schema.migrations.slice(0, 1) });
  const nodes = Array.from({ length: 3 }, () => connect(url, { max: 2 }));
  t.teardown(() => Promise.all(nodes.map((node) => node.end())));
  const logged: string[] = [];
  const log = createLog('info', { destination: { write: (line) => void logged.push(line) } });
  let all: Promise<{ applied: number[] }[]> | undefined;
  await sql.begin(async (tx) => {
    await tx`insert into a values (1)`;
    all = Promise.all(nodes.map((node) => migrate(node, log, schema)));
    await untilSeen('a build that waits for who has written', async () => (await sql`
      select from pg_stat_progress_create_index where datname = current_database()`).length > 0);
    await sql`insert into a values (2)`;
  }, { limit_ms: 60_000 });
  t.same((await all!).flatMap(({ applied }) => applied), [2, 3]);
  t.ok(logged.filter((line) => line.includes('another process migrates')).length <= 4,
    'each of the others says it once for a migration');
  t.same(await indexes(sql), [['a_by_both', true], ['a_by_id', true]]);
  const [settings] = await nodes[0]!`
    select current_setting('statement_timeout') <> '0' as limited`;
  t.same(settings, { limited: true }, 'nobody gets a connection without limits afterwards');
});

t.test('what an interrupted build has left is built again', async (t) => {
  const { sql } = await emptyDatabase(t);
  const schema = migrations('create table a (id int); insert into a values (1), (1)',
    '-- concurrently\ncreate unique index concurrently if not exists a_by_id on a (id);\n');
  await t.rejects(migrate(sql, undefined, schema),
    { message: /0002-step-2 failed; what it has built stays, and the next start goes on/ });
  t.same(await indexes(sql), [['a_by_id', false]]);
  t.equal(await schemaVersion(sql), 1);
  await sql`delete from a`;
  t.match(await migrate(sql, undefined, schema), { applied: [2] });
  t.same(await indexes(sql), [['a_by_id', true]]);
  await t.rejects(migrate(sql, undefined, migrations('create table a (id int); insert into a'
    + ' values (1), (1)', schema.migrations[1]!.sql, '-- concurrently\ndrop table a;\n')),
    { message: /may hold nothing but "create index concurrently/ });
});

/** The indexes of the table `a`, and whether they are valid. */
async function indexes(sql: Sql): Promise<[string, boolean][]> {
  const rows = await sql<{ name: string; valid: boolean }[]>`
    select indexrelid::regclass::text as name, indisvalid as valid
    from pg_index where indrelid = 'a'::regclass order by 1`;
  return rows.map(({ name, valid }) => [name, valid]);
}

t.test('a search_path that leads nowhere is told as such', async (t) => {
  const { sql, url } = await emptyDatabase(t);
  await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set search_path = nowhere`);
  const one = connect(url, { max: 1 });
  t.teardown(() => one.end());
  await t.rejects(migrate(one), { message: /search_path of .* leads to no schema/ });
});

t.test('where the tables are elsewhere, none are made in the first schema', async (t) => {
  const { sql, url } = await emptyDatabase(t);
  const database = new URL(url).pathname.slice(1);
  await migrate(sql);
  await sql`create schema "of-role"`;
  await sql.unsafe(`alter database ${database} set search_path = "of-role", public`);
  const one = connect(url, { max: 1 });
  t.teardown(() => one.end());
  await t.rejects(migrate(one), { message: new RegExp('The tables are in the schema public, .* to'
    + ' "of-role" before.* drop schema "of-role"; .* set search_path = public;') });
  t.same([...await sql`select 1 from pg_class where relnamespace = '"of-role"'::regnamespace`], []);
  await sql`drop table schema_functions cascade`;
  t.equal((await migrate(one)).applied[0], 1, 'those of another program are not looked at');
});

t.test('the table of another program that has its name is told as such', async (t) => {
  const { sql, url } = await emptyDatabase(t);
  // As Rails, Ecto, dbmate and golang-migrate have it.
  await sql`create table schema_migrations (version varchar primary key)`;
  await sql`insert into schema_migrations values ('20261121034158')`;
  const words = await migrate(sql).then(() => '', (error: Error) => error.message);
  t.match(words, /^The schema public has a table schema_migrations of another program\. /);
  const role = `own_${process.pid}`; // roles are those of all tests
  const [, advice] = /: (create role .*;) and name that role/.exec(words)!;
  await sql.unsafe(advice!.replace('create role gatehouse', `create role ${role}`)
    .replace('authorization gatehouse', `authorization ${role}`)
    .replace('alter role gatehouse', `alter role ${role}`));
  t.teardown(async () => {
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  });
  const own = new URL(url);
  [own.username, own.password] = [role, encodeURIComponent('…')];
  const one = connect(own.href, { max: 1 });
  t.teardown(() => one.end());
  await migrate(one);
  t.same([...await sql`select version from public.schema_migrations`],
    [{ version: '20261121034158' }]);
});

t.test('a schema of any name holds the tables and the functions', async (t) => {
  const { sql, url } = await emptyDatabase(t);
  const schema = '"Gate.House; x"';
  await sql.unsafe(`create schema ${schema}`);
  await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set search_path = ${schema}`);
  const one = connect(url, { max: 1 });
  t.teardown(() => one.end());
  await migrate(one);
  t.equal(await isUpToDate(one), true);
});

t.test('a newer schema is refused, unchanged', async (t) => {
  const { sql } = await emptyDatabase(t);
  await migrate(sql, undefined, migrations('select 1', 'select 2', 'select 3'));
  await t.rejects(migrate(sql, undefined, migrations('select 1', 'select 2')),
    { message: /the database has schema 3, and this version of gatehouse knows 2/ });
  t.equal(await schemaVersion(sql), 3);
});

t.test('a database from before the first release is told from a newer one', async (t) => {
  const { sql } = await emptyDatabase(t);
  const { migrations: [first, ...others], functions } = migrations('select 1', 'select 2');
  await migrate(sql, undefined,
    { functions, migrations: [{ ...first!, name: 'foundation' }, ...others] });
  await t.rejects(migrate(sql, undefined, migrations('select 1')),
    { message: /has the migration 0001-foundation, .* Begin with an empty database, / });
});

t.test('a migration that was changed after it was applied is refused', async (t) => {
  const { sql } = await emptyDatabase(t);
  await migrate(sql, undefined, migrations('create table a (id int)'));
  await t.rejects(
    migrate(sql, undefined, migrations('create table a (id bigint)', 'create table b (id int)')),
    { message: /migration 0001-step-1 was applied to the database in another form/ });
  t.equal(await schemaVersion(sql), 1);
  t.equal((await sql`select to_regclass('b') as b`)[0]!.b, null);
});

t.test('files are numbered without a gap; line endings do not count', async (t) => {
  const directory = t.testdir({ '0001-one.sql': 'select 1;\nselect 2;\n', 'notes.txt': '' });
  const url = pathToFileURL(`${directory}/`);
  const [unix] = readMigrations(url);
  t.match(unix, { version: 1, name: 'one' });
  writeFileSync(`${directory}/0001-one.sql`, 'select 1;\r\nselect 2;\r\n');
  t.equal(readMigrations(url)[0]!.sha256, unix!.sha256);
  for (const wrong of ['0003-three.sql', '0001-again.sql', 'two.sql', '0002_two.sql']) {
    const other = `${directory}/${wrong.replace('.sql', '')}`;
    mkdirSync(other);
    writeFileSync(`${other}/0001-one.sql`, '');
    writeFileSync(`${other}/${wrong}`, '');
    t.throws(() => readMigrations(pathToFileURL(`${other}/`)),
      { message: /must be named 000\d-name\.sql/ }, wrong);
  }
});
