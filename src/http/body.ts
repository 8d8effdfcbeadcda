/** Reading a request's body off its socket, within bounds. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatehouseError } from '../errors.ts';
import type { HeldBody } from './heldBytes.ts';

/** The client went away before its request was complete: nobody is left to answer. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}

/** True if the request announces a body, be it an empty one in chunks. */
export function announcesBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined
    || (headers['content-length'] !== undefined && headers['content-length'] !== '0');
}

/**
 * All bytes of the body. Throws `payload_too_large` as early as possible, by Content-Length or
 * while reading, `rate_limited` if `held` has no room for it, and ClientGone if the connection ends
 * first. After a throw the responder deals with the unread rest.
 */
export function readRequestBody(
  req: IncomingMessage, res: ServerResponse, limit_bytes: number, held: HeldBody,
): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit_bytes) {
    return Promise.reject(bodyTooLarge(limit_bytes));
  }
  // Only now: a client that waits for this word is not told to send a body that is refused. One of
  // HTTP/1.0 would take it for the answer.
  if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length_bytes = 0;
    req.on('data', (chunk: Buffer) => {
      length_bytes += chunk.length;
      try {
        if (length_bytes > limit_bytes) throw bodyTooLarge(limit_bytes);
        held.add(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        req.pause();
        req.removeAllListeners('data');
        reject(error as GatehouseError);
      }
    });
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on('error', () => reject(new ClientGone()));
    // The client may have gone while its key was looked up: neither event would come any more.
    if (req.destroyed) reject(new ClientGone());
  });
}

/** The error for a request that has to have a body, and has none. */
export function emptyBody(): GatehouseError {
  return new GatehouseError('invalid_json', 'The body is empty; it must be JSON.');
}

/** The error for a body of more than `limit_bytes`. */
export function bodyTooLarge(limit_bytes: number): GatehouseError {
  return new GatehouseError('payload_too_large',
    `The body is larger than ${limit_bytes} bytes. Send less at once.`);
}

/**
 * Throws `unsupported_media_type` unless the headers say JSON, in UTF-8, not compressed, and
 * `invalid_json` if they tell of no body at all.
 */
export function requireJson(headers: IncomingMessage['headers']): void {
  const type = headers['content-type'];
  if (type === undefined && !announcesBody(headers)) throw emptyBody();
  if (type !== 'application/json' && !isJson(type ?? '')) {
    throw new GatehouseError('unsupported_media_type', type === undefined
      ? 'The body has no Content-Type. Send "Content-Type: application/json".'
      : 'The body must be JSON in UTF-8. Send "Content-Type: application/json".',
    { param: 'content-type' });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new GatehouseError('unsupported_media_type',
      'Compressed bodies are not supported. Send it without Content-Encoding.',
      { param: 'content-encoding' });
  }
  const transfer = headers['transfer-encoding'];
  // Node.js reads the chunks, and takes what is in them for the body whatever else is named.
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    throw new GatehouseError('unsupported_media_type', 'Bodies are taken in chunks or whole, and in'
      + ' no other transfer coding. Send it without compression.', { param: 'transfer-encoding' });
  }
}

function isJson(type: string): boolean {
  const [name = '', ...parameters] = type.toLowerCase().split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8);
  return name === 'application/json'
    && (charset === undefined || /^"?utf-?8"?$/.test(charset));
}
