import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The user that PostgreSQL's programs run as. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
  /** Whether it is another user than our own, which is root then: PostgreSQL refuses root. */
  other: boolean;
}

/** Our own user; for root `postgres` if there is such a user, else `nobody`. */
export async function databaseAccount(): Promise<Account> {
  const { uid, gid, username } = userInfo();
  if (uid !== 0) return { uid, gid, name: username, other: false };
  for (const name of ['postgres', 'nobody']) {
    const ids = await idsOf(name);
    if (ids !== null) return { ...ids, name, other: true };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither a user `postgres` nor'
    + ' `nobody` to run it as. Start gatehouse as an ordinary user, or set DATABASE_URL.');
}

/** The owner of an existing cluster, if we are root: the cluster must run as its owner. */
export function accountOf(uid: number, gid: number): Account {
  return { uid, gid, name: `uid ${uid}`, other: true };
}

async function idsOf(name: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await execute('id', [flag, name])).stdout)));
    // On macOS, nobody has the number -2, and `id` may print that.
    return Number.isInteger(uid) && Number.isInteger(gid) && uid! > 0 && gid! > 0
      ? { uid: uid!, gid: gid! } : null;
  } catch {
    return null;
  }
}

/**
 * Starts a program as the account, in an environment of its own: no PG… variable reaches it, nor
 * does Ctrl-C in our terminal, for what a start has begun is ended in order.
 */
export function spawnAs(
  account: Account, program: string, args: string[], options: { stdio: StdioOptions },
): ChildProcess {
  return spawn(program, args, {
    ...options,
    detached: true,
    ...(account.other ? { uid: account.uid, gid: account.gid } : {}),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
  });
}

/** Runs a program as the account to its end. Never rejects; `output` is stdout and stderr. */
export async function runAs(
  account: Account, program: string, args: string[], input = '',
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    let child: ChildProcess;
    try {
      child = spawnAs(account, program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    } catch (error) {
      resolve({ ok: false, output: String(error) });
      return;
    }
    const collect = (chunk: Buffer) => { output = (output + chunk).slice(-16_384); };
    child.stdout!.on('data', collect);
    child.stderr!.on('data', collect);
    child.stdin!.on('error', () => { /* it ended without reading; its exit tells */ });
    child.stdin!.end(input);
    child.once('error', (error) => resolve({ ok: false, output: `${output}${error.message}` }));
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}
