/** What is said of a database that cannot be used. */
import { createServer } from 'node:http';
import t from 'tap';
import { connect } from '../../src/store/database.ts';
import { serverFacts } from '../../src/store/inspection.ts';
import { requireSameDatabase, requireUsable, whyReadOnly } from '../../src/store/unusable.ts';
import { emptyDatabase, serverUrl, testDatabase } from '../support/database.ts';
import { listen } from '../support/listen.ts';

async function said(url: string, database_url: string | null = url): Promise<string> {
  const sql = connect(url, { max: 1 });
  try {
    await requireUsable(sql, database_url);
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await sql.end({ timeout_ms: 0 });
  }
}

t.test('each failure comes with what to do about it', async (t) => {
  t.equal(await said(serverUrl()), '');
  const port = await listen(t, createServer((_request, response) => void response.end()));
  t.match(await said('postgres://127.0.0.1:1/none'),
    /^The database cannot be used at 127\.0\.0\.1:1\/none: .*ECONNREFUSED.*\. Nothing listens/);
  t.match(await said(`postgres://127.0.0.1:${port}/none`),
    /\. What listens there is no PostgreSQL/);
  const nowhere = new URL(serverUrl());
  nowhere.pathname = '/nowhere';
  t.match(await said(nowhere.href), /"nowhere" does not exist\. Create it: create database /);
  const unknown = new URL(serverUrl());
  unknown.searchParams.set('sslcrl', '/crl');
  t.match(await said(unknown.href), /"sslcrl"\. Take that parameter out of DATABASE_URL/);
  const nobody = new URL(serverUrl());
  nobody.username = 'nobody_of_that_name';
  t.match(await said(nobody.href),
    /nobody_of_that_name.* (does not let this user in|user and password)/);
});

t.test('a database that takes no writes is told from what else fails', async (t) => {
  const { url, sql } = await emptyDatabase(t);
  const name = new URL(url).pathname.slice(1);
  await sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  t.match(await said(url), /: it takes no writes: default_transaction_read_only is on\. Managed /);
  t.match(whyReadOnly({ ...await serverFacts(sql), standby: true, read_only: true }),
    { found: /it is a standby$/, advice: /^Point DATABASE_URL at the primary/ });
});

t.test('of the embedded one, whose address nobody has given, no setting is named', async (t) => {
  t.notMatch(await said('postgres://127.0.0.1:1/none', null), 'DATABASE_URL');
});

t.test('a direct address has to lead to the same database', async (t) => {
  const [{ sql, url }, other] = [await testDatabase(t), await emptyDatabase(t)];
  await requireSameDatabase(sql, url);
  await t.rejects(requireSameDatabase(sql, other.url),
    { message: /^DATABASE_DIRECT_URL leads to another database, .+, than DATABASE_URL\./ });
  await t.rejects(requireSameDatabase(sql, 'postgres://127.0.0.1:1/none'),
    { message: /^DATABASE_DIRECT_URL: the database cannot be used at 127\.0\.0\.1:1\/none: / });
});
