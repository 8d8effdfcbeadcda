/**
 * A database that the next version has upgraded, made up here: nodes of this version go on beside
 * those of the next until they end, and are refused when they start again.
 */
import { createHash } from 'node:crypto';
import t from 'tap';
import { connect } from '../../src/store/database.ts';
import { FUNCTIONS, type StoredFunction } from '../../src/store/functions.ts';
import {
  isUpToDate, LATEST_VERSION, migrate, MIGRATIONS, type Migration, type Schema,
} from '../../src/store/migrate.ts';
import { catalogueOf } from '../support/catalogue.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { soundLogs } from '../support/log.ts';
import { completeRun, endlessRun, eventsOf, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const withHash = (sql: string) =>
  ({ sql, sha256: createHash('sha256').update(sql).digest('hex') });

/** Every table that nodes write to has a column more, and one function a parameter more. */
function nextVersion(tables: readonly string[]): Schema {
  const columns = tables.map((table) =>
    `alter table ${table} add column of_the_next_version text default 'x';`).join('\n');
  const migrations: Migration[] = [...MIGRATIONS,
    { version: LATEST_VERSION + 1, name: 'next', ...withHash(columns) },
    { version: LATEST_VERSION + 2, name: 'index', ...withHash(`-- concurrently
create index concurrently if not exists runs_of_the_next_version on runs (of_the_next_version);
`) }];
  const functions = FUNCTIONS.map((one): StoredFunction => {
    if (one.name !== 'claim_next') return one;
    const head = one.sql.indexOf('create or replace function');
    const parameters = /\(([^)]*)\)\s*returns/.exec(one.sql.slice(head))![1]!;
    const types = parameters.split(/,\s*/)
      .map((each) => each.trim().split(/\s+/)[1]!).join(', ');
    const text = `drop function if exists claim_next(${types});\n`
      + one.sql.slice(head).replace(parameters,
        `${parameters}, p_of_the_next_version text default null`);
    return { name: one.name, revision: one.revision + 1, ...withHash(text) };
  });
  return { migrations, functions };
}

const { sql: fresh } = await testDatabase(t);
const tables = (await fresh<{ name: string }[]>`
  select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relname not like 'schema_%'`).map(({ name }) => name);
const NEXT = nextVersion(tables);

t.test('nodes go on beside those of the next version', async (t) => {
  const server = await testServer(t);
  const { client, sql } = server;
  const open = await endlessRun(client, await newSession(client));
  const before = await completeRun(client, await newSession(client), '@rehearsal words=2');
  t.same(await migrate(sql, undefined, NEXT, server.url), {
    applied: [LATEST_VERSION + 1, LATEST_VERSION + 2], functions: ['claim_next'] });
  t.ok(await isUpToDate(sql), 'a newer one is no reason to stop');
  const after = await completeRun(client, before.session_id, '@rehearsal words=2');
  t.equal(after.status, 'completed');
  await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
  t.equal((await eventsOf(client, open.id)).at(-1)!.type, 'run.cancelled');
  t.same((await sql`select distinct of_the_next_version from runs`)
    .map((row) => row.of_the_next_version), ['x']);
  t.match(await migrate(sql, undefined, NEXT, server.url), { applied: [], functions: [] });
  await soundLogs(t, sql);

  await t.rejects(migrate(sql),
    { message: /a newer gatehouse has migrated it.* Nothing was changed/s },
    'one that starts again is refused');
});

t.test('nodes that upgrade a database at once do so once', async (t) => {
  const { url, sql } = await testDatabase(t);
  const nodes = Array.from({ length: 4 }, () => connect(url, { max: 2 }));
  t.teardown(() => Promise.all(nodes.map((node) => node.end())));
  const done = await Promise.all(nodes.map((node) => migrate(node, undefined, NEXT)));
  t.same(done.flatMap(({ applied }) => applied).sort((a, b) => a - b),
    [LATEST_VERSION + 1, LATEST_VERSION + 2]);
  t.same(done.flatMap(({ functions }) => functions), ['claim_next']);
  const other = await emptyDatabase(t);
  await migrate(other.sql, undefined, NEXT);
  t.strictSame(await catalogueOf(sql), await catalogueOf(other.sql),
    'it is as one that was made anew');
});

t.test('a node that starts while another upgrades waits', async (t) => {
  const { url, sql } = await testDatabase(t);
  const [one, late] = [connect(url, { max: 2 }), connect(url, { max: 2 })];
  t.teardown(() => Promise.all([one.end(), late.end()]));
  let both: Promise<{ applied: number[] }>[] = [];
  await sql.begin(async (tx) => {
    await tx`lock table workspaces`;
    both = [migrate(one, undefined, NEXT)];
    await untilSeen('an upgrade that waits for a table', async () => (await sql`
      select from pg_locks l join pg_class c on c.oid = l.relation
      where c.relname = 'workspaces' and not l.granted`).length > 0);
    both.push(migrate(late, undefined, NEXT));
  }, { limit_ms: 60_000 });
  const [first, second] = await Promise.all(both);
  t.equal(first!.applied[0], LATEST_VERSION + 1);
  // Between two migrations the lock is free, so that the late one may be as quick.
  t.strictSame([...first!.applied, ...second!.applied].toSorted((a, b) => a - b),
    [LATEST_VERSION + 1, LATEST_VERSION + 2], 'each by one of the two');
});
