/** What comes over one connection without waiting for answers, and what comes without a key. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { onClientError } from '../../src/http/clientError.ts';
import { Pipeline } from '../../src/http/pipeline.ts';
import { strangerAt } from '../../src/http/strangers.ts';
import { LoopTurns, TooMuchAsked } from '../../src/http/turns.ts';
import { listen } from '../support/listen.ts';
import { AUTHORIZED, room } from './support.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** Of one read of a socket. */
const CHUNK_BYTES = 65_536;

t.test('one request of a connection is served at a time, and only so many are read', async (t) => {
  let under_way = 0;
  let most = 0;
  let taken = 0;
  let is_held = true;
  const held: ServerResponse[] = [];
  const answer = (res: ServerResponse) => res.end('x', () => { under_way -= 1; });
  const pipeline = new Pipeline((_req, res) => {
    most = Math.max(most, under_way += 1);
    if (is_held) held.push(res);
    else answer(res);
  });
  const server = createServer((req, res) => {
    taken += 1;
    pipeline.take(req, res);
  });
  const client = connect(await listen(t, server), '127.0.0.1');
  const [socket] = await once(server, 'connection') as [Socket];
  const paused = once(socket, 'pause');
  const many = 20 * CHUNK_BYTES / REQUEST.length | 0;
  client.write(REQUEST.repeat(many));
  await paused;
  t.ok(taken <= CHUNK_BYTES / REQUEST.length + 1, `${taken} of ${many} requests were read`);
  is_held = false;
  answer(held[0]!);
  let said = '';
  const answers = () => said.split('HTTP/1.1 200').length - 1;
  for await (const data of client) {
    said += String(data);
    if (taken === many && answers() === many) break;
  }
  t.equal(most, 1);
  t.equal(answers(), many, 'all of them are answered in the end');
  client.destroy();
});

/** A server of two requests that come at once, and what the client is answered in all. */
async function twoAtOnce(t: Pick<Test, 'teardown'>) {
  const begun: ServerResponse[] = [];
  const { promise: first, resolve } = Promise.withResolvers<ServerResponse>();
  const pipeline = new Pipeline((_req, res) => {
    begun.push(res);
    resolve(res);
  });
  const client = connect(await listen(t, createServer(pipeline.take)), '127.0.0.1');
  client.write(REQUEST + REQUEST);
  return { begun, pipeline, first: await first, answers: text(client) };
}

t.test('nothing is begun that can no longer be answered', async (t) => {
  const { begun, first, answers } = await twoAtOnce(t);
  first.setHeader('Connection', 'close').end('last');
  t.match(await answers, /last$/);
  t.equal(begun.length, 1);
});

t.test('one that waits its turn is not said to be slow', async (t) => {
  const { begun, first, pipeline, answers } = await twoAtOnce(t);
  const socket = first.socket!;
  const error = Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  onClientError(error, socket, (on) => pipeline.lastOf(on as Socket));
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  const closed = once(first, 'close');
  first.end('one');
  await closed;
  begun[1]!.setHeader('Connection', 'close').end('two');
  const told = await answers;
  t.match(told, /one[^]*two$/);
  t.notMatch(told, /408/);
});

t.test('who shows no credential takes turns of the address, and health needs none', async (t) => {
  const shares: string[] = [];
  class Watched extends LoopTurns {
    override take(share: string): Promise<void> | undefined {
      shares.push(share);
      return share === strangerAt('127.0.0.1') ? Promise.reject(new TooMuchAsked()) : undefined;
    }
  }
  const { fetch } = await room(t, { turns: new Watched() });
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(path, { headers })).status;
  t.equal(await statusOf('/healthz'), 200);
  t.equal(await statusOf('/readyz'), 200);
  t.strictSame(shares, []);
  t.equal(await statusOf('/v1/sessions', AUTHORIZED), 200);
  t.strictSame(shares, ['wsp_1']);
  shares.length = 0;
  t.equal(await statusOf('/v1/runs?limit=x', AUTHORIZED), 400);
  t.strictSame(shares, ['wsp_1'], 'who is known, also where it is refused');
  for (const path of ['/v1/sessions', '/nowhere', '/docs', '/v1/runs/%zz']) {
    shares.length = 0;
    t.equal(await statusOf(path), 429, path);
    t.strictSame(shares, [strangerAt('127.0.0.1')], path);
  }
});
