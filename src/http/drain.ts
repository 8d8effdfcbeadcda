/** How a server stops: what is before it has to hear of it first. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';

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
  server.on('request', ({ socket }) => silent.delete(socket));
  return silent;
}

/** Ends the server, as `HttpServer.drain` has it. */
export async function drain(
  server: Server, silent: ReadonlySet<Socket>, { leaving, draining, over }: Stages,
  { drain_ms, trusted_proxies }: Pick<Config, 'drain_ms' | 'trusted_proxies'>,
): Promise<void> {
  leaving.abort();
  if (!server.listening) return draining.abort();
  const timers = [setTimeout(() => over.abort(), drain_ms),
    setTimeout(() => server.closeAllConnections(), drain_ms + LAST_ANSWER_MS)];
  // A proxy would send requests to a port that is closed, or on a connection that is, until it has
  // asked whether this node is ready; and it repeats none that it has sent. Meanwhile each answer
  // says "Connection: close", so that few connections are left when the port is closed.
  if (trusted_proxies !== null) await delay(drain_ms / 2);
  // After what has come in by now was taken: to close is to reset it.
  await new Promise((resolve) => setImmediate(resolve));
  const closed = once(server.close(), 'close');
  draining.abort();
  // Event streams end by the signal. The connection of a stream was promised to stay open: it
  // becomes idle and is closed here.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    // Connections without a request are closed, too: nobody waits for an answer there.
    for (const socket of silent) socket.destroy();
  }, SWEEP_MS);
  await closed;
  clearInterval(sweep);
  for (const timer of timers) clearTimeout(timer);
}
