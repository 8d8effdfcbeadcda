import t, { type Test } from 'tap';
import { Client } from '../../src/cli/client.ts';
import { followEvents, type FollowOptions } from '../../src/cli/follow.ts';
import { MAX_ATTEMPTS } from '../../src/cli/tries.ts';
import {
  fakeService, json, RUN_ID, shortRun, stream, type Answer, type RunEvent,
} from './support.ts';

const EVENTS = shortRun('Hello.');

interface Follower {
  /** Numbers of the events that arrived. */
  numbers: number[];
  waits_ms: number[];
  asked_after: (string | null)[];
  end: Promise<void>;
}

/** Follows the run of a service whose event connections are answered one after the other. */
async function follow(
  test: Test, connections: Answer[],
  options: Partial<FollowOptions> & { status?: string; silence_ms?: number } = {},
): Promise<Follower> {
  const asked_after: (string | null)[] = [];
  const service = await fakeService(test, (request, response) => {
    const url = new URL(request.path, 'http://fake');
    if (url.pathname === `/v1/runs/${RUN_ID}`) {
      return json(response, 200, { id: RUN_ID, status: options.status ?? 'running' });
    }
    if (request.headers.accept !== 'text/event-stream') {
      const after = Number(url.searchParams.get('starting_after'));
      return json(response, 200, { data: EVENTS.filter((each) => each.sequence_number > after) });
    }
    asked_after.push(url.searchParams.get('starting_after'));
    const answer = connections[Math.min(asked_after.length, connections.length) - 1]!;
    return answer(request, response);
  });
  const client = new Client({
    base_url: service.base_url, workspace_id: null, api_key: 'gth_test', admin_token: null,
    file: 'credentials.json', address_from: null, withheld_for: null, withheld: {},
  }, { silence_ms: options.silence_ms ?? 10_000 });
  const numbers: number[] = [];
  const waits_ms: number[] = [];
  const run = async () => {
    for await (const { event } of followEvents(client, RUN_ID, {
      starting_after: 0, signal: new AbortController().signal,
      wait: async (ms) => waits_ms.push(ms), ...options,
    })) numbers.push(event.sequence_number);
  };
  return { numbers, waits_ms, asked_after, end: run() };
}

/** Sends these events and then breaks the connection, in the number of the next one. */
function thenBreak(events: RunEvent[]): Answer {
  return (_request, response) => {
    stream(response, events);
    response.write('event: message.output.delta\ndata: {}\nid: 9', () => response.destroy());
  };
}

const thenClose = (events: RunEvent[]): Answer => (_request, response) => {
  stream(response, events);
  response.end();
};

t.test('across broken connections, each event once and in order', async (t) => {
  const { numbers, asked_after, waits_ms, end } = await follow(t, [
    thenBreak(EVENTS.slice(0, 2)),
    (_request, response) => response.destroy(),
    thenBreak(EVENTS.slice(1, 3)), // event 2 again
    thenBreak(EVENTS.slice(4)), // event 4 is left out
    thenClose(EVENTS.slice(3)),
  ]);
  await end;
  t.same(numbers, [1, 2, 3, 4, 5]);
  t.same(asked_after, ['0', '2', '2', '3', '3']);
  t.same(waits_ms, [250, 500, 250, 500], 'longer while nothing comes');
});

t.test('a service that is restarting says when to come back', async (t) => {
  const { numbers, waits_ms, end } = await follow(t, [
    (_request, response) => json(response, 503,
      { error: 'It is not available.', code: 'unavailable', param: null, request_id: 'req_1' },
      { 'Retry-After': '2' }),
    thenClose(EVENTS),
  ]);
  await end;
  t.same(numbers, [1, 2, 3, 4, 5]);
  t.same(waits_ms, [2_000]);
});

t.test('a stream that is closed before the run has ended', async (t) => {
  const { numbers, asked_after, end } =
    await follow(t, [thenClose(EVENTS.slice(0, 2)), thenClose(EVENTS.slice(2))]);
  await end;
  t.same(numbers, [1, 2, 3, 4, 5]);
  t.same(asked_after, ['0', '2']);
});

t.test('the run ended between the closing of the stream and the question', async (t) => {
  const { numbers, end } = await follow(t,
    [thenClose(EVENTS.slice(0, 2)), thenClose(EVENTS.slice(2))], { status: 'completed' });
  await end;
  t.same(numbers, [1, 2, 3, 4, 5]);
});

t.test('past the end of a run that has ended', async (t) => {
  const { numbers, asked_after, end } =
    await follow(t, [thenClose([])], { starting_after: 5, status: 'completed' });
  await end;
  t.same(numbers, []);
  t.same(asked_after, ['5']);
});

t.test('a connection that has died without a word', async (t) => {
  // Also one that has died before its first word, as it may in so short a time, is asked again.
  const { numbers, end } = await follow(t, [(request, response) => {
    const after = Number(new URL(request.path, 'http://fake').searchParams.get('starting_after'));
    if (after < 2) return stream(response, EVENTS.slice(after, 2));
    return thenClose(EVENTS.slice(after))(request, response);
  }], { silence_ms: 50 });
  await end;
  t.same(numbers, [1, 2, 3, 4, 5]);
});

t.test('it gives up in the end', async (t) => {
  const { waits_ms, asked_after, end } =
    await follow(t, [(_request, response) => response.destroy()]);
  await t.rejects(end, { message: /^The connection to http/ });
  t.equal(waits_ms.length, MAX_ATTEMPTS);
  t.equal(asked_after.length, MAX_ATTEMPTS + 1);
  t.equal(Math.max(...waits_ms), 5_000);
});

t.test('what trying again cannot help is said at once', async (t) => {
  const { waits_ms, end } = await follow(t, [(_request, response) => json(response, 410, {
    error: 'Events 1 to 6 are no longer kept.', code: 'events_expired', param: 'starting_after',
    request_id: 'req_1',
  })]);
  await t.rejects(end,
    { message: 'Events 1 to 6 are no longer kept.\n(events_expired, request req_1)', status: 410 });
  t.same(waits_ms, []);
});

t.test('it ends when it is told to', async (t) => {
  const controller = new AbortController();
  const { end } = await follow(t,
    [(_request, response) => {
      stream(response, EVENTS.slice(0, 1));
      controller.abort(new Error('enough'));
    }], { signal: controller.signal });
  await t.rejects(end, { message: 'enough' });
});
