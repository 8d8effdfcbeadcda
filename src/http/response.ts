/** The response class of our servers: what holds for every answer, whoever writes it. */
import { ServerResponse, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A browser that guessed at types could take what others wrote for a page of ours. */
const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** The same for an answer that is written without a response. */
export const NOSNIFF_LINE = `${NOSNIFF.join(': ')}\r\n`;

/**
 * Adds the header to each head as it is written: to ours, and to those that node writes itself, for
 * a request without a Host and for an Expect that it does not know.
 */
export class Response extends ServerResponse {
  override writeHead(status: number, ...rest: (string | Headers | undefined)[]): this {
    const reason = typeof rest[0] === 'string' ? [rest[0]] : [];
    const headers = rest.at(-1);
    const all: Headers = Array.isArray(headers) ? [...headers, ...NOSNIFF]
      : { ...(typeof headers === 'object' && headers), [NOSNIFF[0]]: NOSNIFF[1] };
    return super.writeHead(status, ...reason as [string], all);
  }
}
