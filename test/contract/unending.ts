/** A target of which nobody hears anything after the beginning of each answer. */
import { createServer } from 'node:http';
import type { Test } from 'tap';
import { listen } from '../support/listen.ts';

/** Its address, with the version segment; it ends at teardown. */
export async function unendingServer(t: Pick<Test, 'teardown'>, status: number): Promise<string> {
  const server = createServer((_, res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).write('{');
  });
  return `http://127.0.0.1:${await listen(t, server)}/v1`;
}
