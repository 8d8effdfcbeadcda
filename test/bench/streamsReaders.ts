/**
 * The readers of test/bench/streams.ts, in a process of their own: bare sockets, at low priority.
 * Real ones are on other machines, and what they cost is not to be had from the node's share.
 */
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { StreamsTarget } from './streamsTarget.ts';

export type Ask =
  | { ask: 'open'; target: StreamsTarget; count: number }
  | { ask: 'close' | 'seen' | 'ended' };

/** What all readers together have seen. */
export interface Seen { events: number; farewells: number }

/** So many are opened at a time. */
const AT_ONCE = 20;
const EVENT = '\nevent: ';
const FAREWELL = ': the server is stopping';

const sockets = new Set<Socket>();
const seen: Seen = { events: 0, farewells: 0 };
let onEmpty = () => {};

setPriority(10);
process.on('message', async (message: Ask) => {
  if (message.ask === 'open') {
    const { target, count } = message;
    for (let i = 0; i < count; i += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - i) }, (_, place) =>
        openOne(target, target.paths[(i + place) % target.paths.length]!)));
    }
  } else if (message.ask !== 'seen') {
    const empty = new Promise<void>((resolve) => { onEmpty = resolve; });
    if (message.ask === 'close') for (const socket of sockets) socket.destroy();
    if (sockets.size > 0) await empty;
  }
  process.send!(seen);
});
process.on('disconnect', () => process.exit(0));

/** Resolves when a stream is open. On a busy machine it may be told to ask again. */
async function openOne(target: StreamsTarget, path: string): Promise<void> {
  while (!await open(target, path)) await delay(1_000);
}

/** Resolves when a stream has sent its head and something more; to false for a 503. */
async function open({ port, headers }: StreamsTarget, path: string): Promise<boolean> {
  const head = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.setEncoding('latin1').write(`GET ${path} HTTP/1.1\r\n${head}\r\n`);
  let opened = '';
  socket.on('data', (text: string) => {
    if (opened !== 'yes') {
      opened += text;
      if (opened.startsWith('HTTP/1.1 503 ')) {
        socket.destroy();
        return resolve(false);
      }
      if (!opened.startsWith('HTTP/1.1 200 ')) reject(new Error(opened));
      if (!opened.includes('\nretry: ')) return;
      opened = 'yes';
      resolve(true);
    }
    for (let at = text.indexOf(EVENT); at !== -1; at = text.indexOf(EVENT, at + 1)) {
      seen.events += 1;
    }
    if (text.includes(FAREWELL)) seen.farewells += 1;
  });
  socket.on('error', reject);
  socket.on('close', () => {
    sockets.delete(socket);
    if (sockets.size === 0) onEmpty();
  });
  return await promise;
}
