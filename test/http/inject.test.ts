/** The service calling itself: the same validation, operations and errors, without a socket. */
import t from 'tap';
import { GatehouseError } from '../../src/errors.ts';
import { LoopTurns, TooMuchAsked } from '../../src/http/turns.ts';
import { AUTHORIZED, CALLER, JSON_BODY, room } from './support.ts';

const OTHER = { workspace_id: 'wsp_2', api_key_id: 'key_2', agent: null };

t.test('an operation runs as the caller that is given', async (t) => {
  const { server } = await room(t);
  const answer = await server.inject({
    method: 'GET', path: '/runs/a%20b/events', query: 'starting_after=2',
    headers: { Accept: '*/*' },
  }, OTHER);
  t.equal(answer.status, 200);
  t.strictSame(answer.body, {
    caller: OTHER, accepts: { any: true, event_stream: false },
    params: { path: { run_id: 'a b' }, query: { starting_after: 2, limit: 100 }, headers: {} },
  });
  const created = await server.inject(
    { method: 'post', path: '/sessions', body: { title: 'x' } }, CALLER);
  t.match(created.body, { body: { title: 'x' }, caller: CALLER });
});

t.test('a token in the headers does not change who is asking', async (t) => {
  const { server } = await room(t);
  const answer = await server.inject({ method: 'GET', path: '/runs', headers: AUTHORIZED }, OTHER);
  t.match(answer.body, { caller: OTHER });
});

t.test('errors come as answers', async (t) => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const { server } = await room(t, {
    handlers: {
      getRun: async () => { throw new GatehouseError('not_found', 'No.'); },
      getSession: async () => { throw new Error('secret'); },
    },
    config: { body_limit_bytes: 2_000, json_depth_limit: 8 },
  });
  const nested = { a: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } };
  for (const [method, path, extra, status, code] of [
    ['GET', '/runs/x', {}, 404, 'not_found'], ['GET', '/sessions/x', {}, 500, 'internal_error'],
    ['GET', '/runs', { query: 'limit=0' }, 400, 'invalid_request'],
    ['GET', '/runs', { query: 'cursor=%zz' }, 400, 'invalid_request'],
    ['GET', '/runs/%ff', {}, 400, 'invalid_request'],
    ['POST', '/sessions', { body: { titel: 1 } }, 400, 'invalid_request'],
    ['POST', '/actions/search', {}, 400, 'invalid_json'],
    ['POST', '/sessions', { body: circular }, 400, 'invalid_request'],
    ['POST', '/sessions', { body: { title: 'x'.repeat(3_000) } }, 413, 'payload_too_large'],
    ['POST', '/action_invocations', { body: { action: 'a', input: nested } }, 400,
      'invalid_request'],
    ['GET', '/nothing', {}, 404, 'not_found'], ['DELETE', '/runs/x', {}, 404, 'not_found'],
    ['GET', '/../v1/runs', {}, 404, 'not_found'],
  ] as const) {
    const answer = await server.inject({ method, path, ...extra }, CALLER);
    t.equal(answer.status, status, `${method} ${path} ${code}`);
    t.match(answer.body, { code, error: String, request_id: /^req_/ });
    t.notMatch(JSON.stringify(answer.body), 'secret');
  }
});

t.test('no operation of the operator can be reached', async (t) => {
  const { server } = await room(t, { services: { authenticateAdmin: async () => null } });
  for (const [method, path] of [
    ['GET', '/admin/workspaces'], ['POST', '/admin/api_keys'], ['DELETE', '/admin/api_keys/x'],
  ] as const) {
    t.equal((await server.inject({ method, path, headers: AUTHORIZED }, CALLER)).status, 404, path);
  }
});

t.test('an event stream cannot be had', async (t) => {
  let created = 0;
  let cancelled = false;
  const { server } = await room(t, {
    handlers: {
      createRun: async (context) => {
        context.reserveStream();
        created++;
        return { status: 202, body: {} };
      },
      streamRunEvents: async () => ({
        status: 200,
        events: { [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: true, value: undefined }),
          return: async () => { cancelled = true; return { done: true, value: undefined }; },
        }) },
      }),
    },
  });
  const content = [{ type: 'input_text', text: 'x' }];
  const body = { stream: true, input: [{ role: 'user', content }] };
  const run = await server.inject({ method: 'POST', path: '/sessions/s/runs', body }, CALLER);
  t.equal(run.status, 400);
  t.equal(created, 0);
  const events = await server.inject({ method: 'GET', path: '/runs/x/events' }, CALLER);
  t.equal(events.status, 500, 'an operation that streams unasked is at fault');
  t.ok(cancelled, 'and its source is cancelled');
});

t.test('the signal given is the one the operation gets', async (t) => {
  const { signal } = new AbortController();
  let seen: AbortSignal | undefined;
  const { server } = await room(t, {
    handlers: {
      getRun: async (context) => {
        seen = context.signal;
        return { status: 200, body: {} };
      },
    },
  });
  await server.inject({ method: 'GET', path: '/runs/x', signal }, CALLER);
  t.equal(seen, signal);
});

t.test('what is a part of something begun is not refused for load', async (t) => {
  class Busy extends LoopTurns {
    override async withFirstBody(): Promise<never> {
      throw new TooMuchAsked();
    }
  }
  const { server, fetch } = await room(t, { turns: new Busy() });
  const path = '/action_invocations';
  const body = { action: 'a', input: { text: 'x'.repeat(100_000) } };
  const sent = await fetch(`/v1${path}`,
    { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) });
  t.equal(sent.status, 429);
  const asked = await server.inject({ method: 'POST', path, body }, CALLER);
  t.match(asked, { status: 200, body: { body } });
});
