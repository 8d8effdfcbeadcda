import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Socket, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address, DatabaseTarget, TlsMode } from './databaseTarget.ts';
import { lost } from './lost.ts';

const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');
const TLS_ANSWER_TIMEOUT_MS = 3_000;

/**
 * The stream of one connection, TLS included: postgres.js knows neither `verify-ca` nor a file of
 * certificates, and forgets its time limit while it waits for the answer to its question for TLS.
 * Rejects if the server refuses TLS that is required.
 */
export async function connectionStream(
  address: Address, { tls, ca_path, client }: DatabaseTarget): Promise<Socket> {
  const socket = new Socket();
  try {
    if ('path' in address) socket.connect(address.path);
    else socket.connect(address.port, address.host);
    if (tls === 'disable' || 'path' in address || !await serverSpeaksTls(socket, tls)) {
      return socket;
    }
    const verify = tls === 'verify-ca' || tls === 'verify-full';
    return connectTls({
      socket,
      servername: isIP(address.host) ? undefined : address.host,
      rejectUnauthorized: verify,
      ...(tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : { host: address.host }),
      // Read anew each time: whoever renews certificates need not start the service again.
      ...(ca_path === undefined ? {} : { ca: readFileSync(ca_path) }),
      ...(client === undefined ? {} : { cert: readFileSync(client.cert_path),
        key: readFileSync(client.key_path), passphrase: client.passphrase }),
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function serverSpeaksTls(socket: Socket, tls: TlsMode): Promise<boolean> {
  const signal = AbortSignal.timeout(TLS_ANSWER_TIMEOUT_MS);
  let answer: Buffer;
  try {
    await once(socket, 'connect', { signal });
    socket.write(SSL_REQUEST);
    const closed = once(socket, 'close', { signal }).then(() => {
      throw lost('the database closed the connection without an answer');
    });
    closed.catch(() => {});
    [answer] = await Promise.race([once(socket, 'data', { signal }), closed]) as [Buffer];
  } catch (error) {
    if (!signal.aborted) throw error;
    throw lost('the database did not answer in time', 'CONNECT_TIMEOUT');
  }
  if (answer.toString() === 'S') return true;
  if (tls === 'prefer') return false;
  throw new Error('the database does not offer TLS, which the sslmode of its URL asks for');
}
