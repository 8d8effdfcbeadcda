import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** Has a server listen on a free port of 127.0.0.1 until the test ends; answers the port. */
export async function listen(t: Pick<Test, 'teardown'>, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
