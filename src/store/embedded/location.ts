import { hash } from 'node:crypto';
import {
  access, chmod, chown, constants, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rename,
  rm, writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../syncFolder.ts';
import { accountOf, databaseAccount, runAs, type Account } from './account.ts';

/** The place of a data directory's database, and the user that it runs as. */
export interface Location {
  /** Holds `postgres/` (the cluster) and `socket/`. Mostly the data directory itself. */
  home_dir: string;
  cluster_dir: string;
  /** Where copies of PostgreSQL's programs go when the installed ones cannot be run. */
  copies_dir: string;
  account: Account;
  /** Whether there is no cluster yet. */
  empty: boolean;
}

// sockaddr_un holds 104 bytes on macOS, 108 on Linux.
const SOCKET_PATH_LIMIT_BYTES = 100;
const LOCATION_FILE = 'postgres-location';
/**
 * Where root has the databases that their user could not reach elsewhere. Not /var/lib/gatehouse:
 * systemd gives that, with all that is in it, to the user of the unit.
 */
export const SHARED_DIR = '/var/lib/gatehouse-embedded';
export const PORT = 5432;

/** The file that a process locks while it starts or stops the database. */
export const lockPath = (data_dir: string) => join(data_dir, 'postgres.lock');

/**
 * Creates the data directory (0700) if need be, and answers its real path. As root the database
 * belongs to another user, who may pass through a directory that we created or found empty (0710,
 * its group) but not list it.
 */
export async function ensureDataDir(data_dir: string): Promise<string> {
  try {
    const found = await lstat(data_dir).catch(absent);
    if (found === null) await createDataDir(data_dir);
    else if (found.isDirectory() && found.uid === process.getuid!()
      && (await readdir(data_dir)).length === 0) await admitDatabase(data_dir);
    await access(data_dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(data_dir);
  } catch (error) {
    throw new Error(`the data directory ${data_dir} cannot be used: ${(error as Error).message}.`
      + ' Set GATEHOUSE_DATA_DIR to a folder that this user may write, or set DATABASE_URL.',
      { cause: error });
  }
}

/**
 * The directory appears with its final permissions, because another process may check them, and
 * with the lock file in it: a rename replaces an empty directory, also one that another process
 * has just made and is about to write into.
 */
async function createDataDir(data_dir: string): Promise<void> {
  await mkdir(dirname(data_dir), { recursive: true });
  const building = await mkdtemp(`${data_dir}.new-`);
  try {
    await admitDatabase(building);
    await writeFile(lockPath(building), '', { mode: 0o600 });
    await rename(building, data_dir);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    // Another process was quicker.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

async function admitDatabase(directory: string): Promise<void> {
  const account = await databaseAccount();
  // A directory that everybody may enter stays as it is.
  if (!account.other || ((await lstat(directory)).mode & 0o001) !== 0) return;
  await chown(directory, 0, account.gid);
  await chmod(directory, 0o710);
}

/**
 * Finds the database of a data directory, or the place for a new one: inside, unless we are root
 * and the database's user cannot get there (a 0700 home). Then it is under `shared_dir`, and
 * `postgres-location` in the data directory says where. The caller holds the lock.
 */
export async function locate(data_dir: string, shared_dir: string): Promise<Location> {
  const recorded = await recordedHome(data_dir);
  if (recorded !== null) return await recordedLocation(data_dir, recorded, shared_dir);
  const account = await databaseAccount();
  const inside = location(data_dir, account, account.other ? shared_dir : data_dir);
  const owner = await ownerOf(inside.cluster_dir);
  if (owner !== null) return occupied(inside, owner);
  if (!account.other) return inside;
  if ((await runAs(account, '/bin/sh', ['-c', 'cd "$0"', data_dir])).ok) return inside;
  await ensureSharedDir(shared_dir);
  return location(await freeHome(data_dir, shared_dir), account, shared_dir);
}

/** The cluster of a data directory, if there is one; makes nothing, unlike `locate`. */
export async function findCluster(data_dir: string): Promise<string | null> {
  const cluster_dir = join(await recordedHome(data_dir) ?? data_dir, 'postgres');
  return await ownerOf(cluster_dir) === null ? null : cluster_dir;
}

async function recordedHome(data_dir: string): Promise<string | null> {
  const file = join(data_dir, LOCATION_FILE);
  const recorded = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') return absent(error);
    throw new Error(`${file} belongs to another user, and so does the database. Start gatehouse as`
      + ' that user, or choose another GATEHOUSE_DATA_DIR.', { cause: error });
  });
  return recorded === null ? null : recorded.trim();
}

/** Makes the location durable; to be called before the cluster appears there. */
export async function recordLocation(data_dir: string, place: Location): Promise<void> {
  if (place.home_dir === data_dir) return;
  const file = join(data_dir, LOCATION_FILE);
  await writeFile(`${file}.new`, `${place.home_dir}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await syncFolder(data_dir);
}

/** Only root may write the directory, and the database's user may pass through it. */
export async function ensureSharedDir(shared_dir: string): Promise<void> {
  if (await mkdir(shared_dir, { recursive: true }) !== undefined) await chmod(shared_dir, 0o755);
  const { uid, mode } = await lstat(shared_dir);
  if (uid !== process.getuid!() || (mode & 0o022) !== 0) {
    throw new Error(`${shared_dir} belongs to another user or is writable by others; make it root's`
      + ' with mode 0755, or set DATABASE_URL.');
  }
}

/** Where the folder of the Unix socket is, or will be. */
export function socketDirOf(home_dir: string): string {
  const inside = join(home_dir, 'socket');
  const fits = Buffer.byteLength(`${inside}/.s.PGSQL.${PORT}`) <= SOCKET_PATH_LIMIT_BYTES;
  return fits ? inside : `/tmp/gatehouse-${digest(home_dir)}`;
}

/**
 * Makes the folder of the Unix socket, private to the database's user (and root). In /tmp when its
 * path would be too long; a folder there that somebody else made is refused.
 */
export async function ensureSocketDir({ home_dir, account }: Location): Promise<string> {
  const directory = socketDirOf(home_dir);
  await mkdir(directory, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const { uid, mode } = await lstat(directory).then((found) => {
    if (found.isDirectory()) return found;
    throw new Error(`${directory} is not a directory; remove it and start again.`);
  });
  if ((uid !== account.uid && uid !== process.getuid!()) || (mode & 0o077) !== 0) {
    throw new Error(`${directory}, the folder of the database's socket, belongs to another user or`
      + ' is open to others. Remove it and start again.');
  }
  if (uid !== account.uid) await chown(directory, account.uid, account.gid);
  return directory;
}

async function recordedLocation(
  data_dir: string, home_dir: string, shared_dir: string): Promise<Location> {
  const file = join(data_dir, LOCATION_FILE);
  if (await lstat(home_dir).catch(absent) === null) {
    throw new Error(`${file} says that the database is in ${home_dir}, which is gone. Bring that`
      + ' folder back, or remove the file to begin with an empty database.');
  }
  const account = await databaseAccount();
  const place = location(home_dir, account, account.other ? shared_dir : data_dir);
  const owner = await ownerOf(place.cluster_dir);
  if (owner === null) return place;
  if (!account.other && owner.uid !== account.uid) {
    throw new Error(`the database of ${data_dir} (in ${home_dir}) belongs to uid ${owner.uid};`
      + ' start gatehouse as the user who created it, or choose another GATEHOUSE_DATA_DIR.');
  }
  return occupied(place, owner);
}

/** The place of a cluster that is there. If we are root, it runs as its owner. */
function occupied(place: Location, { uid, gid }: { uid: number; gid: number }): Location {
  const account = place.account.other ? accountOf(uid, gid) : place.account;
  return { ...place, empty: false, account };
}

function location(home_dir: string, account: Account, copies_dir: string): Location {
  return { home_dir, cluster_dir: join(home_dir, 'postgres'), copies_dir, account, empty: true };
}

/**
 * A folder named after the data directory. One that already holds a database belongs to a data
 * directory of this path that was deleted: it is left alone, and the next number is taken.
 */
async function freeHome(data_dir: string, shared_dir: string): Promise<string> {
  for (let number = 1; ; number++) {
    const home_dir = join(shared_dir, digest(data_dir) + (number === 1 ? '' : `-${number}`));
    if (await mkdir(home_dir, { recursive: true }) !== undefined) await chmod(home_dir, 0o755);
    if (await ownerOf(join(home_dir, 'postgres')) === null) return home_dir;
  }
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  return await lstat(path).catch(absent);
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}
