import { Socket } from 'node:net';
import type { ConnectionTarget } from './connectionTarget.ts';

// ReadyForQuery, idle.
const READY = Buffer.from('5a0000000549', 'hex');
const CANCEL_REQUEST_BYTES = 16;

/**
 * A socket to the database on which two faults of postgres.js 3.4.9 do not show.
 *
 * It tries again at once and for ever when a connection is accepted and closed without a word,
 * which is what a proxy does whose database is away: 3,000 connections in 4 s, and the query never
 * settles. Such a close becomes an error here.
 *
 * It remembers the FATAL error that ends a connection during a query, and fails the first query of
 * the next connection with it: after every restart of the database, one request more per
 * connection. Here the message that it waits for follows the error. (Not over TLS, where postgres.js
 * takes the socket over.)
 */
export function guardedSocket(address: NonNullable<ConnectionTarget['address']>): Socket {
  const socket = new Socket();
  let last: Buffer | undefined;
  socket.on('data', (chunk: Buffer) => { last = chunk; });
  // Registered before those of postgres.js, which hear of it afterwards.
  socket.once('close', (had_error) => {
    // A cancel request is answered by closing.
    const unanswered = last === undefined && socket.bytesWritten !== CANCEL_REQUEST_BYTES;
    if (unanswered && !had_error && socket.listenerCount('error') > 0) {
      socket.emit('error', Object.assign(
        new Error('the database closed the connection without an answer'),
        { code: 'CONNECTION_CLOSED' }));
    } else if (last !== undefined && endsWithFatalError(last)) socket.emit('data', READY);
  });
  if ('path' in address) return socket.connect(address.path);
  socket.connect(address.port, address.host);
  // The name that TLS asks the certificate for.
  return Object.assign(socket, { host: address.host });
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
