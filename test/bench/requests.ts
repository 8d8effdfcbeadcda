/** HTTP requests of benches, over connections that are kept. */
import { Agent, request } from 'node:http';

export const agent = new Agent({ keepAlive: true });

/** A service on loopback and a key of it. */
export interface Target { port: number; api_key: string }

/** Sends a request; `onData` sees the answer's text as it comes. Answers the whole text. */
export function send(
  { port, api_key }: Target, method: string, path: string, body?: string,
  onData?: (text: string) => void,
) {
  return new Promise<string>((resolve, reject) => {
    const req = request({
      agent, method, port, host: '127.0.0.1', path,
      headers: {
        authorization: `Bearer ${api_key}`,
        ...(body !== undefined && {
          'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        onData?.(text);
      }).on('end', () => resolve(text)).on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}
