import { prompt, type PublicId } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds, same } from '../expect.ts';
import type { Ground } from '../ground.ts';
import { LIST_CONNECTIONS, need } from '../need.ts';
import type { CallOptions, Loose } from '../wire.ts';

interface Keyed {
  id: PublicId;
  path?: Record<string, string>;
  body: object;
  /** Another request for the same operation. */
  other: object;
}

/** A request of each operation that takes a key. Throws Skip at the last, if it cannot be had. */
async function* keyedRequests(ground: Ground): AsyncGenerator<Keyed> {
  const metadata = ground.marked();
  yield { id: 'createSession', body: { title: 'once', metadata }, other: { title: '2', metadata } };
  yield { id: 'createRun', path: { session_id: await ground.session() },
    body: ground.shortRun(), other: ground.shortRun({ metadata: { another: 'yes' } }) };
  await need(ground.wire, LIST_CONNECTIONS);
  yield { id: 'createActionInvocation', body: { action: LIST_CONNECTIONS },
    other: { action: LIST_CONNECTIONS, input: {}, fields: ['data'] } };
}

async function send(
  { wire }: Ground, { id, path, body }: Keyed, key: string, more: CallOptions = {},
): Promise<Loose> {
  return await wire.call(id, { path, body, ...more,
    headers: { 'idempotency-key': key } }) as unknown as Loose;
}

function idOf({ body }: Loose): string {
  return String(body.id ?? body.invocation_id);
}

/** The members of a run that stay as they are while it goes on. */
function lasting({ body }: Loose): unknown {
  if (body.object !== 'run') return body;
  const { id, session_id, model, input, metadata, created_at } = body;
  return { id, session_id, model, input, metadata, created_at };
}

export const idempotencyChecks: Check[] = [{
  name: 'idempotency.replayed',
  shows: 'a repeated request is answered as the first one was, and makes nothing',
  async run(ground) {
    for await (const request of keyedRequests(ground)) {
      const key = ground.unique();
      const first = await send(ground, request, key);
      for (let repeats = 0; repeats < 2; repeats++) {
        const again = await send(ground, request, key);
        same(again.status, first.status, `the status of ${request.id}, repeated`);
        same(lasting(again), lasting(first), `the answer of ${request.id}, repeated`);
        same(again.headers.get('location'), first.headers.get('location'), 'its Location');
        checkReplayHeader(request.id, first, again);
      }
      // The same in other words: the order of members, and white space.
      const reordered = Object.fromEntries(Object.entries(request.body).reverse());
      const reworded = await send(ground, request, key,
        { raw: JSON.stringify(reordered, null, 2) });
      holds(!request.path || reworded.status < 300, `${request.id} in another order is refused`);
      if (reworded.status < 300) same(idOf(reworded), idOf(first), `${request.id}, reordered`);
      if (request.path) {
        const { data } = await ground.wire.expect(200, 'listRuns', { query: request.path });
        same(data.map(({ id }) => id), [idOf(first)], 'the runs of the session');
      }
    }
  },
}, {
  name: 'idempotency.another_request',
  shows: 'a key names one request: another one is refused, and makes nothing',
  async run(ground) {
    for await (const request of keyedRequests(ground)) {
      const key = ground.unique();
      const first = await send(ground, request, key);
      const { param } = await ground.wire.refused(409, 'idempotency_key_reused', request.id,
        { path: request.path, body: request.other, headers: { 'idempotency-key': key } },
        'the key of another request');
      same(param, 'idempotency-key', 'param');
      const again = await send(ground, request, key);
      same(idOf(again), idOf(first), `${request.id}, repeated after the refusal`);
    }
  },
}, {
  name: 'idempotency.new_key',
  shows: 'another key, or none, makes another thing',
  async run(ground) {
    for await (const request of keyedRequests(ground)) {
      const { id, path, body } = request;
      const ids = [
        await send(ground, request, ground.unique()), await send(ground, request, ground.unique()),
        await ground.wire.call(id, { path, body }) as unknown as Loose,
      ].map(idOf);
      same(new Set(ids).size, 3, `the number of things that ${request.id} makes`);
    }
  },
}, {
  name: 'idempotency.at_once',
  shows: 'of requests at the same moment one takes effect; others get its answer, or 409',
  async run(ground) {
    for await (const request of keyedRequests(ground)) {
      const key = ground.unique();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => send(ground, request, key)));
      const done = answers.filter(({ status }) => status < 300);
      holds(done.length > 0, `${request.id}: none of six requests at once has taken effect`);
      same(new Set(done.map(idOf)).size, 1, `the number of things that ${request.id} makes`);
      for (const { status, headers, body } of answers.filter((answer) => !done.includes(answer))) {
        same([status, body.code], [409, 'idempotency_in_progress'], 'the answer of one of six');
        holds(/^\d+$/.test(headers.get('retry-after') ?? ''), '409 in flight has no Retry-After');
      }
      const later = await send(ground, request, key);
      same(idOf(later), idOf(done[0]!), `${request.id}, repeated later`);
      if (request.path) {
        const { data } = await ground.wire.expect(200, 'listRuns', { query: request.path });
        same(data.length, 1, 'the number of runs of the session');
      }
    }
  },
}, {
  name: 'idempotency.modes_of_a_run',
  shows: 'a repeated createRun is about the same run, in the mode that it asks for',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const headers = { 'idempotency-key': ground.unique() };
    const body = ground.shortRun();
    const { id } = await wire.expect(202, 'createRun', { path, headers, body });
    const waited = await ground.finish(path.session_id, body, { headers });
    same([waited.id, waited.status], [id, 'completed'], 'the run, with wait');
    const stream = await wire.follow('createRun',
      { path, headers, body: { ...body, stream: true } });
    same(stream.headers.get('idempotent-replayed'), 'true', 'Idempotent-Replayed of the stream');
    holds(stream.headers.get('location')?.endsWith(`/runs/${id}`) === true,
      `Location of the stream is ${stream.headers.get('location')}`);
    same(await stream.toEnd(), await ground.log(id), 'its events, with stream');
    same((await wire.expect(202, 'createRun', { path, headers, body })).id, id, 'the run, again');
  },
}, {
  name: 'idempotency.bad_key',
  shows: 'a key has a length and letters that it may have',
  async run(ground) {
    const { wire } = ground;
    const body = { metadata: ground.marked() };
    for (const key of ['x'.repeat(256), '\u00e9\u00e8']) {
      await wire.refused(400, 'invalid_request', 'createSession',
        { body, headers: { 'idempotency-key': key } }, 'a bad Idempotency-Key');
    }
    const longest = ground.unique().padEnd(255, 'x');
    await wire.expect(201, 'createSession', { body, headers: { 'idempotency-key': longest } });
  },
}, {
  name: 'idempotency.of_what_was_asked',
  shows: 'instructions and limits are part of a request, whether to wait is not',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const headers = { 'idempotency-key': ground.unique() };
    const body = prompt('@rehearsal words=1', { ...ground.offline, max_steps: 3 });
    await wire.expect(202, 'createRun', { path, headers, body });
    await wire.refused(409, 'idempotency_key_reused', 'createRun',
      { path, headers, body: { ...body, max_steps: 4 } }, 'another limit');
  },
}];

/** A replay says that it is one; the first answer does not. */
function checkReplayHeader(id: PublicId, first: Loose, again: Loose): void {
  const said = ({ headers }: Loose) => headers.get('idempotent-replayed');
  holds(said(first) === null || said(first) === 'false',
    `the first ${id} says of itself Idempotent-Replayed: ${said(first)}`);
  same(said(again), 'true', `Idempotent-Replayed of ${id}, repeated`);
}
