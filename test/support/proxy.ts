/** A way to the database that can be closed or frozen, as if it were away. */
import { connect, createServer, type Socket } from 'node:net';
import { databaseTarget } from '../../src/store/driver/databaseTarget.ts';
import { portOf } from './listen.ts';

export interface Proxy {
  /** The same database, by way of the proxy. */
  url: string;
  /** Passes nothing on any more, without a word; until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Breaks every connection and takes no new ones. */
  close(): Promise<void>;
}

/** Starts a proxy on a free port in front of the database of `url`; repeating `close` is fine. */
export async function startProxy(url: string): Promise<Proxy> {
  const [address] = databaseTarget(url).addresses;
  if (!address) throw new Error('the database has more than one address');
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  let thawed: Promise<void> | undefined;
  const server = createServer(async (client) => {
    keep(client);
    await thawed;
    const database = keep(connect(address));
    client.pipe(database).pipe(client);
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
  });
  const through = new URL(url);
  through.searchParams.delete('host');
  through.host = `127.0.0.1:${await portOf(server)}`;
  let thaw = () => {};
  return {
    url: through.href,
    freeze() {
      const { promise, resolve } = Promise.withResolvers<void>();
      thawed = promise;
      for (const socket of sockets) socket.pause();
      thaw = () => {
        thawed = undefined;
        for (const socket of sockets) socket.resume();
        resolve();
      };
    },
    thaw: () => thaw(),
    async close() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
