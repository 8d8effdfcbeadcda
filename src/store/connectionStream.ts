import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Socket, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Address, TlsMode } from './connectionTarget.ts';

const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');
const READY_FOR_QUERY = Buffer.from('5a0000000549', 'hex');
const PROTOCOL_3_0 = 196_608;
const CANCEL_REQUEST_BYTES = 16;
const TLS_ANSWER_TIMEOUT_MS = 3_000;

/** From so many bytes on postgres.js writes at once, instead of in the next turn of the loop. */
export const WRITTEN_AT_ONCE_BYTES = 1_024;

/**
 * The stream of one connection. Its own, TLS included, because postgres.js 3.4.9 recovers badly
 * from lost connections; here
 * - a connection that is closed without a word, as by a proxy whose database is away, fails. (It
 *   would be tried again at once and for ever: 3,000 times in 4 s, and the query never settles.)
 * - the FATAL error that ends a connection during a query ends that query. (It would be kept, and
 *   fail the first query of the next connection.)
 * - a connection that stood is lost at its close, not at the error before. (The query would be
 *   rejected at the error, another one take its place, and the close leave that one for ever.)
 * - what was about to be written when the connection was lost is dropped. (It would stand before
 *   the greeting of the next connection, which then is never sent: `connect` makes the greeting
 *   long enough to be written in any case, and `firstWrite` takes away what stands before it.)
 *
 * Never rejects: postgres.js would lose the connection's place in the pool. A failure is an error
 * of the stream.
 */
export async function connectionStream(
  address: Address, tls: TlsMode, ca_path: string | undefined): Promise<Duplex> {
  const socket = new Socket();
  try {
    if ('path' in address) socket.connect(address.path);
    else socket.connect(address.port, address.host);
    if (tls === 'disable' || 'path' in address || !await serverSpeaksTls(socket, tls)) {
      return guarded(socket);
    }
    const verify = tls === 'verify-ca' || tls === 'verify-full';
    return guarded(connectTls({
      socket,
      servername: isIP(address.host) ? undefined : address.host,
      rejectUnauthorized: verify,
      ...(tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : { host: address.host }),
      ...(ca_path === undefined ? {} : { ca: readFileSync(ca_path) }),
    }));
  } catch (error) {
    socket.destroy();
    return new Duplex({ read() {}, write(_chunk, _encoding, done) { done(error as Error); } });
  }
}

async function serverSpeaksTls(socket: Socket, tls: TlsMode): Promise<boolean> {
  const signal = AbortSignal.timeout(TLS_ANSWER_TIMEOUT_MS);
  let answer: Buffer;
  try {
    await once(socket, 'connect', { signal });
    socket.write(SSL_REQUEST);
    const closed = once(socket, 'close', { signal }).then(() => {
      throw unavailable('the database closed the connection without an answer');
    });
    closed.catch(() => {});
    [answer] = await Promise.race([once(socket, 'data', { signal }), closed]) as [Buffer];
  } catch (error) {
    if (!signal.aborted) throw error;
    throw unavailable('the database did not answer in time', 'CONNECT_TIMEOUT');
  }
  if (answer.toString() === 'S') return true;
  if (tls === 'prefer') return false;
  throw new Error('the database does not offer TLS, which the sslmode of its URL asks for');
}

function guarded<S extends Socket>(socket: S): S {
  const write = socket.write.bind(socket) as (chunk: Buffer, callback?: () => void) => boolean;
  let heard = false;
  let greeted = false;
  let cancels = false;
  let tail: Buffer = Buffer.alloc(0);
  /** Something was asked, and the server has not said since that it is ready for more. */
  let asked = false;
  /** What was asked was answered by FATAL, and nothing was written after that. */
  let ended = false;
  socket.write = ((chunk: Buffer, callback?: () => void) => {
    asked = true;
    ended = false;
    if (greeted) return write(chunk, callback);
    greeted = true;
    cancels = chunk.length === CANCEL_REQUEST_BYTES;
    return write(firstWrite(chunk), callback);
  }) as S['write'];
  socket.on('data', (chunk: Buffer) => {
    heard = true;
    tail = Buffer.concat([tail, chunk.subarray(-READY_FOR_QUERY.length)])
      .subarray(-READY_FOR_QUERY.length);
    ended = asked && endsWithFatalError(chunk);
    if (tail.subarray(0, -1).equals(READY_FOR_QUERY.subarray(0, -1))) asked = false;
  });
  // Once the connection stands, its loss is told by its close alone. postgres.js would reject the
  // query at the error and give its place to another, which the close then leaves waiting for ever.
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  socket.emit = ((event: string | symbol, ...args: unknown[]) => {
    if (heard && event === 'error') return true;
    return heard && event === 'close' ? emit(event, false) : emit(event, ...args);
  }) as S['emit'];
  // Registered before that of postgres.js, which hears of it afterwards.
  socket.once('close', (had_error) => {
    // To cancel a query is answered by closing.
    if (!heard && !cancels && !had_error && socket.listenerCount('error') > 0) {
      socket.emit('error', unavailable('the database closed the connection without an answer'));
    } else if (ended) {
      // Only for what was asked before the FATAL error: what is written to a dying connection
      // would be taken for done.
      socket.emit('data', READY_FOR_QUERY);
    }
  });
  return socket;
}

/** The greeting, without what a lost connection left before it. */
function firstWrite(bytes: Buffer): Buffer {
  for (let start = 0; start + 8 <= bytes.length; start++) {
    if (bytes.readUInt32BE(start + 4) === PROTOCOL_3_0
      && bytes.readUInt32BE(start) === bytes.length - start) return bytes.subarray(start);
  }
  return bytes;
}

/** Whether an ErrorResponse of severity FATAL or PANIC reaches exactly to the end of the bytes. */
function endsWithFatalError(bytes: Buffer): boolean {
  const severity = Math.max(bytes.lastIndexOf('\0VFATAL\0'), bytes.lastIndexOf('\0VPANIC\0'));
  // Before it stand the type, four bytes of length, and the severity in the server's language.
  for (let start = severity - 6; start >= 0 && start > severity - 64; start--) {
    if (bytes[start] === 0x45 && bytes[start + 5] === 0x53
      && bytes.readUInt32BE(start + 1) === bytes.length - start - 1) return true;
  }
  return false;
}

function unavailable(message: string, code = 'CONNECTION_CLOSED'): Error {
  return Object.assign(new Error(message), { code });
}
