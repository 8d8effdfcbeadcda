/** A proxy as operators put one before the service: below a prefix, and sometimes a bad line. */
import {
  createServer, request, type IncomingMessage, type ServerResponse,
} from 'node:http';
import type { Test } from 'tap';
import { listen } from '../support/listen.ts';

export interface PrefixProxy {
  /** Where the service's `/` is, without a slash at its end. */
  url: string;
  /** What becomes of the next event streams, in order; those after them pass. */
  ahead: ('hold' | 'cut')[];
  /** How many event streams there were. */
  streams: number;
  /** Lets go what is held. */
  release(): void;
}

/** `hold`: only the first event passes until `release`. `cut`: and then the connection breaks. */
export async function prefixProxy(t: Pick<Test, 'teardown'>, origin: string): Promise<PrefixProxy> {
  const prefix = '/some/prefix';
  let held = Promise.withResolvers<void>();
  const server = createServer((req, res) => {
    if (!req.url!.startsWith(`${prefix}/`)) {
      res.writeHead(404).end();
      return;
    }
    const upstream = request(origin + req.url!.slice(prefix.length),
      { method: req.method!, headers: req.headers }, (answer) => void answerBy(answer, res));
    upstream.on('error', () => res.destroy());
    res.on('close', () => upstream.destroy());
    req.pipe(upstream);
  });
  async function answerBy(answer: IncomingMessage, res: ServerResponse): Promise<void> {
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream');
    if (isStream) proxy.streams++;
    let mode = isStream ? proxy.ahead.shift() : undefined;
    res.writeHead(answer.statusCode!, answer.headers);
    const write = (bytes: Buffer) => new Promise((resolve) => res.write(bytes, resolve));
    let waiting = Buffer.alloc(0);
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        waiting = Buffer.concat([waiting, chunk]);
        const first = mode && /^[^]*?^id: [^]*?\n\n/m.exec(waiting.toString('latin1'));
        if (mode && !first) continue;
        if (first) {
          await write(waiting.subarray(0, first[0].length));
          waiting = waiting.subarray(first[0].length);
          if (mode === 'cut') return void res.destroy();
          await held.promise;
          mode = undefined;
        }
        await write(waiting);
        waiting = Buffer.alloc(0);
      }
      res.end();
    } catch {
      res.destroy();
    }
  }
  t.teardown(() => held.resolve());
  const proxy: PrefixProxy = {
    url: `http://127.0.0.1:${await listen(t, server)}${prefix}`,
    ahead: [],
    streams: 0,
    release() {
      held.resolve();
      held = Promise.withResolvers();
    },
  };
  return proxy;
}
