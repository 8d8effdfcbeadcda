/** src/store/schema.sql is what the migrations and functions make, and tells of all of it. */
import t from 'tap';
import { SCHEMA_FILE, schemaText } from '../../scripts/schema.ts';
import { migrate } from '../../src/store/migrate.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { read } from '../support/sourceTree.ts';

t.test('the file is the schema of a database that was just set up', async (t) => {
  const { sql } = await emptyDatabase(t);
  await migrate(sql);
  t.equal(await schemaText(sql), read(SCHEMA_FILE),
    `${SCHEMA_FILE} is not what the migrations make: run make schema, and commit it with them`);
});

t.test('weeks of events, and what is stored, do not count', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`insert into workspaces (id, name) values ('wsp_1', 'one')`;
  t.equal(await schemaText(sql), read(SCHEMA_FILE));
});

t.test('whatever is changed is seen', async (t) => {
  const { sql } = await testDatabase(t);
  for (const change of [
    'alter table runs add column other integer',
    'alter table runs alter column steps type bigint',
    'alter table runs alter column steps drop default',
    'alter table runs alter column model drop not null',
    'alter table runs drop constraint runs_queued',
    'alter table runs reset (fillfactor)',
    'alter table storage_additions replica identity default',
    'alter table embeddings alter column vector set storage main',
    'alter table runs alter column worker_id type text collate "default"',
    'drop index runs_by_error',
    'drop trigger runs_transition on runs',
    'drop function run_waits()',
    'drop table run_events_default',
  ]) {
    const before = await schemaText(sql);
    await sql.unsafe(change);
    t.not(await schemaText(sql), before, change);
  }
});

t.test('what it could not tell of is refused', async (t) => {
  const { sql } = await testDatabase(t);
  for (const [made, named] of [
    ['create view seen as select 1', 'relation seen'],
    ['create sequence counted', 'sequence counted'],
    ["create type mood as enum ('good')", 'type mood'],
    ['alter table runs replica identity nothing', 'replica identity of runs'],
    ['create statistics joint on id, name from workspaces', 'statistics joint'],
    ['create policy owners on workspaces', 'policy owners'],
    ['alter table storage add twice bigint generated always as (bytes * 2) stored',
      'generated column twice'],
  ] as const) {
    await sql.unsafe(made);
    await t.rejects(schemaText(sql), { message: named });
  }
});

t.test('a publication may have every table', async (t) => {
  const { sql } = await testDatabase(t);
  t.same([...await sql`
    select relname from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relreplident = 'd'
      and not exists (select from pg_index where indrelid = c.oid and indisprimary)`], [],
  'of each, a subscriber can find the row that was changed');
});
