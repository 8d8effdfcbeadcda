/** An upstream that does everything it should not. Each path is one bad habit. */
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { listen } from '../../support/listen.ts';
import { json, type Handler, type Received } from './support.ts';

const MEGABYTE = Buffer.alloc(1_048_576, 'a');
/** 16 MB in 16 kB, and in 3 kB. */
const ZEROS = Buffer.alloc(16_777_216);
const GZIP_BOMB = gzipSync(ZEROS);
const BROTLI_BOMB = brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Writes as fast as it is read, for ever, or until the connection is gone. */
function endless(response: ServerResponse, chunk: Buffer): void {
  const write = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
}

const HABITS: Record<string, Handler> = {
  '/silent': () => {},
  '/trickle': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(timer));
  },
  '/stuck': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":');
  },
  '/endless': (_request, response) => endless(response, MEGABYTE),
  '/endless-gzip': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    endless(response, gzipSync(''));
  },
  '/gzip-bomb': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
      .end(GZIP_BOMB);
  },
  '/brotli-bomb': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'br' }).end(BROTLI_BOMB);
  },
  '/stacked': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' })
      .end(gzipSync(gzipSync(Buffer.alloc(100_000))));
  },
  '/cut-gzip': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(100_000)).subarray(0, 40));
  },
  '/not-gzip': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"a":1}');
  },
  '/not-brotli': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'br' }).end('{"a":1}');
  },
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"a":', () => response.destroy());
  },
  '/hang-up': (_request, response) => void response.destroy(),
  '/headers': (_request, response) => {
    response.setHeader('x-large', 'x'.repeat(100_000)).end();
  },
  '/html-as-json': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('<h1>Sign in</h1>');
  },
  '/json-as-html': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('{"a":1}');
  },
  '/echo': (request, response) => json(response, echo(request), 200, { link: linkOf(request) }),
  '/echo-400': (request, response) => json(response, echo(request), 400),
  '/echo-500': (request, response) => json(response, echo(request), 500),
};

function echo({ method, target, headers, body }: Received): object {
  return { method, target, headers, body: body.toString() };
}

function linkOf({ target }: Received): string {
  return `<http://elsewhere.example${target}&page=2>; rel="next"`;
}

export const hostile: Handler = (request, response) => {
  const [path = ''] = request.target.split('?');
  response.on('error', () => {});
  HABITS[path]!(request, response);
};

/** A server that speaks no HTTP, or a little of it: it answers with `bytes`, again and again. */
export async function serveBytes(
  t: Pick<Test, 'teardown'>, bytes: string, repeat = false,
): Promise<{ url: string, egress_allow: string[] }> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => {
      socket.write(bytes);
      const write = () => {
        while (!socket.destroyed && socket.write('x-more: and more and more and more\r\n'));
        if (!socket.destroyed) socket.once('drain', write);
      };
      if (repeat) write();
    });
  });
  const port = await listen(t, server);
  return { url: `http://127.0.0.1:${port}`, egress_allow: [`127.0.0.1:${port}`] };
}
