import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { createSecureContext, rootCertificates, TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { connect, isUnavailable } from '../../src/store/database.ts';
import { databaseTarget } from '../../src/store/driver/databaseTarget.ts';
import { makeCertificate } from '../support/certificate.ts';
import { testDatabase } from '../support/database.ts';
import { listen } from '../support/listen.ts';

const SSL_REQUEST_BYTES = 8;

/**
 * Speaks TLS, or says that it does not, before the PostgreSQL of the tests. With `ca` it asks for a
 * certificate of the client's. Answers its port.
 */
async function tlsFront(
  t: Pick<Test, 'teardown'>, database_url: string,
  secure: { cert: Buffer; key: Buffer; ca?: Buffer } | null): Promise<number> {
  const [address] = databaseTarget(database_url).addresses;
  const server = createServer(async (client) => {
    client.on('error', () => {});
    const [request] = await once(client, 'data') as [Buffer];
    if (request.length !== SSL_REQUEST_BYTES) throw new Error('no request for TLS');
    client.pause();
    client.write(secure ? 'S' : 'N');
    const front = secure ? new TLSSocket(client,
      { isServer: true, secureContext: createSecureContext(secure),
        requestCert: secure.ca !== undefined, rejectUnauthorized: true }) : client;
    const behind = connectSocket(address as { path: string });
    behind.on('error', () => {});
    client.on('close', () => behind.destroy());
    front.on('error', () => behind.destroy());
    front.pipe(behind).pipe(front);
  });
  return await listen(t, server);
}

t.test('TLS means what sslmode means to psql', async (t) => {
  const secure = makeCertificate(t);
  if (!secure) return void t.pass('TLS', { skip: 'there is no openssl to make a certificate' });
  const { url } = await testDatabase(t);
  const { pathname, username } = new URL(url);
  const port = await tlsFront(t, url, secure);
  const plain = await tlsFront(t, url, null);
  const answer = async (host: string, at: number, parameters: string) => {
    const there = `postgres://${username}@${host}:${at}${pathname}?${parameters}`;
    const sql = connect(there, { max: 1 });
    try {
      // Larger than one record of TLS.
      const [row] = await sql<{ text: string }[]>`select repeat('x', 200000) as text`;
      return row!.text.length;
    } catch (error) {
      t.ok(isUnavailable(error), `${parameters}: mended there, and not by other requests`);
      return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    } finally {
      await sql.end({ timeout_ms: 0 });
    }
  };
  const ours = `sslrootcert=${secure.cert_path}`;
  t.equal(await answer('localhost', port, 'sslmode=require'), 200_000);
  t.equal(await answer('localhost', port, 'sslmode=prefer'), 200_000);
  t.equal(await answer('localhost', port, `sslmode=verify-full&${ours}`), 200_000);
  t.equal(await answer('127.0.0.1', port, `sslmode=verify-ca&${ours}`), 200_000);
  const strange = `${secure.cert_path}.strange`;
  writeFileSync(strange, rootCertificates[0]!);
  t.equal(await answer('localhost', port, `sslmode=require&sslrootcert=${strange}`),
    'DEPTH_ZERO_SELF_SIGNED_CERT', 'as with psql, who names certificates has them looked at');
  t.equal(await answer('127.0.0.1', port, `sslmode=require&${ours}`), 200_000);
  t.equal(await answer('localhost', port, 'sslmode=verify-full'), 'DEPTH_ZERO_SELF_SIGNED_CERT');
  t.equal(await answer('127.0.0.1', port, `sslmode=verify-full&${ours}`),
    'ERR_TLS_CERT_ALTNAME_INVALID');
  t.equal(await answer('localhost', port, 'sslmode=verify-full&sslrootcert=/none'), 'ENOENT');
  t.match(await answer('localhost', plain, 'sslmode=require'), /does not offer TLS/);
});

t.test('a role is known by its certificate', async (t) => {
  const secure = makeCertificate(t);
  if (!secure) return void t.pass('TLS', { skip: 'there is no openssl to make a certificate' });
  const { url } = await testDatabase(t);
  const { pathname, username } = new URL(url);
  const port = await tlsFront(t, url, { ...secure, ca: secure.cert });
  const sealed = `${secure.key_path}.sealed`;
  execFileSync('openssl', ['rsa', '-aes256', '-passout', 'pass:open sesame',
    '-in', secure.key_path, '-out', sealed], { stdio: 'ignore' });
  const answer = async (parameters: string) => {
    const sql = connect(`postgres://${username}@localhost:${port}${pathname}?sslmode=require`
      + parameters, { max: 1 });
    try {
      return (await sql`select 1`).length;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await sql.end({ timeout_ms: 0 });
    }
  };
  const named = `&sslcert=${secure.cert_path}`;
  t.equal(await answer(`${named}&sslkey=${secure.key_path}`), 1);
  t.equal(await answer(`${named}&sslkey=${sealed}&sslpassword=open%20sesame`), 1);
  t.not(await answer(''), 1, 'who shows none is refused');
  t.not(await answer(`${named}&sslkey=${sealed}&sslpassword=wrong`), 1);
  t.match(await answer(`${named}&sslkey=/none`), /ENOENT.*\/none/);
});
