/** The response class of our servers: what holds for every answer, whoever writes it. */
import { ServerResponse, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

type HeadHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A browser that guessed at types could take what others wrote for a page of ours. */
const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** The same for an answer that is written without a response. */
export const NOSNIFF_LINE = `${NOSNIFF.join(': ')}\r\n`;

/**
 * Adds the header to each head as it is written: to ours, and to those that node writes itself, for
 * a request without a Host and for an Expect that it does not know.
 */
export class NosniffResponse extends ServerResponse {
  override writeHead(status: number, reason?: string | HeadHeaders, headers?: HeadHeaders): this {
    return typeof reason === 'string' ? super.writeHead(status, reason, withNosniff(headers))
      : super.writeHead(status, withNosniff(headers ?? reason));
  }
}

function withNosniff(headers: HeadHeaders | undefined): HeadHeaders {
  return Array.isArray(headers) ? [...headers, ...NOSNIFF]
    : { ...headers, [NOSNIFF[0]]: NOSNIFF[1] };
}
