/** One address for several clusters, as docs/postgresql.md describes it. */
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';
import type { Test } from 'tap';
import { listen } from './listen.ts';

/**
 * Sends each request on to the cluster of its credential: of an api key or an admin token, which
 * nobody but the map knows the cluster of. Any other goes to the first one, which refuses it. The
 * map is read anew for each request. Answers the base URL.
 */
export async function credentialRouter(
  t: Pick<Test, 'teardown'>, clusters: ReadonlyMap<string, string>): Promise<string> {
  const server = createServer((req, res) => {
    const [, credential = ''] = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '') ?? [];
    const [first] = clusters.values();
    const { hostname, port } = new URL(clusters.get(credential) ?? first!);
    const { method, url: path, headers } = req;
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.rawHeaders);
      res.flushHeaders();
      pipeline(answer, res, () => passed.destroy());
    });
    passed.on('error', () => {
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    });
    req.pipe(passed);
  });
  return `http://127.0.0.1:${await listen(t, server)}/v1`;
}
