import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../syncFolder.ts';
import { runAs } from './account.ts';
import { recordLocation, type Location } from './location.ts';

const DATABASE = 'gatehouse';
/** Every new cluster has it: to make one of our own takes another start of PostgreSQL. */
const THROW_AWAY_DATABASE = 'postgres';
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
/** Of a cluster that nobody will open again: nothing of it has to survive anything. */
const THROW_AWAY_SETTINGS = {
  ...SETTINGS,
  max_connections: '50', shared_buffers: '32MB',
  fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off',
  wal_level: 'minimal', max_wal_senders: '0',
};
const THROW_AWAY_FLAGS = ['--no-sync', '--wal-segsize=1'];

/** The name of the cluster's database. */
export function databaseOf(throw_away: boolean): string {
  return throw_away ? THROW_AWAY_DATABASE : DATABASE;
}

export interface ClusterOptions {
  throw_away?: boolean | undefined;
  /** Called once there is nothing to do but wait for a program. */
  onWaiting?: (() => void) | undefined;
}

/**
 * Creates the cluster with its database. It is built under another name and renamed when complete,
 * so that an interrupted attempt never counts; the remains of such attempts are removed. The caller
 * holds the lock.
 */
export async function createCluster(
  native_dir: string, data_dir: string, place: Location,
  { throw_away = false, onWaiting = () => {} }: ClusterOptions,
): Promise<void> {
  const { home_dir, account } = place;
  const settings = throw_away ? THROW_AWAY_SETTINGS : SETTINGS;
  for (const name of await readdir(home_dir)) {
    if (!name.startsWith(BUILDING)) continue;
    // An initdb whose parent was killed may still be writing there: the next start removes it.
    await rm(join(home_dir, name), { recursive: true }).catch(() => {});
  }
  const building = join(home_dir, BUILDING + randomBytes(6).toString('hex'));
  try {
    await mkdir(building, { mode: 0o700 });
    if (account.other) await chown(building, account.uid, account.gid);
    const initialised = mustRun(place, join(native_dir, 'bin', 'initdb'), [
      '-D', building, '-U', USER, '--encoding=UTF8', '--locale=C', '--auth=trust',
      '--no-instructions', ...throw_away ? THROW_AWAY_FLAGS : [],
      ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ]);
    onWaiting();
    await initialised;
    // Only the owner may open the socket, and needs no password then. There is no other way in.
    await writeFile(join(building, 'pg_hba.conf'), 'local all all trust\n');
    if (!throw_away) {
      await mustRun(place, join(native_dir, 'bin', 'postgres'),
        ['--single', '-D', building, '-j', 'postgres'], `create database ${DATABASE}\n`);
    }
    await recordLocation(data_dir, place);
    await rename(building, place.cluster_dir);
    if (!throw_away) await syncFolder(home_dir);
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
