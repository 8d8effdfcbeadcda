/**
 * Answers on connections without a request that could have a response: garbage, too large headers,
 * what came too slowly, and who asks for a tunnel.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '../ids.ts';
import { NOSNIFF_LINE } from './response.ts';

interface ErrorAnswer { status: number; reason: string; message: string }

const ANSWERS: Record<string, ErrorAnswer> = {
  HPE_HEADER_OVERFLOW: {
    status: 431, reason: 'Request Header Fields Too Large',
    message: 'The headers of this request are larger than 16 KiB. Send fewer or shorter ones.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413, reason: 'Payload Too Large',
    message: 'The chunk extensions of this request are too large. Leave them out.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408, reason: 'Request Timeout',
    message: 'This request took too long to arrive. Send it again.',
  },
};
const GARBAGE: ErrorAnswer = {
  status: 400, reason: 'Bad Request', message: 'This is not a valid HTTP request.',
};
const TUNNEL: ErrorAnswer = {
  status: 400, reason: 'Bad Request', message: 'CONNECT asks for a tunnel, and this service is no'
    + ' proxy. Is it set as one? Send requests to it as to any other server.',
};

/**
 * Handles node's `clientError`, of a server whose last response on a connection `responseOn` tells.
 * Node.js looks for requests that took too long before it reads what has come: if the process
 * itself stood still, the whole request may lie there. So that is read first, and a request that is
 * then complete is answered as any other. A connection on which nothing has come is closed
 * without a word: clients open some before they need them, and what one sends at this very moment
 * would have 408 for its answer.
 */
export function onClientError(
  error: NodeJS.ErrnoException, socket: Duplex,
  responseOn: (socket: Duplex) => ServerResponse | undefined): void {
  const before = responseOn(socket);
  const answer = () => answerClientError(error, socket, responseOn(socket));
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return answer();
  const was_complete = before?.req.complete === true;
  // The first comes before the sockets are read, if a timer is at work; the second after it.
  setImmediate(() => setImmediate(() => {
    const latest = responseOn(socket);
    // It waits for answers before its own, and nobody has read it yet: that is not the client's
    // doing. The connection is bounded by how long it may be idle.
    if (latest && latest.socket === null && !latest.writableFinished) return;
    if (latest?.req.complete === true && !(latest === before && was_complete)) return;
    if ((socket as Socket).bytesRead === 0) socket.destroy();
    else answer();
  }));
}

/**
 * The same at once. `response` is the last response begun on this connection. It ends first, or the
 * client would take this answer for a part of it.
 */
export function answerClientError(
  error: NodeJS.ErrnoException, socket: Duplex, response: ServerResponse | undefined): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  endAfter(response, socket, ANSWERS[error.code ?? ''] ?? GARBAGE);
}

/** Refuses a tunnel. Node.js has let go of the connection, and takes no answer for it. */
export function refuseTunnel(socket: Duplex, response: ServerResponse | undefined): void {
  socket.on('error', () => socket.destroy());
  endAfter(response, socket, TUNNEL);
}

function endAfter(
  response: ServerResponse | undefined, socket: Duplex, answer: ErrorAnswer): void {
  if (!socket.writable) return void socket.destroy();
  const busy = response !== undefined && !response.writableFinished && !response.destroyed;
  if (!busy) return end(socket, answer);
  // The invalid bytes are the body of that response's own request.
  if (!response.req.complete) {
    if (response.headersSent) socket.destroy();
    else end(socket, answer);
    return;
  }
  response.once('finish', () => end(socket, answer));
  response.once('close', () => socket.destroy());
}

function end(socket: Duplex, { status, reason, message }: ErrorAnswer): void {
  if (!socket.writable) return void socket.destroy();
  const request_id = newId('req');
  const body = JSON.stringify({
    error: message, code: status === 413 ? 'payload_too_large' : 'invalid_request',
    param: null, request_id,
  });
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n`
    + `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\n${NOSNIFF_LINE}`
    + `X-Request-Id: ${request_id}\r\nConnection: close\r\n\r\n${body}`);
  // A client that goes on sending garbage is cut off.
  setTimeout(() => socket.destroy(), 1_000).unref();
}
