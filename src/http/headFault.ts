/**
 * What no operation can be asked with: what Node.js would refuse by itself, without a word of why
 * and without a request id, and a header given twice of which either could be meant.
 */
import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../errors.ts';

/** Node.js makes one of several, with commas between; Authorization is none then, by itself. */
const GIVEN_ONCE = ['host', 'idempotency-key'];

/** Why no request with such a head is served; undefined if there is no such reason. */
export function headFault(request: IncomingMessage): GatehouseError | undefined {
  const { httpVersionMinor, headers } = request;
  for (const name of GIVEN_ONCE) {
    if (!String(headers[name]).includes(',')) continue;
    if (request.headersDistinct[name]!.length === 1) continue;
    return new GatehouseError('invalid_request',
      `The header ${name} is given more than once. Give it once.`, { param: name });
  }
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
