/** How a server stops: what is before it has to hear of it first. */
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const SWEEP_MS = 50;
/** For the last answers to be taken. */
const LAST_ANSWER_MS = 1_000;

/** What is aborted in turn: it is not ready any more, it ends streams, it waits no longer. */
export type Stages = Record<'leaving' | 'draining' | 'over', AbortController>;

/** The connections without any request yet; the set changes with time. */
export function silentConnections(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  // One that waits to be told to go on is no 'request' to Node.js.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, ({ socket }: IncomingMessage) => silent.delete(socket));
  }
  return silent;
}

/** Takes the connections that wait: to close the port is to reset them. A turn takes one. */
async function takeWhatCame(server: Server): Promise<void> {
  let taken = 0;
  const count = () => { taken += 1; };
  server.on('connection', count);
  const until_ms = performance.now() + LAST_ANSWER_MS;
  await nextTurn(); // of this one the part may be over in which connections are taken
  let before: number;
  do {
    before = taken;
    await nextTurn();
  } while (before !== taken && performance.now() < until_ms);
  server.off('connection', count);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Ends the server, as `HttpServer.drain` has it. `is_proxied`: a proxy sends requests here. */
export async function drain(
  server: Server, silent: ReadonlySet<Socket>, { leaving, draining, over }: Stages,
  { drain_ms, is_proxied }: { drain_ms: number; is_proxied: boolean }): Promise<void> {
  leaving.abort();
  if (!server.listening) return draining.abort();
  const timers = [setTimeout(() => over.abort(), drain_ms),
    setTimeout(() => server.closeAllConnections(), drain_ms + LAST_ANSWER_MS)];
  // A proxy would send requests to a port that is closed, or on a connection that is, until it has
  // asked whether this node is ready; and it repeats none that it has sent. Meanwhile each answer
  // says "Connection: close", so that few connections are left when the port is closed.
  if (is_proxied) await delay(drain_ms / 2);
  await takeWhatCame(server);
  const closed = once(server.close(), 'close');
  draining.abort();
  // Event streams end by the signal. The connection of a stream was promised to stay open: it
  // becomes idle and is closed here. Connections without a request are closed, too, but not in the
  // turn that has taken them, nor before what they have sent was read: nobody waits there then.
  let was_silent: Socket[] = [];
  const sweep = setInterval(() => setImmediate(() => {
    server.closeIdleConnections();
    for (const socket of was_silent) if (silent.has(socket)) socket.destroy();
    was_silent = [...silent];
  }), SWEEP_MS);
  await closed;
  clearInterval(sweep);
  for (const timer of timers) clearTimeout(timer);
}
