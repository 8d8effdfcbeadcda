import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Test } from 'tap';

/**
 * Has a server listen on `host` until the test ends, which breaks its connections; answers the
 * port, which is a free one if none is given. Throws EADDRINUSE.
 */
export async function listen(
  t: Pick<Test, 'teardown'>, server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const taken = await portOf(server, port, host);
  t.teardown(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return taken;
}

/** The same of a server that somebody else ends, or the process. */
export async function portOf(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  await once(server.listen(port, host), 'listening');
  return (server.address() as AddressInfo).port;
}
