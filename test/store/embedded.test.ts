/** The life of one data directory: each test takes up what the one before it left. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { connect, isUnavailable } from '../../src/store/database.ts';
import { databaseAccount, runAs, spawnAs } from '../../src/store/embedded/account.ts';
import { whyNotStarted } from '../../src/store/embedded/postmaster.ts';
import { EMBEDDED_USERS_LOCK } from '../../src/store/locks.ts';
import { folder, isGone, mode, other, pool, start, started } from '../support/embedded.ts';
import { untilSeen } from '../support/until.ts';

const is_root = process.getuid!() === 0;
const data_dir = join(await folder(t), 'below', 'data');

async function serverPid(): Promise<number> {
  return Number((await readFile(join(data_dir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

t.test('the first start creates the database', async (t) => {
  const messages: string[] = [];
  const onProgress = (message: string) => { messages.push(message); };
  const database = await start(t, data_dir, { onProgress });
  t.match(database, { adopted: false, first_start: true });
  t.same(messages, ['creating the database']);
  t.equal(await mode(data_dir), is_root ? 0o710 : 0o700);
  t.equal(await mode(join(data_dir, 'postgres')), 0o700);
  t.equal(await mode(join(data_dir, 'socket')), 0o700);
  t.equal(await mode(join(data_dir, 'socket/.s.PGSQL.5432')), 0o700);
  const sql = pool(t, database.url);
  const settings = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name in ('fsync', 'synchronous_commit',
      'full_page_writes', 'listen_addresses', 'max_connections', 'server_encoding')`;
  t.same(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
    fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', listen_addresses: '',
    max_connections: '200', server_encoding: 'UTF8',
  });
  t.same([...await sql`select datcollate, current_user::text as name from pg_database
    where datname = current_database()`], [{ datcollate: 'C', name: 'gatehouse' }]);
  await sql`create table kept as select 7 as number`;
  await sql.end();
  await database.stop();
  await database.stop();
  t.ok(await isGone(database.url));
  t.notOk(existsSync(join(data_dir, 'postgres/postmaster.pid')), 'it was shut down in order');
});

t.test('a later start finds what was there', async (t) => {
  const database = await start(t, data_dir);
  t.match(database, { adopted: false, first_start: false });
  t.same([...await pool(t, database.url)`select number from kept`], [{ number: 7 }]);
});

t.test('a clock that is set meanwhile, as of a machine that starts, ends no wait', async (t) => {
  const { now } = Date;
  let hours = 0;
  t.capture(Date, 'now', () => now() + 3_600_000 * hours++);
  const database = await start(t, data_dir);
  t.match(database, { adopted: false, first_start: false });
  await database.stop();
});

t.test('a second process shares the server, whoever stops first', async (t) => {
  const database = await start(t, data_dir);
  const second = other(t, data_dir);
  t.match(await started(second), { adopted: true, first_start: false, url: database.url });
  t.same(await second.tell('stop'), { stopped: true });
  t.same([...await pool(t, database.url)`select 1 as one`], [{ one: 1 }], 'ours goes on');
  const third = other(t, data_dir);
  await started(third);
  await database.stop();
  t.same(await third.tell('query'), { one: 1 }, 'theirs goes on');
  t.same(await third.tell('stop'), { stopped: true });
  t.ok(await isGone(database.url), 'the last one stops it');
});

t.test('the server outlives kill -9 of its owner, and is adopted', async (t) => {
  const owner = other(t, data_dir);
  const { url } = await started(owner);
  const pid = await serverPid();
  const exited = once(owner.child, 'exit');
  process.kill(-owner.child.pid!, 'SIGKILL'); // its whole group, as Ctrl-C reaches it
  await exited;
  const database = await start(t, data_dir);
  t.match(database, { adopted: true, first_start: false, url });
  t.equal(await serverPid(), pid);
  await database.stop();
  t.ok(await isGone(url), 'who adopts it also stops it');
});

t.test('Ctrl-C in a terminal does not reach the programs that make a database', async (t) => {
  const { output } = await runAs(
    await databaseAccount(), '/bin/sh', ['-c', 'ps -o pid= -o pgid= -p $$']);
  const [pid, group] = output.split(/\s+/);
  t.equal(group, pid, 'each leads a group of its own');
});

t.test('a process that was killed a moment ago does not keep the server', async (t) => {
  const database = await start(t, data_dir);
  const { pid } = spawnSync('/bin/sh', ['-c', 'exit']);
  const killed = connect(database.url,
    { max: 1, application_name: `gatehouse embedded, process ${pid}` });
  await killed`select pg_advisory_lock_shared(${EMBEDDED_USERS_LOCK})`;
  const beside = pool(t, database.url);
  const stopping = database.stop();
  await untilSeen('that it waits', async () => await beside`
    select from pg_locks where locktype = 'advisory' and not granted`, ({ length }) => length > 0);
  await killed.end(); // The server notices that its client is gone.
  await stopping;
  t.ok(await isGone(database.url));
});

t.test('a postmaster.pid that is a link leads to no file that is written', async (t) => {
  const pid_file = join(data_dir, 'postgres/postmaster.pid');
  const victim = join(t.testdir({ victim: '127.0.0.1 localhost\n' }), 'victim');
  await symlink(victim, pid_file);
  t.teardown(() => rm(pid_file, { force: true }));
  // PostgreSQL removes it, or refuses to start if its user cannot see where it leads.
  await start(t, data_dir).catch(() => {});
  t.equal(await readFile(victim, 'utf8'), '127.0.0.1 localhost\n');
});

t.test('a postmaster.pid that names another program is not believed', async (t) => {
  const account = await databaseAccount();
  const sleeper = spawnAs(account, '/bin/sleep', ['600'], { stdio: 'ignore' });
  t.teardown(() => sleeper.kill('SIGKILL'));
  const cluster_dir = join(data_dir, 'postgres');
  const lines = [sleeper.pid, cluster_dir, 1, 5432, join(data_dir, 'socket'), '', '0 0', 'ready'];
  await writeFile(join(cluster_dir, 'postmaster.pid'), `${lines.join('\n')}\n`);
  await writeFile(join(data_dir, 'socket/.s.PGSQL.5432.lock'), `${lines.join('\n')}\n`);
  const database = await start(t, data_dir);
  t.match(database, { adopted: false, first_start: false });
  t.equal(sleeper.exitCode ?? sleeper.signalCode, null, 'and the program is left alone');
});

t.test('a server that is killed is started again', async (t) => {
  const database = await start(t, data_dir);
  const pid = await serverPid();
  const sql = pool(t, database.url);
  // A busy backend does not notice that its server has died, and holds the next one up.
  const busy = pool(t, database.url)`do $$
    declare until timestamptz := clock_timestamp() + interval '1 second';
    begin
      while clock_timestamp() < until loop end loop;
    end $$`.catch((error: unknown) => error);
  await untilSeen('a busy backend', async () => await sql`
    select state, query from pg_stat_activity where query like 'do %'`,
  (activities) => activities.some(({ state }) => state === 'active'));
  process.kill(pid, 'SIGKILL');
  await busy;
  const rows = await untilSeen('the next server', () =>
    sql`select number from kept`.then((found) => [...found], (error: unknown) => {
      if (!isUnavailable(error)) throw error;
      return error;
    }), Array.isArray);
  t.same(rows, [{ number: 7 }], 'what was committed is there, under the same URL');
  t.not(await serverPid(), pid);
  await database.stop();
  t.ok(await isGone(database.url));
});

t.test('a terminated keeper holds its place again', async (t) => {
  const database = await start(t, data_dir);
  const sql = pool(t, database.url);
  const holders = async () => await sql<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted`;
  const [holder] = await holders();
  await sql`select pg_terminate_backend(${holder!.pid})`;
  await untilSeen(`another holder than ${holder!.pid}`, holders,
    (held) => held.some(({ pid }) => pid !== holder!.pid));
  const second = other(t, data_dir);
  await started(second);
  t.same(await second.tell('stop'), { stopped: true });
  t.same([...await sql`select 1 as one`], [{ one: 1 }], 'so another process leaves it running');
});

t.test('fsync=off is refused', async (t) => {
  const file = join(data_dir, 'postgres/postgresql.auto.conf');
  const { size } = await stat(file);
  await appendFile(file, 'fsync = off\n');
  await t.rejects(start(t, data_dir), { message: /fsync=off: .*Remove that line/s });
  t.notOk(existsSync(join(data_dir, 'postgres/postmaster.pid')), 'and nothing is left running');
  await truncate(file, size);
  t.match(await start(t, data_dir), { adopted: false });
});

t.test('a start that fails tells the end of the log, which does not grow', async (t) => {
  const log_file = join(data_dir, 'postgres/server.log');
  await truncate(log_file, 11 * 1024 * 1024);
  const file = join(data_dir, 'postgres/postgresql.auto.conf');
  await appendFile(file, 'no_such_setting = 1\n');
  await t.rejects(start(t, data_dir), {
    message: /stopped while starting.*unrecognized configuration parameter.*DATABASE_URL/s,
  });
  const free = (bavail: number) =>
    whyNotStarted(join(data_dir, 'postgres'), async () => ({ bavail, bsize: 2 ** 20 }));
  t.match(await free(15), /^15 MiB are free on the disk of .*: make room there\. The end of/);
  t.match(await free(16), /^The end of/);
  t.ok((await stat(log_file)).size < 10_000, 'it was begun anew');
  t.ok(existsSync(`${log_file}.1`));
});
