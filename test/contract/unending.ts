/** A target of which nobody hears anything after the beginning of each answer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** Its address, with the version segment; it ends at teardown. */
export async function unendingServer(t: Pick<Test, 'teardown'>, status: number): Promise<string> {
  const server = createServer((_, res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).write('{');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
