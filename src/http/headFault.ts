/** What Node.js would refuse by itself, without a word of why and without a request id. */
import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../errors.ts';

/** Why no request with such a head is served; undefined if there is no such reason. */
export function headFault({ httpVersionMinor, headers }: IncomingMessage):
GatehouseError | undefined {
  // Before HTTP/1.1 there was neither.
  if (httpVersionMinor === 0) return undefined;
  if (headers.host === undefined) {
    return new GatehouseError('invalid_request', 'The request has no Host header, which HTTP/1.1'
      + ' asks for. Send it, with the name of this server.', { param: 'host' });
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    return new GatehouseError('invalid_request', 'This service meets no expectation but'
      + ' "Expect: 100-continue". Send that, or leave the header out.', { param: 'expect' });
  }
  return undefined;
}
