import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAs } from './account.ts';
import { recordLocation, type Location } from './location.ts';

export const DATABASE = 'gatehouse';
export const USER = 'gatehouse';
const BUILDING = 'postgres.new-';

// The defaults of a new cluster. An operator may change them in its postgresql.conf.
const SETTINGS = {
  max_connections: '200',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off', // every query here is short
};

/**
 * Creates the cluster with its database. It is built under another name and renamed when complete,
 * so that an interrupted attempt never counts; the remains of such attempts are removed. The caller
 * holds the lock.
 */
export async function createCluster(
  native_dir: string, data_dir: string, place: Location): Promise<void> {
  const { home_dir, account } = place;
  for (const name of await readdir(home_dir)) {
    if (!name.startsWith(BUILDING)) continue;
    // An initdb whose parent was killed may still be writing there: the next start removes it.
    await rm(join(home_dir, name), { recursive: true }).catch(() => {});
  }
  const building = join(home_dir, BUILDING + randomBytes(6).toString('hex'));
  try {
    await mkdir(building, { mode: 0o700 });
    if (account.other) await chown(building, account.uid, account.gid);
    await mustRun(place, join(native_dir, 'bin', 'initdb'), [
      '-D', building, '-U', USER, '--encoding=UTF8', '--locale=C', '--auth=trust',
      '--no-instructions',
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ]);
    // Only the owner may open the socket, and needs no password then. There is no other way in.
    await writeFile(join(building, 'pg_hba.conf'), 'local all all trust\n');
    await mustRun(place, join(native_dir, 'bin', 'postgres'),
      ['--single', '-D', building, '-j', 'postgres'], `create database ${DATABASE}\n`);
    await recordLocation(data_dir, place);
    await rename(building, place.cluster_dir);
    await syncDirectory(home_dir);
  } catch (error) {
    await rm(building, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

async function mustRun(place: Location, program: string, args: string[], input?: string) {
  const { ok, output } = await runAs(place.account, program, args, input);
  // A statement that fails in single-user mode still ends with success.
  if (!ok || /\b(ERROR|FATAL|PANIC):/.test(output)) {
    throw new Error(`the embedded database could not be created in ${place.home_dir}:\n`
      + `${output.split('\n').slice(-12).join('\n')}\n`
      + 'Mend what it says (disk space, access), or set DATABASE_URL to another PostgreSQL.');
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
