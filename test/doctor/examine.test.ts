/** Checks whose circumstances a command line cannot make. */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { checkDataDirectory, checkSpace, readKept } from '../../src/doctor/machine.ts';
import { BUILTIN_SLUGS } from '../../src/gateway/face.ts';
import { shellWord } from '../../src/shellWord.ts';
import { createBuiltinConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { findCluster } from '../../src/store/embedded/location.ts';
import { requireUpToDate } from '../../src/store/migrate.ts';
import { announceNode } from '../../src/store/nodes.ts';
import { weekOf } from '../../src/store/partitions.ts';
import { addConnection, addWorkspaces } from '../gateway/vault/support.ts';
import { providerServer, refused } from '../models/providerServer.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { folder, isGone, start } from '../support/embedded.ts';
import { freePort } from '../support/freePort.ts';
import { startProxy } from '../support/proxy.ts';
import { storedRun } from '../support/storedRuns.ts';
import { addIntegration, found } from './support.ts';

t.test('a clock that is wrong', async (t) => {
  const { url } = await testDatabase(t);
  const clock = async (skew_ms: number) => (await found(t, { DATABASE_URL: url },
    { now: () => Date.now() + skew_ms })).clock!;
  t.match(await clock(0), { status: 'ok', found: /^within \d/ });
  t.match(await clock(-60_000),
    { status: 'warning', found: "this machine's is 60 s behind the database's" });
  t.match(await clock(3 * 3_600_000), { status: 'failed',
    found: "this machine's is 3 hours ahead of the database's", advice: /timedatectl set-ntp/ });
});

t.test('a database that is asked in the clear', async (t) => {
  const { url } = await testDatabase(t);
  t.match((await found(t, { DATABASE_URL: url })).database,
    { status: 'ok', found: /^PostgreSQL .*UTF-8, at \/.*\/test_\w+$/ }, 'a socket is near');
  const proxy = await startProxy(url);
  t.teardown(() => proxy.close());
  t.match((await found(t, { DATABASE_URL: proxy.url })).database,
    { status: 'ok', found: /^PostgreSQL .*UTF-8, at .*:\d+\/test_\w+, without TLS$/ });
});

t.test('a node whose clock is wrong', async (t) => {
  const { url, sql } = await testDatabase(t);
  const announced = async (role: string, clock_offset_ms: number | null) => {
    const id = randomUUID();
    await announceNode(sql, { id, host: 'there', pid: 1, master_keys: {}, settings: { role },
      worker_id: null, seals_with: null, clock_offset_ms }, 3_600_000);
    return id;
  };
  const clocks = async () => (await found(t, { DATABASE_URL: url }))['node clocks'];
  t.match(await clocks(), { status: 'ok', found: 'no node runs' });
  await announced('api', null);
  await announced('api', -4_900);
  t.match(await clocks(), { status: 'ok', found: "those of 2 nodes are the database's" });
  await announced('worker', -60_000);
  t.match(await clocks(), { status: 'warning', advice: /timedatectl set-ntp/,
    found: "that of process 1 on there (worker) is 60 s behind the database's" });
  await announced('all', 3 * 3_600_000);
  t.match(await clocks(), { status: 'failed',
    found: /\(worker\) is 60 s behind .*; .* \(all\) is 3 hours ahead of the database's$/ });
});

t.test('a role that does not own the tables', async (t) => {
  const { url, sql } = await testDatabase(t);
  const lesser = new URL(url);
  lesser.username = `lesser_${lesser.pathname.slice(1)}`;
  lesser.password = 'x';
  await sql.unsafe(`create role ${lesser.username} login password 'x'`);
  t.teardown(() => sql.unsafe(`drop owned by ${lesser.username}; drop role ${lesser.username}`));
  const blind = await found(t, { DATABASE_URL: lesser.href });
  t.match(blind.schema, { status: 'failed', advice: /^Name /,
    found: /^it cannot be read; it belongs to .* as lesser_/ });
  t.notMatch(blind['free connections'], { found: /^0 of / }, "those of others' roles count");
  await sql.unsafe(`grant select on all tables in schema public to ${lesser.username}`);
  t.match((await found(t, { DATABASE_URL: lesser.href })).schema, {
    status: 'failed', found: /it belongs to .* as lesser_.* does not start$/, advice: /^Name / });
});

t.test('a schema that is newer, older, or not there', async (t) => {
  const { url, sql } = await testDatabase(t);
  const check = (database_url = url) => found(t, { DATABASE_URL: database_url });
  t.match((await check()).schema, { status: 'warning', found: /there is no workspace yet$/,
    advice: /gatehouse setup --save/ });
  await sql`insert into schema_migrations (version, name, sha256) values (9999, 'later', 'x')`;
  const newer = await check();
  t.match(newer.schema, { status: 'failed', found: /^version 9999; this program knows \d+, a newer/,
    advice: /^Run that newer version/ });
  for (const needs of ['node clocks', 'partitions', 'workers', 'integrations', 'connections',
    'stored secrets']) {
    t.match(newer[needs], { status: 'skipped', found: /needs a database of this version/ });
  }
  t.match(newer.clock, { status: 'ok' }, 'what needs no tables is checked');
  await sql`delete from schema_migrations where version = 9999`;
  await sql`update schema_functions set revision = 99 where name = 'claim_next'`;
  t.match((await check()).schema, { found: /there is no workspace yet$/ },
    'newer functions are fine');
  await sql`delete from schema_functions where name in ('claim_next', 'create_runs')`;
  const behind = await check();
  t.match(behind.schema, { status: 'warning', advice: /`gatehouse serve` .*applies them/,
    found: /^version \d+, that of this program, but not its functions: claim_next, create_runs$/ });
  t.match(behind.workers, { status: 'skipped' });
  await sql`delete from schema_migrations where version > 1`;
  t.match((await check()).schema, { status: 'warning', found: /^version 1; this program needs \d/,
    advice: /it migrates the database/ });
  await sql`update schema_migrations set name = 'another' where version = 1`;
  t.match((await check()).schema, { status: 'failed', found: 'from before the first release',
    advice: /0001-another, .* Begin with an empty database/ });
  await t.rejects(requireUpToDate(sql), { message: /Begin with an empty database/ });
  const empty = await emptyDatabase(t);
  t.match((await check(empty.url)).schema, { status: 'warning', found: 'the database is empty' });
  t.strictSame(await tablesOf(empty.sql), [], 'nothing was made');
  await empty.sql.unsafe(
    `alter database ${new URL(empty.url).pathname.slice(1)} set search_path = nowhere`);
  t.match((await check(empty.url)).schema, { status: 'failed', found: /leads to no schema/ },
    'one whose tables cannot be found is not said to be empty');
});

async function tablesOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace`;
  return rows.map(({ name }) => name);
}

t.test('databases that cannot be had', async (t) => {
  const { url } = await testDatabase(t);
  const none = new URL(url);
  none.pathname = '/there_is_none';
  t.match((await found(t, { DATABASE_URL: none.href })).database,
    { status: 'failed', found: /does not exist/, advice: /^Create it: create database/ });
  const direct = { DATABASE_URL: url, DATABASE_DIRECT_URL: (await emptyDatabase(t)).url };
  t.match((await found(t, direct)).database,
    { status: 'failed', found: /^DATABASE_DIRECT_URL leads to another database/ });
  t.match((await found(t, { ...direct, DATABASE_DIRECT_URL: url })).database, { status: 'ok' });
  t.match((await found(t, { DATABASE_URL: 'mysql://localhost/x' })).database,
    { status: 'failed', advice: /^Correct DATABASE_URL: postgres:/ });
});

t.test('connections that wait for a person, runs that wait for a worker', async (t) => {
  const { url, sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  await sql.begin((tx) => createBuiltinConnections(tx, 'wsp_1', BUILTIN_SLUGS));
  await addConnection(sql, 'wsp_1', 'con_1', 'connected');
  await addConnection(sql, 'wsp_1', 'con_2', 'needs_reconnect');
  await addConnection(sql, 'wsp_1', 'con_3', 'pending');
  await sql`update connections set auth_type = 'bearer', status_reason = 'It was refused.'
    where id = 'con_2'`;
  await sql`update connections set auth_type = 'oauth2', name = ${'a\n✓ fine'} where id = 'con_3'`;
  await addIntegration(sql, 'crm', ['It has no servers.']);
  await addIntegration(sql, 'empty', []);
  await sql`insert into integration_actions
    (integration, source_key, name, effect, schema_hash, quarantined_at)
    values ('crm', 'a', 'crm.a', 'read', 'x', null), ('crm', 'b', 'crm.b', 'read', 'x', now())`;
  const findings = await found(t, { DATABASE_URL: url });
  t.match(findings.connections, { status: 'warning',
    found: '1 connected, 1 needs_reconnect, 1 pending' });
  t.strictSame(findings.connections!.advice!.split('\n'), [
    'con_2 (github, "con_2"): It was refused; `printf %s "$TOKEN" | gatehouse connections reconnect'
      + ' con_2 --auth bearer`',
    'con_3 (github, "a\\n✓ fine"): nobody has authorized it yet; `gatehouse connections reconnect'
      + ' con_3`, and open the address that it prints',
  ]);
  t.match(findings.integrations, {
    status: 'warning', found: '2, of them crm (1 note at its import)',
    advice: /^crm: 1 changed tool quarantined; .*refresh crm --accept`\nempty: it has no actions; /,
  });
  await sql`update integrations set mcp = '{"command":"/opt/crm","env_names":["TOKEN"]}'
    where slug = 'crm'`;
  t.match((await found(t, { DATABASE_URL: url })).integrations,
    { advice: new RegExp('^crm: GATEHOUSE_MCP_STDIO of this shell does not name its command; .*'
      + ' let GATEHOUSE_MCP_STDIO name it: TOKEN= /opt/crm$', 'm') });
  const allowed = { DATABASE_URL: url, GATEHOUSE_MCP_STDIO: 'TOKEN= /opt/crm' };
  t.notMatch((await found(t, allowed)).integrations!.advice, 'GATEHOUSE_MCP_STDIO');
  t.match((await found(t, { GATEHOUSE_MCP_STDIO: '*' })).configuration,
    { status: 'failed', advice: /names no command/ });
  const proxied = { GATEHOUSE_TRUSTED_PROXIES: '10.0.0.2' };
  t.match((await found(t, proxied)).configuration,
    { status: 'warning', found: /; a proxy, and no/, advice: /^Set GATEHOUSE_PUBLIC_URL to/ });
  t.match((await found(t, { ...proxied, GATEHOUSE_PUBLIC_URL: 'http://x.y' })).configuration,
    { status: 'ok' });
  t.match(findings.workers, { status: 'warning', found: '0 alive; 0 runs running' });

  await sql`insert into workers (id, host, lease_until)
    values ('wrk_1', 'h', now() - interval '1 s')`;
  await storedRun(sql, { status: 'queued' });
  await sql`update runs set created_at = now() - interval '10 minutes'`;
  const { workers } = await found(t, { DATABASE_URL: url });
  t.match(workers, { status: 'failed', advice: /^Nobody executes runs/,
    found: /^0 alive, 1 lost; 0 runs running; 1 run queued, the oldest for \d+ minutes$/ });
  await sql`update workers set lease_until = now() + interval '1 hour'`;
  t.match((await found(t, { DATABASE_URL: url })).workers,
    { status: 'warning', found: /^1 alive;/, advice: /--role worker/ });
});

t.test('integrations of whose document something was left out', async (t) => {
  const { url, sql } = await testDatabase(t);
  await addIntegration(sql, 'crm', []);
  await sql`insert into integration_actions (integration, source_key, name, effect, schema_hash)
    values ('crm', 'a', 'crm.a', 'read', 'x')`;
  await sql`update integrations set base_url = 'https://crm.example' where slug = 'crm'`;
  const check = async () => (await found(t, { DATABASE_URL: url })).integrations!;
  t.match(await check(), { status: 'ok' });
  const errors = ['2 operations are left out: mutual TLS is not served', 'another'];
  await sql`update integrations set
    report = (report::jsonb || ${JSON.stringify({ errors })}::text::jsonb)::json`;
  t.match(await check(), { status: 'warning', advice: 'crm: operations were left out at its import,'
    + ` which \`gatehouse integrations refresh crm\` names: ${errors[0]}` });
});

t.test('partitions, connections and durability', async (t) => {
  const { url, sql } = await testDatabase(t);
  const later_ms = Date.now() + 60 * 86_400_000;
  t.match((await found(t, { DATABASE_URL: url }, { now: () => later_ms })).partitions,
    { status: 'warning', found: new RegExp(`^not there: ${weekOf(later_ms).name}`) });
  const many = await found(t, { DATABASE_URL: url, GATEHOUSE_DATABASE_CONNECTIONS: '999' });
  t.match(many['free connections'],
    { status: 'failed', advice: /Raise max_connections \(nodes × 1002 \+ 20\)/ });
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  await sql.unsafe(`alter database ${row!.name} set synchronous_commit = off`);
  t.match((await found(t, { DATABASE_URL: url })).durability,
    { status: 'warning', advice: /^alter database \S+ reset synchronous_commit; then start/ });
});

t.test('a full disk of the database', async (t) => {
  const { url, sql } = await testDatabase(t);
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  // What PostgreSQL says of its disk is said here by a function that goes before its own.
  const say = async (code: string) => {
    await sql.unsafe(`create or replace function public.generate_series(int, int)
      returns setof int language plpgsql
      as $$ begin raise exception 'could not write to file' using errcode = '${code}'; end $$`);
    return (await found(t, { DATABASE_URL: url })).durability;
  };
  await sql.unsafe(`alter database ${row!.name} set search_path = public, pg_catalog`);
  t.match(await say('53100'), { status: 'failed', found: /the disk .* is full/,
    advice: /^Make room/ });
  t.match(await say('53400'), { status: 'ok' }, 'a limit of temporary files says nothing of it');
});

t.test('files that others may read or write', async (t) => {
  const content = `one:${randomBytes(32).toString('base64')}`;
  const data_dir = join(t.testdir({ "it's $HOME": { keys: content } }), "it's $HOME");
  const keys = join(data_dir, 'keys');
  const environment = { GATEHOUSE_DATA_DIR: data_dir, GATEHOUSE_MASTER_KEYS_FILE: keys };
  const check = async (folder_mode: number, file_mode: number) => {
    await chmod(data_dir, folder_mode);
    await chmod(keys, file_mode);
    return await found(t, environment);
  };
  const open = await check(0o777, 0o640);
  t.match(open['data directory'],
    { status: 'warning', advice: `chmod go-w ${shellWord(data_dir)}` });
  t.match(open['master keys'], { status: 'warning', advice: `chmod 600 ${shellWord(keys)}` });
  t.match(shellWord(keys), /\/it'\\''s \$HOME\/keys'$/, 'no shell reads more in it');
  const closed = await check(0o700, 0o600);
  t.match(closed['data directory'], { status: 'ok' });
  t.match(closed['master keys'], { status: 'ok', found: `${keys}: one seals` });
});

t.test('an embedded database that is not in the data directory', async (t) => {
  const data_dir = t.testdir({ elsewhere: { postgres: {} } });
  await writeFile(join(data_dir, 'postgres-location'), join(data_dir, 'elsewhere'));
  const { 'data directory': said } = await found(t, { GATEHOUSE_DATA_DIR: data_dir });
  t.match(said!.found, join(data_dir, 'elsewhere'));
});

t.test('room on the disk of the embedded database', async (t) => {
  const space = (mib: number) => checkSpace('/data', { bavail: mib * 256, bsize: 4_096 });
  t.match(space(0), { status: 'failed', found: /^\/data: 0 MiB are free/, advice: /^Make room/ });
  t.match(space(63.9), { status: 'failed', found: /: 63 MiB/ });
  t.match(space(64), { status: 'warning', advice: /GATEHOUSE_DATA_DIR/ });
  t.match(space(1_023.9), { status: 'warning' });
  t.equal(space(1_024), null);
  const data_dir = t.testdir({ 'credentials.json': '{"base_url": "http://127.0.0.1:1/v1"}' });
  await chmod(join(data_dir, 'credentials.json'), 0o644);
  await chmod(data_dir, 0o777);
  const check = async (bavail: number) => checkDataDirectory({ data_dir, database_url: null },
    await readKept(data_dir), async () => ({ bavail, bsize: 4_096 }));
  t.match(await check(0), { status: 'failed', advice: /^chmod go-w .*\nchmod 600 .*\nMake room/,
    found: /^others may write .*; others may read .*; .*: 0 MiB are free/ });
  t.match(await check(1_000_000), { status: 'warning', advice: /^chmod go-w .*\nchmod 600 \S+$/ });
});

t.test('a model that says nothing', async (t) => {
  const { origin, requests } = await providerServer(t, () => { /* It never answers. */ });
  const environment = { MODEL: 'compatible/local', MODEL_BASE_URL: `${origin}/v1` };
  const nowhere = `http://127.0.0.1:${await freePort()}/v1`;
  // First, for it loads the modules of models, which takes a slow machine longer than the limits
  // below. These are so long that a request has left, and arrived, before they are over.
  t.match((await found(t, { ...environment, MODEL_BASE_URL: nowhere },
    { model: true }))['model answers'], { status: 'failed', found: /could not be reached/,
    advice: /^Cause: (?!.*ECONNREFUSED.*ECONNREFUSED).*ECONNREFUSED.*\nCheck the way there/ });
  t.match((await found(t, environment, { model: true, model_limit_ms: 5_000 }))['model answers'], {
    status: 'failed', found: 'compatible/local did not answer within 5 s',
    advice: /^Check the way there .* and MODEL_BASE_URL\.$/,
  });
  t.match((await found(t, { ...environment, GATEHOUSE_MODEL_IDLE_MS: '4000' }, { model: true }))[
    'model answers'], { status: 'failed', found: /sent nothing for too long/ });
  t.equal(requests.length, 2, 'one request each, not repeated');
  t.match((await found(t, { MODEL: 'gpt-5' })).model,
    { status: 'failed', found: /^There is no model "gpt-5"/, advice: /^Set MODEL to openai/ });
  const without = await found(t, { MODEL: 'openai/x', GATEHOUSE_ROLE: 'api' }, { model: true });
  t.match(without.model,
    { status: 'ok', found: /OPENAI_API_KEY is not set here, and this node, .* needs none$/ });
  t.match(without['model answers'], { status: 'failed', advice: /^Set OPENAI_API_KEY, or call/ });
});

t.test('the embedded database: found while it runs, not started when it does not', async (t) => {
  const data_dir = join(await folder(t), 'data');
  const environment = { GATEHOUSE_DATA_DIR: data_dir };
  t.match((await found(t, environment)).database, { status: 'warning', found: /^none: / });
  await t.rejects(stat(data_dir), 'nothing was made');
  const database = await start(t, data_dir);
  t.match((await found(t, environment)).database, { status: 'ok', found: /UTF-8, embedded, at / });
  const files = await readdir(data_dir);
  const pid_file = join((await findCluster(data_dir))!, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pid_file, 'utf8'), 10);
  process.kill(pid, 'SIGSTOP');
  const { database: hanging } = await found(t, environment).finally(() =>
    process.kill(pid, 'SIGCONT'));
  t.match(hanging, { status: 'failed', found: /did not answer in time$/ });
  t.notMatch(hanging, { advice: /DATABASE_URL/ }, 'which nobody has set');
  await database.stop();
  t.match((await found(t, environment)).database,
    { status: 'failed', found: /does not run/, advice: /^Start the service with `gatehouse/ });
  t.ok(await isGone(database.url));
  t.strictSame((await readdir(data_dir)).filter((name) => !files.includes(name)), []);

  t.match((await found(t, environment))['master keys'], { status: 'failed',
    found: /master\.key is missing, though there is a database$/,
    advice: /^Restore the file from its copy/ });
  const key = `local:${randomBytes(32).toString('base64')}\n`;
  await writeFile(join(data_dir, 'master.key'), key, { mode: 0o600 });
  t.match((await found(t, environment))['master keys'], { status: 'warning',
    found: /local seals; not compared with the database, which does not run$/ });
});

t.test('an address where no model is', async (t) => {
  const { origin } = await providerServer(t, refused(404, { detail: 'Not Found' }));
  const environment = { MODEL: 'compatible/local', MODEL_BASE_URL: `${origin}/v2` };
  t.match((await found(t, environment, { model: true }))['model answers'], { status: 'failed',
    advice: /Check the id behind the \/ in MODEL and the address in MODEL_BASE_URL/ });
});
