/** How much one key, one workspace and one address may take of a process. */
import { once } from 'node:events';
import t, { type Test } from 'tap';
import type { Caller } from '../../src/caller.ts';
import type { Config } from '../../src/config.ts';
import { GatehouseError } from '../../src/errors.ts';
import { faultsOf, limitItems } from '../support/rateLimit.ts';
import { untilSeen } from '../support/until.ts';
import {
  ADMIN, AUTHORIZED, CALLER, deferred, errorOf, JSON_BODY, readUntil, room, type RoomOptions,
} from './support.ts';

/** No limits but those that a test sets. */
const FREE = { rate_per_key: 0, rate_per_workspace: 0, auth_failures_per_minute: 0 };
/** Keys by their names: the first letter names the workspace. */
const keyed = {
  async authenticate(token: string): Promise<Caller> {
    return { workspace_id: token[0]!, api_key_id: token, agent: null };
  },
};
const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const RUNS = '/v1/runs';

/** A room whose clock stands still unless the test moves it: `performance.now` is all it has. */
function stillRoom(t: Test, config: Partial<Config>, options: RoomOptions = {}) {
  // Whole, so that 500 ms on the difference is 500, and not what rounding leaves of it.
  const clock = { now_ms: Math.ceil(performance.now()) };
  t.intercept(performance, 'now', { value: () => clock.now_ms });
  return room(t, { ...options, config: { ...FREE, ...config } })
    .then((made) => ({ ...made, clock }));
}

/** What `count` requests one after another are answered. */
async function statuses(count: number, ask: () => Promise<Response>): Promise<number[]> {
  const answers: number[] = [];
  for (let i = 0; i < count; i++) {
    const response = await ask();
    await response.text();
    answers.push(response.status);
  }
  return answers;
}

async function refused(t: Test, response: Response): Promise<string> {
  t.equal(response.status, 429);
  t.strictSame(faultsOf(response.headers), []);
  const { code, error } = await errorOf(t, response);
  t.equal(code, 'rate_limited');
  return error;
}

t.test('a key asks so often in a second, and more after a pause', async (t) => {
  const { fetch, clock } = await stillRoom(t, { rate_per_key: 1 }, { services: keyed });
  const ask = (key = 'a1') => fetch(RUNS, as(key));
  t.strictSame(await statuses(4, ask), [200, 200, 200, 200], 'those of four seconds at once');
  t.match(await refused(t, await ask()), /asks more often than 1 times a second/);
  t.equal((await ask('a2')).status, 200, 'another key goes on');
  clock.now_ms += 1_000;
  t.strictSame(await statuses(2, ask), [200, 429]);
  clock.now_ms += 3_600_000;
  t.strictSame(await statuses(5, ask), [200, 200, 200, 200, 429], 'a long pause saves no more up');
});

t.test('the keys of a workspace count together', async (t) => {
  const { fetch } = await stillRoom(t, { rate_per_key: 1, rate_per_workspace: 2 },
    { services: keyed });
  t.strictSame(await statuses(5, () => fetch(RUNS, as('a1'))), [200, 200, 200, 200, 429]);
  t.strictSame(await statuses(3, () => fetch(RUNS, as('a2'))), [200, 200, 200]);
  t.strictSame(await statuses(1, () => fetch(RUNS, as('a3'))), [200],
    'what was refused is taken from nobody');
  const full = await fetch(RUNS, as('a3'));
  t.match(limitItems(full.headers, 'RateLimit'),
    [{ policy: 'key', r: 3 }, { policy: 'workspace', r: 0 }]);
  t.match(await refused(t, full), /^This workspace asks more often than 2 times/);
  t.equal((await fetch(RUNS, as('b1'))).status, 200, 'another workspace goes on');
});

t.test('every answer to whoever is known says what is left', async (t) => {
  const { fetch } = await stillRoom(t,
    { rate_per_key: 5, rate_per_workspace: 10 }, {
      handlers: {
        listSessions: async () => { throw new GatehouseError('not_found', 'No.'); },
        streamRunEvents: async () => ({ status: 200, events: (async function* () {})() }),
      },
    });
  const policies = '"key";q=20;w=4, "workspace";q=40;w=4';
  const asked = [RUNS, '/v1/sessions', '/v1/runs?limit=0', '/v1/runs/x/events'];
  for (const [index, path] of asked.entries()) {
    const { headers } = await fetch(path,
      { headers: { ...AUTHORIZED, accept: index === 3 ? 'text/event-stream' : '*/*' } });
    t.equal(headers.get('ratelimit-policy'), policies, path);
    t.equal(headers.get('ratelimit'),
      `"key";r=${19 - index};t=1, "workspace";r=${39 - index};t=1`, path);
  }
  const operator = await fetch('/v1/admin/workspaces', as(ADMIN));
  t.equal(operator.headers.get('ratelimit-policy'), '"key";q=20;w=4');
  for (const path of ['/healthz', '/docs', '/v1/nothing']) {
    t.notOk((await fetch(path)).headers.has('ratelimit'), path);
  }
});

t.test('what the service asks of itself is not counted', async (t) => {
  const { fetch, server } = await stillRoom(t, { rate_per_key: 1 });
  t.strictSame(await statuses(5, () => fetch(RUNS, { headers: AUTHORIZED })),
    [200, 200, 200, 200, 429]);
  for (let i = 0; i < 5; i++) {
    t.equal((await server.inject({ method: 'GET', path: '/runs' }, CALLER)).status, 200);
  }
});

t.test('0 sets no limit', async (t) => {
  const { fetch } = await room(t, { config: { ...FREE, requests_per_key: 0 } });
  const answers = await statuses(450, async () => {
    const response = await fetch(RUNS, { headers: AUTHORIZED });
    if (response.headers.has('ratelimit')) t.fail('no limit, and yet the field');
    return response;
  });
  t.ok(answers.every((status) => status === 200));
});

t.test('a request that is refused for those that are open takes nothing of the rate', async (t) => {
  const end = deferred();
  let waiting = 0;
  const { fetch } = await stillRoom(t, { rate_per_key: 1, requests_per_key: 1 }, {
    services: keyed,
    handlers: {
      listRuns: async () => {
        waiting += 1;
        await end.promise;
        return { status: 200, body: {} };
      },
    },
  });
  const held = fetch(RUNS, as('a1'));
  await untilSeen('a request that waits', () => waiting, (count) => count === 1);
  t.strictSame(await statuses(5, () => fetch(RUNS, as('a1'))), [429, 429, 429, 429, 429]);
  end.resolve();
  await (await held).text();
  t.strictSame(await statuses(4, () => fetch(RUNS, as('a1'))), [200, 200, 200, 429]);
});

t.test('a key and a workspace have only so many requests open', async (t) => {
  const end = deferred();
  let waiting = 0;
  const { fetch } = await room(t, {
    config: { ...FREE, requests_per_key: 2, requests_per_workspace: 3 }, services: keyed,
    handlers: {
      listRuns: async () => {
        waiting += 1;
        await end.promise;
        return { status: 200, body: {} };
      },
    },
  });
  const held = [fetch(RUNS, as('a1')), fetch(RUNS, as('a1')), fetch(RUNS, as('a2'))];
  await untilSeen('three requests that wait', () => waiting, (count) => count === 3);
  const full = await fetch(RUNS, as('a1'));
  t.match(limitItems(full.headers, 'RateLimit-Policy'),
    [{ policy: 'key-requests', q: 2, qu: 'concurrent-requests' }]);
  t.match(await refused(t, full), /This key has 2 requests open/);
  t.match(await refused(t, await fetch(RUNS, as('a3'))), /This workspace has 3 requests open/);
  t.equal((await fetch('/v1/sessions', as('b1'))).status, 200);
  t.equal(waiting, 3, 'nothing was done');
  end.resolve();
  for (const one of held) t.equal((await one).status, 200);
  t.strictSame(await statuses(5, () => fetch(RUNS, as('a1'))), [200, 200, 200, 200, 200],
    'each gives its place back');
});

t.test('a body that comes slowly holds a place, and a client that goes gives it back',
  async (t) => {
    const { fetch, socket } = await room(t, { config: { ...FREE, requests_per_key: 1 } });
    const slow = await socket();
    slow.write('POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
      + `Authorization: ${AUTHORIZED.authorization}\r\nContent-Length: 9\r\n`
      + 'Expect: 100-continue\r\n\r\n');
    await readUntil(slow, '100 Continue'); // its body is being read
    t.equal((await fetch(RUNS, { headers: AUTHORIZED })).status, 429);
    slow.destroy();
    await untilSeen('the place given back',
      async () => (await fetch(RUNS, { headers: AUTHORIZED })).status, (seen) => seen === 200);
    // A refusal, a fault and a body that is none give it back as well.
    for (const [body, status] of [['{', 400], ['{"titel":1}', 400], ['{}', 200]] as const) {
      const made = await fetch('/v1/sessions', { method: 'POST', headers: JSON_BODY, body });
      t.equal(made.status, status);
    }
  });

t.test('event streams count by themselves, those of a workspace together', async (t) => {
  const { fetch, socket, server } = await room(t, {
    config: { ...FREE, streams_per_key: 2, streams_per_workspace: 3, requests_per_key: 1 },
    services: keyed,
    handlers: {
      streamRunEvents: async ({ signal }: { signal: AbortSignal }) => ({
        status: 200,
        events: (async function* () {
          yield [{ sequence_number: 1, type: 'run.created', json: '{}' }];
          await once(signal, 'abort');
        })(),
      }),
    },
  } as RoomOptions);
  const open = async (key: string) => {
    const opened = await socket();
    opened.write(`GET /v1/runs/r/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
      + 'Accept: text/event-stream\r\n\r\n');
    await readUntil(opened, 'id: 1\n');
    return opened;
  };
  const first = await open('a1');
  await open('a1');
  await open('a2');
  t.equal((await fetch(RUNS, as('a1'))).status, 200, 'a stream is no open request');
  const stream = (key: string) => fetch('/v1/runs/r/events',
    { headers: { ...as(key).headers, accept: 'text/event-stream' } });
  t.match(await refused(t, await stream('a1')), /This key has 2 event streams open/);
  t.match(await refused(t, await stream('a2')), /This workspace has 3 event streams open/);
  t.equal(server.openStreams(), 3);
  first.destroy();
  await untilSeen('two open streams', () => server.openStreams(), (count) => count === 2);
  await open('a3');
});

t.test('nobody can write into the fields, and an odd name is only a name', async (t) => {
  const { fetch } = await stillRoom(t, { rate_per_key: 1 }, { services: keyed });
  for (const key of ['a";r=9', '__proto__', 'constructor', 'a,b;q="x"']) {
    const first = await fetch(RUNS, as(key));
    t.strictSame([first.status, first.headers.get('ratelimit')], [200, '"key";r=3;t=1'], key);
    await statuses(3, () => fetch(RUNS, as(key)));
    t.equal((await fetch(RUNS, as(key))).status, 429, key);
  }
});

t.test('readiness is asked once for all who ask at that time', async (t) => {
  const answer = deferred<string[]>();
  let asked = 0;
  const { fetch } = await room(t, { services: { readiness: async () => {
    asked += 1;
    return await answer.promise;
  } } });
  const answers = Array.from({ length: 20 }, () => fetch('/readyz'));
  await untilSeen('a question', () => asked);
  for (let i = 0; i < 20; i++) await fetch('/healthz'); // those before have arrived by then
  answer.resolve([]);
  for (const one of answers) t.equal((await one).status, 200);
  t.ok(asked < 20, `asked ${asked} times`);
  await fetch('/readyz');
  t.ok(asked >= 2, 'and anew for who asks later');
});
