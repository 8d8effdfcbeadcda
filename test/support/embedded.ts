import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { chmod, rm, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { endServersIn, ownFolder } from '../../scripts/leftovers.ts';
import { createLog } from '../../src/log.ts';
import { connect, isUnavailable, type Sql } from '../../src/store/database.ts';
import {
  startEmbedded, type EmbeddedDatabase, type EmbeddedOptions,
} from '../../src/store/embedded.ts';

type Owner = Pick<Test, 'teardown'>;

const PROCESS = fileURLToPath(new URL('./embeddedProcess.ts', import.meta.url));

/**
 * A folder that everybody may pass through, outside the checkout. It is removed at the end, and
 * every database in it is ended before: one that a killed process used, or was about to start,
 * may go on else.
 */
export async function folder(t: Owner): Promise<string> {
  const directory = mkdtempSync(ownFolder('embedded-'));
  t.teardown(async () => {
    await endServersIn(directory);
    await rm(directory, { recursive: true, force: true });
  });
  await chmod(directory, 0o711);
  return directory;
}

export interface StartedDatabase extends EmbeddedDatabase {
  /** The server was running already. */
  adopted: boolean;
  /** The database was created by this start. */
  first_start: boolean;
}

/** Starts the database, and reads in its log how that went. */
export async function startLogged(
  data_dir: string, options: Partial<EmbeddedOptions> = {}): Promise<StartedDatabase> {
  const entries: Record<string, any>[] = [];
  const log = createLog('info', {
    destination: { write: (line) => void entries.push(JSON.parse(line)) },
  });
  const database = await startEmbedded({ data_dir, log, ...options });
  const { adopted, first_start } = entries.find(({ msg }) => msg === 'embedded database is up')!;
  return { ...database, adopted, first_start };
}

/** Starts the database in this process; stopped at the end of the test if not before. */
export async function start(
  t: Owner, data_dir: string, options: Partial<EmbeddedOptions> = {}): Promise<StartedDatabase> {
  const database = await startLogged(data_dir, options);
  t.teardown(() => database.stop());
  return database;
}

export function pool(t: Owner, url: string): Sql {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end({ timeout_ms: 0 }));
  return sql;
}

export interface Other {
  child: ChildProcess;
  /** What it says next. */
  next(): Promise<any>;
  /** Says `query` or `stop` to it; answers what it says next. */
  tell(command: string): Promise<any>;
}

/** Another process that starts the same database, in a process group of its own. */
export function other(t: Owner, data_dir: string): Other {
  const child = spawn(process.execPath, [PROCESS, data_dir],
    { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  t.teardown(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the other process ended');
    return JSON.parse(value);
  };
  return {
    child, next,
    tell: (command) => {
      child.stdin!.write(`${command}\n`);
      return next();
    },
  };
}

/** Waits until the other process has its database. */
export async function started(
  { next }: Other): Promise<Omit<StartedDatabase, 'stop'>> {
  for (;;) {
    const line = await next();
    if (line.url) return line;
  }
}

/** Whether nobody serves the URL. */
export async function isGone(url: string): Promise<boolean> {
  const sql = connect(url, { max: 1 });
  const error = await sql`select 1`.then(() => null, (error: unknown) => error);
  await sql.end({ timeout_ms: 0 });
  return error !== null && isUnavailable(error);
}

/** The permissions of a path, such as 0o700. */
export async function mode(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
