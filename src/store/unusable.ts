/** What an operator can do about a database that cannot be used, in the same words everywhere. */
import { randomUUID } from 'node:crypto';
import { checkServer, connect, type Sql } from './database.ts';
import { databasePlace, serverFacts, type ServerFacts } from './inspection.ts';
import { sameDatabaseLock } from './locks.ts';

const NAME_THE_AUTHORITY = 'If it is that of an authority of your own, name a file that holds the'
  + ' certificate of this one: ?sslrootcert=/path/ca.crt in DATABASE_URL.';

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there. Start that PostgreSQL, or correct host and port in'
    + ' DATABASE_URL; without DATABASE_URL the embedded one is used.',
  ENOTFOUND: 'There is no such host. Correct it in DATABASE_URL; of a password, characters such as'
    + ' @ / ? # % must be percent-encoded (p%40ss).',
  EAI_AGAIN: 'The name of the host could not be looked up. Try again, or correct DATABASE_URL.',
  CONNECT_TIMEOUT: 'Something between here and there says nothing: check the host and port in'
    + ' DATABASE_URL, firewalls, and that the server is not overloaded.',
  CONNECTION_CLOSED: 'What listens there is no PostgreSQL, or it ends connections at once: check'
    + ' the host and port in DATABASE_URL, and the log of the server.',
  ENOENT: 'There is no such socket. Start that PostgreSQL, or correct DATABASE_URL.',
  EACCES: 'Call this as the user who starts the service, who must be let in to that socket.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NAME_THE_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NAME_THE_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: NAME_THE_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: NAME_THE_AUTHORITY,
  CERT_HAS_EXPIRED: 'Renew the certificate of that server, or set the clock of this machine if it'
    + ' is wrong.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Name the host in DATABASE_URL as its certificate does;'
    + ' sslmode=verify-ca asks for its authority alone.',
  '08P01': 'If that is a PgBouncer: it needs ignore_startup_parameters, and nodes'
    + ' DATABASE_DIRECT_URL, see docs/postgresql.md#pgbouncer.',
  '28P01': 'Correct user and password in DATABASE_URL (percent-encoded: p%40ss).',
  '28000': 'The server does not let this user in: correct DATABASE_URL, or its pg_hba.conf. Of "no'
    + ' encryption", add ?sslmode=verify-full to DATABASE_URL; of a certificate, sslcert and sslkey'
    + ' are those of the user.',
  '3D000': 'Create it: create database gatehouse owner gatehouse encoding \'UTF8\' template'
    + ' template0; or correct the name in DATABASE_URL.',
  42704: 'Take that parameter out of DATABASE_URL.',
  '53300': 'Raise max_connections (or the connection limit of the role or the database), lower'
    + ' GATEHOUSE_DATABASE_CONNECTIONS of the nodes, or end what else is connected.',
  '57P03': 'It is starting or stopping. Call this again in a moment.',
};

/** Why a database takes no writes, and what to do about it; null if it takes them. */
export function whyReadOnly(
  { read_only, standby }: ServerFacts): { found: string; advice: string } | null {
  if (!read_only) return null;
  return standby ? { found: 'it takes no writes: it is a standby',
    advice: 'Point DATABASE_URL at the primary, or name all servers and add'
      + ' ?target_session_attrs=read-write.' }
    : { found: 'it takes no writes: default_transaction_read_only is on',
      advice: 'Managed databases set it while their disk is full: give it room. Else reset it, of'
        + ' the role, the database or the server: alter role … reset'
        + ' default_transaction_read_only;' };
}

/** What was found of a database, by the error of its use, and what to do about it. */
export function whyUnusable(
  error: NodeJS.ErrnoException, url: string): { found: string; advice: string } {
  const { code = '', message } = error;
  const said = message || code;
  let place = '';
  try {
    place = ` at ${databasePlace(url)}`;
  } catch {
    return { found: said,
      advice: 'Correct DATABASE_URL: postgres://user:password@host:5432/database.' };
  }
  // Of a socket it is "connect": a file is opened for its certificates alone.
  const advice = error.syscall === 'open' || code.startsWith('ERR_OSSL_')
    ? 'Correct sslrootcert, or sslcert, sslkey and sslpassword, in DATABASE_URL.' : BY_CODE[code];
  return { found: `cannot be used${place}: ${said}`,
    advice: advice ?? 'Mend what it says, or correct DATABASE_URL.' };
}

/**
 * Throws an Error, which says what to do, if the database cannot be had, or is none that this
 * service can use. `database_url`: null for the embedded one, whose address nobody has given.
 */
export async function requireUsable(sql: Sql, database_url: string | null): Promise<void> {
  try {
    await checkServer(sql);
    const why = whyReadOnly(await serverFacts(sql));
    if (why) throw new Error(`The database cannot be used: ${why.found}. ${why.advice}`);
  } catch (error) {
    // An error without a code is of our own, and says all.
    if (database_url === null || (error as NodeJS.ErrnoException).code === undefined) throw error;
    const { found, advice } = whyUnusable(error as Error, database_url);
    throw new Error(`The database ${found.replace(/\.$/, '')}. ${advice}`, { cause: error });
  }
}

/**
 * Throws an Error, which says what to do, unless DATABASE_DIRECT_URL leads to the database of
 * `sql`. A worker whose lock is in another one would be given no runs, and nobody would see why.
 */
export async function requireSameDatabase(sql: Sql, direct_url: string): Promise<void> {
  const direct = connect(direct_url, { max: 1 });
  try {
    await checkServer(direct).catch((error: Error) => {
      const { found } = whyUnusable(error, direct_url);
      throw new Error(`DATABASE_DIRECT_URL: the database ${found}. Correct it.`, { cause: error });
    });
    const start = randomUUID();
    const is_free = await sql.begin(async (transaction) => {
      await transaction`
        select pg_advisory_xact_lock(hashtextextended(${sameDatabaseLock(start)}, 0))`;
      const [row] = await direct<{ taken: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtextextended(${sameDatabaseLock(start)}, 0)) as taken`;
      return row!.taken;
    });
    if (!is_free) return;
    throw new Error(`DATABASE_DIRECT_URL leads to another database, ${databasePlace(direct_url)},`
      + ' than DATABASE_URL. Correct it, or unset it if DATABASE_URL leads through no pooler.');
  } finally {
    await direct.end({ timeout_ms: 1_000 });
  }
}
