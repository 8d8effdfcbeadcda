/** Where an embedded database lives, and how it comes to be there. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import type { EmbeddedDatabase } from '../../src/store/embedded.ts';
import { ensureDataDir } from '../../src/store/embedded/location.ts';
import { folder, isGone, mode, other, pool, start, started } from '../support/embedded.ts';

const is_root = process.getuid!() === 0;

t.test('an interrupted creation does not count', async (t) => {
  const data_dir = join(await folder(t), 'data');
  const first = other(t, data_dir);
  t.same(await first.next(), { progress: 'creating the database' });
  const exited = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await exited;
  const partial = join(data_dir, 'postgres.new-0123456789ab');
  await mkdir(join(partial, 'base'), { recursive: true });
  await writeFile(join(partial, 'PG_VERSION'), '18\n');
  const database = await start(t, data_dir);
  t.match(database, { adopted: false, first_start: true });
  t.notOk(existsSync(partial), 'what it left is removed');
  t.same([...await pool(t, database.url)`select 1 as one`], [{ one: 1 }]);
});

t.test('processes that start at once on an empty directory share one database', async (t) => {
  const data_dir = join(await folder(t), 'data');
  const others = [other(t, data_dir), other(t, data_dir)];
  const [ours, ...theirs] = await Promise.all([
    start(t, data_dir), start(t, data_dir), ...others.map(started)]);
  const all = [ours!, ...theirs];
  t.equal(all.filter(({ first_start }) => first_start).length, 1, 'one of them creates it');
  t.equal(all.filter(({ adopted }) => !adopted).length, 1, 'one of them starts it');
  t.equal(new Set(all.map(({ url }) => url)).size, 1);
  t.same((await readdir(data_dir)).sort(), ['postgres', 'postgres.lock', 'socket']);
  t.same(await Promise.all(others.map((one) => one.tell('stop'))), [
    { stopped: true }, { stopped: true }]);
  await (theirs[0] as EmbeddedDatabase).stop();
  t.notOk(await isGone(ours!.url));
  await (ours as EmbeddedDatabase).stop();
  t.ok(await isGone(ours!.url));
});

t.test('a data directory is not replaced by that of a process that was as quick', async (t) => {
  const parent = await folder(t);
  const data_dir = await ensureDataDir(join(parent, 'data'));
  const rival = join(parent, 'rival');
  await mkdir(rival);
  await t.rejects(rename(rival, data_dir), { code: 'ENOTEMPTY' });
});

t.test('odd paths; a socket path that is too long', async (t) => {
  const data_dir = join(await folder(t), `a "b", it's 100% ü+&?# ${'long '.repeat(20)}`, 'data');
  const database = await start(t, data_dir);
  const sql = pool(t, database.url);
  const [row] = await sql<{ data: string; socket: string }[]>`
    select current_setting('data_directory') as data,
      current_setting('unix_socket_directories') as socket`;
  t.equal(row!.data, join(data_dir, 'postgres'));
  const socket_dir = decodeURIComponent(/host=(.*)/.exec(database.url)![1]!);
  t.teardown(() => rm(socket_dir, { recursive: true, force: true }));
  t.match(socket_dir, /^\/tmp\/gatehouse-[0-9a-f]{16}$/);
  t.equal(await mode(socket_dir), 0o700);
  await sql.end();
  await database.stop();

  await chmod(socket_dir, 0o777);
  await t.rejects(start(t, data_dir), { message: /open to others. Remove it/ });
  await rm(socket_dir, { recursive: true });
  await symlink(data_dir, socket_dir);
  await t.rejects(start(t, data_dir), { message: /is not a directory/ });
  await rm(socket_dir);

  const short_dir = join(await folder(t), `it's "b", 100% ü+&?#`);
  const other_database = await start(t, short_dir);
  t.match(decodeURIComponent(other_database.url), `host=${short_dir}/socket`);
  t.same([...await pool(t, other_database.url)`select 1 as one`], [{ one: 1 }]);
});

t.test('an empty folder that is there already is taken', async (t) => {
  const data_dir = join(await folder(t), 'data');
  await mkdir(data_dir, { mode: 0o700 });
  await start(t, data_dir);
  t.same((await readdir(data_dir)).sort(), ['postgres', 'postgres.lock', 'socket']);
  t.equal(await mode(data_dir), is_root ? 0o710 : 0o700);
});

t.test('root, and a data directory that the database user cannot reach', {
  skip: !is_root && 'only root runs the database as another user',
}, async (t) => {
  const home_dir = await folder(t);
  await chmod(home_dir, 0o700);
  const shared_dir = join(await folder(t), 'shared');
  const data_dir = join(home_dir, 'data');
  const steps: string[] = [];
  const database = await start(t, data_dir, {
    shared_dir, onProgress: (step) => void steps.push(step) });
  t.match(database, { first_start: true });
  const place = (await readFile(join(data_dir, 'postgres-location'), 'utf8')).trim();
  t.match(steps.join('\n'), `creating the database in ${place}, as `);
  t.equal(dirname(place), shared_dir);
  t.ok(existsSync(join(place, 'postgres/PG_VERSION')));
  await pool(t, database.url)`create table kept as select 7 as number`;
  await database.stop();

  const again = await start(t, data_dir, { shared_dir });
  t.match(again, { first_start: false });
  t.same([...await pool(t, again.url)`select number from kept`], [{ number: 7 }]);
  await again.stop();

  await rm(data_dir, { recursive: true });
  const anew = await start(t, data_dir, { shared_dir });
  t.match(anew, { first_start: true }, 'a deleted data directory is a new one');
  t.ok(existsSync(join(place, 'postgres/PG_VERSION')), 'and the old database is not touched');
  await anew.stop();

  await rm((await readFile(join(data_dir, 'postgres-location'), 'utf8')).trim(),
    { recursive: true });
  await t.rejects(start(t, data_dir, { shared_dir }), { message: /which is gone. Bring/ });

  await chmod(shared_dir, 0o777);
  await t.rejects(start(t, join(home_dir, 'other'), { shared_dir }),
    { message: /writable by others/ });
});
