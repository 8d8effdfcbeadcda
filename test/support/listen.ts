import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/**
 * Has a server listen on 127.0.0.1 until the test ends; answers the port, which is a free one if
 * none is given. Throws EADDRINUSE.
 */
export async function listen(
  t: Pick<Test, 'teardown'>, server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  t.teardown(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
