/** The functions of the database: applied after the migrations, never replaced by older ones. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { concurrentIndexes } from '../../src/store/concurrentMigration.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import {
  FUNCTIONS, functionsBehind, readFunctions, type StoredFunction,
} from '../../src/store/functions.ts';
import { isUpToDate, migrate, MIGRATIONS } from '../../src/store/migrate.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { read } from '../support/sourceTree.ts';

const LIST = 'test/store/functionRevisions.txt';

function stored(name: string, revision: number, sql: string): StoredFunction {
  return { name, revision, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

/** A function that answers a number, as it would be in a release. */
function answering(revision: number, name = 'answer'): StoredFunction {
  return stored(name, revision,
    `create or replace function ${name}() returns int language sql as 'select ${revision}'`);
}

/** What a node does at its start: the migrations of this version, and these functions. */
const start = (sql: Sql, ...functions: StoredFunction[]) =>
  migrate(sql, undefined, { migrations: MIGRATIONS, functions });

async function answer(sql: Sql, name = 'answer'): Promise<number> {
  const [row] = await sql.unsafe<{ number: number }[]>(`select ${name}() as number`);
  return row!.number;
}

t.test('every change of a text has raised its revision', async (t) => {
  const lines = read(LIST).trim().split('\n').map((line) => line.split(' '));
  for (const { name, revision, sha256 } of FUNCTIONS) {
    const listed = lines.filter(([listed]) => listed === name);
    t.strictSame(listed.map(([, number]) => Number(number)), listed.map((_, i) => i + 1),
      `${LIST} has the revisions of ${name} in order`);
    t.strictSame(listed.at(-1)?.slice(1), [String(revision), sha256],
      `${name}.sql has changed: raise its revision, and add a line to ${LIST}`);
  }
});

t.test('a file holds the function that it is named after, and migrations hold few', async (t) => {
  for (const { name, sql } of FUNCTIONS) {
    t.match(sql, new RegExp(`^create or replace function ${name}\\(`, 'm'), name);
    t.equal(sql.match(/^create (or replace )?function/gm)!.length, 1, name);
  }
  const holding = MIGRATIONS.filter(({ sql }) => /create[^;]* (function|trigger)/i.test(sql));
  // What they are to remember before another migration writes the rest: see 0018.
  t.strictSame(holding.map(({ name }) => name), ['metadata-pairs', 'metadata-pairs-of-sessions']);
  for (const { name, sql } of holding) {
    const tables = sql.match(/^create trigger .* on \w+$/gm)!.map((line) => line.split(' ').at(-1));
    t.equal(new Set(tables).size, 1, `${name} takes the lock of one table: see 0017`);
  }
});

t.test('a file without a revision is refused; line endings do not count', async (t) => {
  const directory = t.testdir({ 'one.sql': '-- revision 12\nselect 1;\n', 'notes.txt': '' });
  const url = pathToFileURL(`${directory}/`);
  const [unix, ...others] = readFunctions(url);
  t.match(unix, { name: 'one', revision: 12 });
  t.strictSame(others, []);
  writeFileSync(`${directory}/one.sql`, '-- revision 12\r\nselect 1;\r\n');
  t.strictSame(readFunctions(url), [unix]);
  for (const wrong of ['select 1;', '-- revision 0\n', '-- revision one\n', '\n-- revision 1\n']) {
    const other = `${directory}/other`;
    mkdirSync(other, { recursive: true });
    writeFileSync(`${other}/two.sql`, wrong);
    t.throws(() => readFunctions(pathToFileURL(`${other}/`)),
      { message: 'the function two.sql must begin with the line "-- revision N".' }, wrong);
  }
});

t.test('a changed text is applied again, once, without a migration', async (t) => {
  const { sql } = await emptyDatabase(t);
  t.same((await start(sql, answering(1))).functions, ['answer']);
  t.equal(await answer(sql), 1);
  t.strictSame((await functionsBehind(sql, [answering(2)])).map(({ name }) => name), ['answer']);
  t.match(await start(sql, answering(2)), { applied: [], functions: ['answer'] });
  t.equal(await answer(sql), 2);
  t.strictSame(await functionsBehind(sql, [answering(2)]), []);
  t.match(await start(sql, answering(2)), { functions: [] });
  t.same([...await sql`select name, revision, sha256 from schema_functions`],
    [{ name: 'answer', revision: 2, sha256: answering(2).sha256 }]);
});

t.test('an older node that starts again leaves newer functions alone', async (t) => {
  const { sql } = await emptyDatabase(t);
  await start(sql, answering(3), answering(1, 'other'));
  t.match(await start(sql, answering(2), answering(2, 'other')), { functions: ['other'] });
  t.equal(await answer(sql), 3);
  t.equal(await answer(sql, 'other'), 2, 'and brings its own newer ones');
  t.match(await start(sql), { functions: [] });
  t.equal(await answer(sql), 3, 'a function that no file names any more stays');
});

t.test('nodes of several versions that start at once end with the newest', async (t) => {
  const { url, sql } = await emptyDatabase(t);
  const nodes = [2, 1, 3, 1, 2].map((revision) => ({ revision, sql: connect(url, { max: 2 }) }));
  t.teardown(() => Promise.all(nodes.map((node) => node.sql.end())));
  const done = await Promise.all(
    nodes.map((node) => start(node.sql, answering(node.revision), answering(1, 'other'))));
  t.equal(await answer(sql), 3);
  t.equal(done.flatMap(({ functions }) => functions).filter((name) => name === 'other').length, 1);
});

t.test('another text under the same revision is refused, and nothing changed', async (t) => {
  const { sql } = await emptyDatabase(t);
  await start(sql, answering(1));
  const changed = { ...answering(9), revision: 1 };
  await t.rejects(start(sql, answering(1, 'another'), changed),
    { message: /^revision 1 of the function answer has another text .*raise it in the file/s });
  t.equal(await answer(sql), 1);
  await t.rejects(answer(sql, 'another'), { message: /does not exist/ });
  t.strictSame((await functionsBehind(sql, [changed])).map(({ name }) => name), ['answer']);
});

t.test('an application that is interrupted leaves nothing behind', async (t) => {
  const { sql } = await emptyDatabase(t);
  await start(sql, answering(1));
  const broken = stored('broken', 1, 'create or replace function broken() returns nonsense');
  await t.rejects(start(sql, answering(2), broken),
    { message: /^the function broken \(revision 1\) failed and was rolled back: / });
  t.equal(await answer(sql), 1);
  t.same((await sql`select name from schema_functions`).map(({ name }) => name), ['answer']);
  const mended = answering(1, 'broken');
  t.match(await start(sql, answering(2), mended), { functions: ['answer', 'broken'] });
});

t.test('functions that fail take the last migration back with them', async (t) => {
  const { sql } = await emptyDatabase(t);
  const broken = stored('broken', 1, 'select 1/0');
  // One that builds indexes beside writers has no transaction to take part in.
  const last = MIGRATIONS.findLast((each) => concurrentIndexes(each.sql) === null)!.version;
  const migrations = MIGRATIONS.slice(0, last);
  await t.rejects(migrate(sql, undefined, { migrations, functions: [broken] }),
    { message: /broken.*division by zero/ });
  const [row] = await sql<{ version: number }[]>`
    select max(version) as version from schema_migrations`;
  t.equal(row!.version, last - 1);
  const again = await migrate(sql, undefined, { migrations, functions: [answering(1)] });
  t.same(again.applied, [last]);
});

t.test('a function with another answer drops the former one in its file', async (t) => {
  const { sql } = await emptyDatabase(t);
  await start(sql, answering(1));
  const text = "create or replace function answer() returns text language sql as $$select '2'$$";
  await t.rejects(start(sql, stored('answer', 2, text)),
    { message: /^the function answer .*cannot change return type of existing function/ });
  await start(sql, stored('answer', 2, `drop function if exists answer(); ${text}`));
  t.equal(await answer(sql) as unknown, '2');
});

t.test('so does one with more parameters, or older nodes would call both', async (t) => {
  const { sql } = await emptyDatabase(t);
  await start(sql, answering(1));
  const text = `create or replace function answer(more int default 2) returns int
    language sql as 'select more'`;
  await t.rejects(start(sql, stored('answer', 2, text)),
    { message: /^with answer.sql there are 2 functions of this name, and there must be one: / });
  t.equal(await answer(sql), 1);
  await start(sql, stored('answer', 2, `drop function if exists answer(); ${text}`));
  t.equal(await answer(sql), 2, 'called as before');
  t.same([...await sql`select answer(5) as number`], [{ number: 5 }]);
  await t.rejects(start(sql, { ...answering(1), name: 'question' }),
    { message: /^with question.sql there are 0 functions/ });
});

t.test('a role that may not change the schema is told so', async (t) => {
  const { url, sql } = await testDatabase(t);
  const role = `lesser_${new URL(url).pathname.slice(1)}`;
  await sql.unsafe(`create role ${role} login password 'x'; grant select on all tables in schema
    public to ${role}; grant create on schema public to ${role}`);
  const lesser = new URL(url);
  lesser.username = role;
  lesser.password = 'x';
  const node = connect(lesser.href, { max: 1 });
  t.teardown(async () => {
    await node.end();
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  });
  const denied = { message: /^The role of the database URL may not bring the database up to date/ };
  const [first] = FUNCTIONS;
  await t.rejects(start(node, { ...first!, revision: 99, sha256: 'x' }),
    { message: /may not .*\(.*function (\w+).*must be owner of function \1\)/ });
  await sql.unsafe(`revoke create on schema public from ${role}`);
  await t.rejects(migrate(node), denied);
  t.ok(await isUpToDate(sql), 'and nothing was changed');
});
