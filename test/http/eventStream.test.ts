/** Server-sent events on the wire: framing, quiet, slow and vanishing readers, drain, limits. */
import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { GatehouseError } from '../../src/errors.ts';
import { Patience, patience } from '../../src/patience.ts';
import { isCollected } from '../support/collected.ts';
import {
  AUTHORIZED, JSON_BODY, deferred, errorOf, readAll, readUntil, room, type Handler,
} from './support.ts';

const PATH = '/v1/runs/run_1/events';
const WANTED = { ...AUTHORIZED, accept: 'text/event-stream' };
const HEAD = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZED.authorization}\r\n`
  + 'Accept: text/event-stream\r\n\r\n';
const frame = (sequence_number: number, json = '{}') => ({ sequence_number, type: 'x', json });
/** A room whose streamRunEvents answers with these events. */
const streaming = (events: Handler) =>
  ({
    streamRunEvents: (context: Parameters<Handler>[0]) =>
      ({ status: 200, events: events(context) }),
  });

t.test('headers and frames are exactly as promised', async (t) => {
  const { fetch } = await room(t, {
    handlers: streaming(async function* () {
      yield [];
      yield [frame(1, '{"a":1}'), { ...frame(2), type: 'run.completed' }];
      yield [];
      yield [frame(3)];
    } as Handler),
  });
  const answer = await fetch(PATH, { headers: WANTED });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.equal(answer.headers.get('cache-control'), 'no-store, no-transform');
  t.equal(answer.headers.get('x-accel-buffering'), 'no');
  t.match(answer.headers.get('x-request-id'), /^req_/);
  t.equal(await answer.text(), 'retry: 1000\nevent: x\ndata: {"a":1}\nid: 1\n\n'
    + 'event: run.completed\ndata: {}\nid: 2\n\nevent: x\ndata: {}\nid: 3\n\n');
});

t.test('HEAD has the head of a stream, and says no length', async (t) => {
  const { fetch, raw } = await room(t, {
    handlers: streaming(async function* () { yield [frame(1)]; } as Handler) });
  const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];
  const namesOf = ({ headers }: Response) =>
    [...headers.keys()].filter((name) => !OF_THE_CONNECTION.includes(name)).sort();
  const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) =>
    fetch(PATH, { method, headers: WANTED })));
  t.equal(await head!.text(), '');
  t.strictSame(namesOf(head!), namesOf(get!));
  t.equal(head!.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.notOk(head!.headers.has('content-length'));
  await get!.text();
  const two = `${HEAD.replace('GET', 'HEAD')}GET /healthz HTTP/1.1\r\nHost: x\r\n`
    + 'Connection: close\r\n\r\n';
  t.match(await raw(two), /^HTTP\/1\.1 200 OK[^]*\r\n\r\nHTTP\/1\.1 200 OK/, 'nothing follows it');
});

t.test('an empty stream is a stream, and closes', async (t) => {
  const { fetch } = await room(t, { handlers: streaming(async function* () {} as Handler) });
  const answer = await fetch(PATH, { headers: WANTED });
  t.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.equal(await answer.text(), '');
});

t.test('the connection serves another request after a stream; HTTP/1.0 gets a plain one',
  async (t) => {
    const { socket, raw } = await room(t, {
      handlers: streaming(async function* () { yield [frame(1)]; } as Handler),
    });
    const opened = await socket();
    opened.write(HEAD);
    await readUntil(opened, '0\r\n\r\n');
    opened.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    t.match(await readAll(opened), /^HTTP\/1\.1 200 OK[^]*\{"status":"ok"\}$/);
    const old = await raw(HEAD.replace('HTTP/1.1', 'HTTP/1.0'));
    t.match(old, /\r\n\r\nretry: 1000\nevent: x\ndata: \{\}\nid: 1\n\n$/, 'not in chunks');
    t.match(old, /Connection: close/);
  });

t.test('a quiet stream opens at once and is kept alive by comments', async (t) => {
  const { socket } = await room(t, {
    config: { heartbeat_ms: 10 },
    handlers: streaming(async function* ({ signal }: { signal: AbortSignal }) {
      await once(signal, 'abort');
    } as Handler),
  });
  const opened = await socket();
  opened.write(HEAD);
  t.match(await readUntil(opened, ': keep-alive\n'), /^HTTP\/1\.1 200 OK[^]*retry: 1000\n(?!\n)/,
    'it says when to come again, and ends no event by that');
  await readUntil(opened, ': keep-alive\n');
});

t.test('a blank line ends an event and is nowhere else, whatever comes between', async (t) => {
  let text = '';
  let onText: (() => void) | undefined;
  // Beats of the stream itself pass between two events, and before the first. What is sent comes
  // late: those count that have come after the last that was written.
  const quietAfter = async (last: string) => {
    const beats = () => (text.split(last)[1] ?? '').split(': keep-alive\n').length - 1;
    while (beats() < 2) await new Promise<void>((resolve) => { onText = resolve; });
  };
  const { socket, server } = await room(t, {
    config: { heartbeat_ms: 10 },
    handlers: streaming(async function* ({ signal }: { signal: AbortSignal }) {
      await quietAfter('retry: 1000\n');
      yield [];
      yield [frame(1)];
      await quietAfter('id: 1\n\n');
      yield [frame(2), frame(3)];
      await quietAfter('id: 3\n\n');
      void server.drain();
      await once(signal, 'abort');
    } as Handler),
  });
  const opened = await socket();
  opened.on('data', (chunk: Buffer) => {
    text += String(chunk);
    onText?.();
  });
  opened.write(HEAD.replace('HTTP/1.1', 'HTTP/1.0')); // not in chunks
  const [, body] = (await readAll(opened)).split('\r\n\r\n');
  const beats = '(?:: keep-alive\\n){2,}';
  t.match(body, new RegExp(`^retry: 1000\\n${beats}event: x\\ndata: \\{\\}\\nid: 1\\n\\n`
    + `${beats}event: x\\ndata: \\{\\}\\nid: 2\\n\\nevent: x\\ndata: \\{\\}\\nid: 3\\n\\n`
    + `${beats}: the server is stopping; resume after the last id\\n$`));
});

t.test('an error before the first event is an ordinary answer', async (t) => {
  const { fetch } = await room(t, {
    handlers: streaming(async function* () {
      throw new GatehouseError('events_expired', 'Gone.',
        { details: { earliest_sequence_number: 7 } });
    } as Handler),
  });
  const answer = await fetch(PATH, { headers: WANTED });
  t.equal(answer.status, 410);
  t.match(await errorOf(t, answer), { details: { earliest_sequence_number: 7 } });
});

t.test('an error after the first event cuts the connection: never a clean end', async (t) => {
  const broken = streaming(async function* () {
    yield [frame(1)];
    throw new Error('the database is gone');
  } as Handler);
  const { fetch, raw, socket, logged } = await room(t, { handlers: broken });
  const answer = await fetch(PATH, { headers: WANTED });
  await t.rejects(answer.text());
  const text = await raw(HEAD);
  t.match(text, 'id: 1\n');
  t.notMatch(text, '0\r\n\r\n', 'no last chunk');
  const old = await socket();
  const reset = once(old, 'error');
  old.write(HEAD.replace('HTTP/1.1', 'HTTP/1.0'));
  old.resume();
  t.match(await reset, [{ code: 'ECONNRESET' }], 'HTTP/1.0 knows no other sign');
  t.match(logged.filter(({ level }) => level === 50),
    [{ err: { message: 'the database is gone' } }]);
});

t.test('a client that goes away cancels its source', async (t) => {
  const aborted = deferred();
  const returned = deferred();
  const { socket } = await room(t, {
    handlers: streaming(async function* ({ signal }: { signal: AbortSignal }) {
      try {
        yield [frame(1)];
        await once(signal, 'abort');
        aborted.resolve();
        yield [frame(2)];
      } finally {
        returned.resolve();
      }
    } as Handler),
  });
  const opened = await socket();
  opened.write(HEAD);
  await readUntil(opened, 'id: 1\n');
  opened.destroy();
  await aborted.promise;
  await returned.promise;
  t.pass('both were told');
});

t.test('a reader that takes nothing holds its source back, and is cut off', async (t) => {
  let pulled = 0;
  const ended = deferred();
  // A batch is more than the socket takes: the stream stops between two of its pieces.
  const json = JSON.stringify('x'.repeat(60_000));
  const batch = Array.from({ length: 200 }, (_, i) => frame(i + 1, json));
  const { socket, fetch, logged } = await room(t, {
    config: { stalled_stream_ms: 100, heartbeat_ms: 10 },
    handlers: streaming(async function* () {
      try {
        for (; pulled < 1_000; pulled++) yield batch;
      } finally {
        ended.resolve();
      }
    } as Handler),
  });
  const opened = await socket();
  opened.pause();
  opened.write(HEAD);
  await ended.promise;
  t.ok(pulled < 10, `the source gave ${pulled} of 1,000 batches`);
  t.ok(logged.some(({ end }) => end === 'stalled'));
  t.equal((await fetch('/healthz')).status, 200);
});

t.test('one huge batch is written in pieces, as the reader takes them', async (t) => {
  const json = JSON.stringify('y'.repeat(2_000));
  const batch = Array.from({ length: 2_000 }, (_, i) => frame(i + 1, json));
  const { fetch } = await room(t, {
    handlers: streaming(async function* () { yield batch; } as Handler),
  });
  const text = await (await fetch(PATH, { headers: WANTED })).text();
  t.strictSame([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
    batch.map(({ sequence_number }) => sequence_number));
});

/** Answers with one batch; then the source does `rest`, until the batch was seen to be let go. */
async function holdsNothing(
  t: Test, rest: (stopped: Promise<unknown>) => Promise<unknown>): Promise<void> {
  let sent: WeakRef<object> | undefined;
  const batch = () => {
    const frames = [frame(1)];
    sent = new WeakRef(frames);
    return frames;
  };
  const stopped = deferred();
  const source = {
    next: () => sent === undefined ? Promise.resolve({ done: false, value: batch() })
      : rest(stopped.promise),
  };
  const { socket } = await room(t, {
    handlers: streaming((() => ({ [Symbol.asyncIterator]: () => source })) as unknown as Handler),
  });
  const opened = await socket();
  opened.write(HEAD);
  await readUntil(opened, 'id: 1\n');
  t.ok(await isCollected(sent!));
  stopped.resolve();
  await readUntil(opened, '0\r\n\r\n');
}

t.test('a stream that waits holds nothing of what it has sent', async (t) => {
  const end = { done: true, value: undefined };
  await holdsNothing(t, (stopped) => stopped.then(() => end));
  const asked: unknown[] = [];
  const another = new Patience('another');
  const pause = (stopped: Promise<unknown>) => ({
    whenMore: (onMore: () => void) => void stopped.then(() => another.during(onMore)) });
  await holdsNothing(t, async (stopped) => asked.push(patience()?.name) > 1 ? end
    : { done: false, value: pause(stopped) });
  t.strictSame(asked, [undefined, undefined],
    'a source that pauses is not asked before it says so, and in the name of nobody else');
});

t.test('a stream whose source pauses is opened, ends with a drain and cancels it', async (t) => {
  const returned = deferred();
  const { socket, server } = await room(t, {
    handlers: streaming(async function* () {
      try {
        yield { whenMore() {} };
      } finally {
        returned.resolve();
      }
    } as Handler),
  });
  const opened = await socket();
  opened.write(HEAD);
  await readUntil(opened, 'retry: 1000\n');
  const rest = readAll(opened);
  await server.drain();
  t.match(await rest, /: the server is stopping[^]*0\r\n\r\n$/);
  await returned.promise;
});

t.test('a drain ends streams, each with a comment', async (t) => {
  const { socket, server, logged } = await room(t, {
    handlers: streaming(async function* ({ signal }: { signal: AbortSignal }) {
      yield [frame(1)];
      await once(signal, 'abort');
    } as Handler),
  });
  const opened = await socket();
  opened.write(HEAD);
  await readUntil(opened, 'id: 1\n');
  const rest = readAll(opened);
  await server.drain();
  t.match(await rest, /: the server is stopping[^]*0\r\n\r\n$/);
  t.ok(logged.some(({ end }) => end === 'drained'));
});

t.test('streams per key are limited, and given back', async (t) => {
  const forever = streaming(async function* ({ signal }: { signal: AbortSignal }) {
    yield [frame(1)];
    await once(signal, 'abort');
  } as Handler);
  let created = 0;
  const { socket, fetch, logged } = await room(t, {
    config: { streams_per_key: 2 },
    handlers: {
      ...forever,
      createRun: async (context) => {
        context.reserveStream();
        created++;
        return { status: 200, events: (async function* () {})() };
      },
    },
  });
  const open = [await socket(), await socket()];
  for (const opened of open) {
    opened.write(HEAD);
    await readUntil(opened, 'id: 1\n');
  }
  const third = await fetch(PATH, { headers: WANTED });
  t.equal(third.status, 429);
  t.equal(third.headers.get('retry-after'), '1');
  t.equal((await errorOf(t, third)).code, 'rate_limited');
  const run = {
    method: 'POST', headers: JSON_BODY,
    body: '{"stream":true,"input":[{"role":"user","content":[{"type":"input_text","text":"x"}]}]}',
  };
  t.equal((await fetch('/v1/sessions/s/runs', run)).status, 429);
  t.equal(created, 0, 'refused before anything was done');
  open[0]!.destroy();
  while (!logged.some(({ end }) => end === 'client_gone')) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let i = 0; i < 5; i++) {
    t.equal((await fetch('/v1/sessions/s/runs', run)).status, 200, 'each gives it back');
  }
});

t.test('HEAD of a stream is its head', async (t) => {
  let pulled = false;
  const { fetch } = await room(t, {
    handlers: streaming(async function* () { pulled = true; yield [frame(1)]; } as Handler),
  });
  const answer = await fetch(PATH, { method: 'HEAD', headers: WANTED });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.notOk(pulled);
});

t.test('many stalled readers do not grow the heap', async (t) => {
  const piece = JSON.stringify('z'.repeat(20_000));
  const { port, fetch } = await room(t, {
    config: { streams_per_key: 1_000, stalled_stream_ms: 60_000 },
    handlers: streaming(async function* () {
      for (let i = 1; i <= 100_000; i++) yield [frame(i, piece)];
    } as Handler),
  });
  const open = Array.from({ length: 200 }, () => {
    const opened = connect(port, '127.0.0.1');
    t.teardown(() => opened.destroy());
    opened.pause();
    opened.write(HEAD);
    return once(opened, 'connect');
  });
  await Promise.all(open);
  let last = 0;
  let now = process.memoryUsage().arrayBuffers;
  do { // until what is buffered settles
    last = now;
    for (let i = 0; i < 20; i++) t.equal((await fetch('/healthz')).status, 200);
    now = process.memoryUsage().arrayBuffers;
  } while (now > last * 1.01);
  // Garbage that was not collected yet counts; what would pile up unread is 400 GB.
  t.ok(process.memoryUsage().heapUsed < 1_000_000_000, `${process.memoryUsage().heapUsed} bytes`);
});
