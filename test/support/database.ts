import { createHash, randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { connect, type Sql } from '../../src/store/database.ts';
import { FUNCTIONS } from '../../src/store/functions.ts';
import { migrate, MIGRATIONS } from '../../src/store/migrate.ts';
import { ensurePartitions } from '../../src/store/partitions.ts';
import { untilSeen } from './until.ts';

// Any fixed number. CREATE DATABASE may fail while another one copies the same template.
const TEMPLATE_LOCK = 4_735_270_915;

/** What a statement fails with that took too long, as the server or the client saw it. */
const LATE = ['57014', '55P03', 'STATEMENT_TIMEOUT'];

type Owner = Pick<Test, 'teardown'>;

/** The template of this process: to look for it takes a connection each time. */
let template: Promise<string> | undefined;

/** The server that scripts/test.ts has started, as a superuser. */
export function serverUrl(): string {
  const url = process.env.GATEHOUSE_TEST_DATABASE_URL;
  if (!url) throw new Error('run tests with `node scripts/test.ts [files]`: it starts PostgreSQL');
  return url;
}

/** A database of its own for a test, with the current schema; dropped at its teardown. */
export async function testDatabase(t: Owner): Promise<{ url: string; sql: Sql }> {
  template ??= prepareTemplate().catch((error: unknown) => {
    template = undefined; // Whoever comes next tries once more.
    throw error;
  });
  return await ownDatabase(t, await template);
}

/** As `testDatabase`, without any table. */
export async function emptyDatabase(t: Owner): Promise<{ url: string; sql: Sql }> {
  return await ownDatabase(t, 'template0');
}

/** Creates the migrated template unless it is there; answers its name, which tells its schema. */
export async function prepareTemplate(): Promise<string> {
  return await withServer(ensureTemplate);
}

async function ensureTemplate(server: Sql): Promise<string> {
  const digest = createHash('sha256');
  for (const { sha256 } of [...MIGRATIONS, ...FUNCTIONS]) digest.update(sha256);
  const name = `gatehouse_template_${digest.digest('hex').slice(0, 12)}`;
  const exists = async () => (await server`
    select from pg_database where datname = ${name}`).length > 0;
  if (await exists()) return name;
  await server`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  try {
    if (await exists()) return name;
    // Under another name until it is complete: an interrupted one must not count.
    await server.unsafe(`drop database if exists ${name}_new with (force)`);
    await server.unsafe(`create database ${name}_new template template0`);
    const sql = connect(urlOf(`${name}_new`), { max: 1 });
    try {
      await migrate(sql);
      await ensurePartitions(sql);
    } finally {
      await sql.end();
    }
    await server.unsafe(`alter database ${name}_new rename to ${name}`);
  } finally {
    await server`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
  }
  return name;
}

async function ownDatabase(t: Owner, template: string): Promise<{ url: string; sql: Sql }> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await withServer(async (server, again) => {
    await server`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    // After the lock: a try that was given up here may go on in the server, and holds it till then.
    if (again) await server.unsafe(`drop database if exists ${name} with (force)`);
    // Its files are copied: to write each of its pages to the log took half as much CPU again.
    await server.unsafe(`create database ${name} template ${template} strategy file_copy`);
  });
  const url = urlOf(name);
  const sql = connect(url, { max: 10, application_name: 'gatehouse test' });
  t.teardown(async () => {
    await sql.end({ timeout_ms: 1_000 });
    await withServer(async (server) => {
      await server.unsafe(`drop database if exists ${name} with (force)`);
    });
  });
  return { url, sql };
}

/**
 * One connection for a moment; its closing releases what locks it holds. A slow machine may need
 * longer than a statement is given (4.5 s) for copying or dropping a database, which cannot be done
 * in a transaction that has more time: then all of `work` is done `again`.
 */
async function withServer<T>(work: (server: Sql, again: boolean) => Promise<T>): Promise<T> {
  let tries = 0;
  const done = await untilSeen('the server of the tests has done its work', async () => {
    const server = connect(serverUrl(), { max: 1, application_name: 'gatehouse test' });
    try {
      tries += 1;
      return { value: await work(server, tries > 1) };
    } catch (error) {
      if (!LATE.includes((error as { code?: string }).code ?? '')) throw error;
      return { tries, error };
    } finally {
      await server.end();
    }
  }, (seen) => 'value' in seen);
  return (done as { value: T }).value;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}
