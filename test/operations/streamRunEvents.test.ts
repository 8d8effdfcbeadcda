/** GET /runs/{run_id}/events */
import t from 'tap';
import { collect, type RunEvent } from '../support/client.ts';
import { createLab, connectLab } from '../support/lab.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import {
  completeRun, endlessRun, eventsOf, newSession, queueRun, untilEvent,
} from '../support/runs.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'an event lost, twice or out of order');

const lab = createLab();
const server = await testServer(t, { sources: [lab.source] });
const { client, sql } = server;
await connectLab(sql, server.workspace_id);
const run = await completeRun(client, await newSession(client),
  'call lab.echo.get {"text": "one"}');
const all = await eventsOf(client, run.id);
const last = all.length;
const path = { run_id: run.id };
const numbers = (events: RunEvent[]) => events.map(({ sequence_number }) => sequence_number);

t.test('a whole run, numbered without a gap', async (t) => {
  t.strictSame(numbers(all), Array.from({ length: last }, (_, index) => index + 1));
  t.strictSame(new Set(all.map(({ id }) => id)).size, last);
  t.ok(all.every(({ run_id, session_id }) => run_id === run.id && session_id === run.session_id));
  const types = all.map(({ type }) => type).filter((type, i, list) => type !== list[i - 1]);
  t.strictSame(types, ['run.created', 'run.started', 'reasoning.summary.delta',
    'tool_call.started', 'tool_call.arguments.delta', 'tool_call.completed',
    'reasoning.summary.delta', 'message.output.delta', 'message.output.completed',
    'run.completed']);
});

t.test('joined, deltas are the whole', async (t) => {
  const joined = (type: RunEvent['type']) => all.filter((event) => event.type === type)
    .map((event) => (event.data as { delta: string }).delta).join('');
  const [call] = run.tool_calls;
  t.strictSame(JSON.parse(joined('tool_call.arguments.delta')), call!.arguments);
  t.equal(joined('message.output.delta'), run.output[0]!.content[0]!.text);
  t.match(all.find(({ type }) => type === 'tool_call.completed'), { data: {
    tool_call_id: call!.tool_call_id, name: 'lab.echo.get', invocation_id: call!.invocation_id,
    arguments: call!.arguments, result: { ok: true, result: { input: { text: 'one' } } },
    truncated: false, duration_ms: Number } });
  t.match(all.at(-1), { data: { output: run.output, usage: run.usage } });
});

t.test('the head and the form of the stream', async (t) => {
  const response = await client.fetch('streamRunEvents',
    { path, headers: { accept: 'text/event-stream' } });
  t.match(Object.fromEntries(response.headers), {
    'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no', 'x-request-id': String,
  });
  const text = await response.text();
  t.match(text, /^retry: 1000\nevent: run\.created\n/, 'no block of its own');
  const messages = text.replace('retry: 1000\n', '').split('\n\n');
  t.equal(messages.pop(), '', 'the stream ends with the terminal event');
  t.equal(messages.length, last);
  for (const [index, message] of messages.entries()) {
    const lines = message.split('\n');
    const [, data] = lines;
    t.strictSame(lines, [`event: ${all[index]!.type}`, data, `id: ${index + 1}`],
      'a message that breaks off has no number yet');
    t.match(data, /^data: \{.*\}$/, 'in one line');
  }
});

t.test('resuming: neither a gap nor anything twice', async (t) => {
  for (let after = 0; after <= last; after++) {
    t.strictSame(await eventsOf(client, run.id, after), all.slice(after));
  }
  for (const accept of ['text/event-stream', 'application/json']) {
    t.match(await client.expect(410, 'streamRunEvents',
      { path, query: { starting_after: last + 1 }, headers: { accept } }),
    { code: 'events_expired', details: { earliest_sequence_number: 1 } });
  }
});

t.test('of starting_after and Last-Event-ID the larger counts', async (t) => {
  const first = async (starting_after: number | null, last_event_id: number) =>
    numbers(await collect(client.events('streamRunEvents', { path,
      ...(starting_after !== null && { query: { starting_after } }),
      headers: { 'last-event-id': String(last_event_id) } })))[0];
  t.equal(await first(null, 3), 4);
  t.equal(await first(2, 4), 5);
  t.equal(await first(4, 2), 5);
  t.match(await client.expect(400, 'streamRunEvents',
    { path, headers: { 'last-event-id': 'latest' } }), { param: /last-event-id/i });
});

t.test('whoever has the last event is told to come no more, by its header alone', async (t) => {
  const ask = (starting_after: number | null, last_event_id: number | null, of = run.id) =>
    client.fetch('streamRunEvents', { path: { run_id: of },
      ...(starting_after !== null && { query: { starting_after } }),
      headers: { accept: 'text/event-stream',
        ...(last_event_id !== null && { 'last-event-id': String(last_event_id) }) } });
  for (const after of [null, 2, last, last + 1]) {
    for (const last_event_id of [last, last + 1, 2_147_483_647]) {
      const answer = await ask(after, last_event_id);
      t.match([answer.status, await answer.text()], [204, ''], `${after} ${last_event_id}`);
    }
  }
  const asked = [[last, null], [last, last - 1]] as const;
  for (const [after, last_event_id] of asked) {
    const answer = await ask(after, last_event_id);
    // It begins before its first look, if that takes a while.
    t.match([answer.status, await answer.text()], [200, /^(retry: 1000\n)?$/],
      `${after} ${last_event_id}`);
  }
  t.match(await client.expect(200, 'streamRunEvents', { path,
    headers: { accept: 'application/json', 'last-event-id': String(last) } }), { data: [] },
  'a page is a page');
  const open = await endlessRun(client, await newSession(client));
  t.equal((await ask(null, 1_000, open.id)).status, 410, 'a run that goes on has more to say');
  await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
  t.equal((await ask(null, 1_000, open.id)).status, 204);
});

t.test('nothing in an event ends its line, for any reader of lines', async (t) => {
  const cuts = '\v\f\r\n\x1c\x1d\x1e\x85\u2028\u2029';
  const text = `<${cuts}|${cuts}>`;
  const hostile = await completeRun(client, await newSession(client),
    `call lab.echo.get ${JSON.stringify({ text })}`, { metadata: { text } });
  const response = await client.fetch('streamRunEvents',
    { path: { run_id: hostile.id }, headers: { accept: 'text/event-stream' } });
  const stream = await response.text();
  t.notMatch(stream, /[\v\f\r\x1c-\x1e\x85\u2028\u2029]/);
  const { data } = await client.expect(200, 'streamRunEvents', { path: { run_id: hostile.id } });
  t.strictSame([...stream.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!)), data);
  t.match(data, [{ data: { metadata: { text } } }]);
  t.match(data.find(({ type }) => type === 'tool_call.completed'),
    { data: { arguments: { input: { text } }, result: { result: { input: { text } } } } });
});

t.test('as JSON: pages in ascending order', async (t) => {
  const page = (query: Record<string, number>, accept?: string) =>
    client.expect(200, 'streamRunEvents', { path, query, ...(accept && { headers: { accept } }) });
  t.strictSame(await page({}),
    { object: 'list', data: all, has_more: false, next_cursor: String(last) });
  for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream;q=0.5']) {
    t.strictSame((await page({}, accept)).data, all, accept);
  }
  const walked: RunEvent[] = [];
  for (let after = 0, more = true; more;) {
    const { data, has_more, next_cursor } = await page({ starting_after: after, limit: 3 });
    t.ok(data.length === 3 || !has_more);
    walked.push(...data);
    more = has_more;
    after = Number(next_cursor);
  }
  t.strictSame(walked, all);
  t.strictSame(await page({ starting_after: last }),
    { object: 'list', data: [], has_more: false, next_cursor: null });
  const defaults = await completeRun(client, run.session_id, '@rehearsal words=150');
  const many = await client.expect(200, 'streamRunEvents', { path: { run_id: defaults.id } });
  t.match([many.data.length, many.has_more, many.next_cursor], [100, true, '100']);
  const bad = [['limit', 0], ['limit', 1001], ['starting_after', -1], ['after', 1]] as const;
  for (const [name, value] of bad) {
    t.match(await client.expect(400, 'streamRunEvents', { path, query: { [name]: value } }),
      { code: 'invalid_request', param: name });
  }
});

t.test('live: events come as they happen, to every reader', async (t) => {
  const live = await queueRun(client, run.session_id, 'call lab.gate.hold');
  const readers = Array.from({ length: 5 }, () => eventsOf(client, live.id));
  await untilEvent(client, live.id, 'tool_call.started');
  await lab.held;
  const soFar = await client.expect(200, 'streamRunEvents', { path: { run_id: live.id } });
  t.notOk(soFar.data.some(({ type }) => type === 'tool_call.completed'));
  const late = eventsOf(client, live.id, Number(soFar.next_cursor));
  lab.release();
  const rest = await late;
  t.equal(rest.at(-1)!.type, 'run.completed');
  for (const reader of readers) t.strictSame(await reader, [...soFar.data, ...rest]);
});

t.test('a reader ahead of a live run gets what is after its number, when it comes', async (t) => {
  const session_id = await newSession(client);
  const open = await endlessRun(client, session_id);
  const { data } = await client.expect(200, 'streamRunEvents', { path: { run_id: open.id } });
  const ahead = eventsOf(client, open.id, data.length);
  await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
  t.match((await ahead).at(-1), { type: 'run.cancelled' });
});

t.test('events that are no longer kept', async (t) => {
  const old = await completeRun(client, run.session_id, '@rehearsal words=2');
  const kept = await eventsOf(client, old.id);
  await sql`delete from run_events where run_id = ${old.id} and seq <= 3`;
  const ask = (starting_after: number, accept: string) => client.call('streamRunEvents',
    { path: { run_id: old.id }, query: { starting_after }, headers: { accept } });
  for (const accept of ['text/event-stream', 'application/json']) {
    t.match(await ask(1, accept), { status: 410, body: { code: 'events_expired',
      param: 'starting_after', error: /Events 2 to 3 .* starting_after=3/,
      details: { earliest_sequence_number: 4 } } });
  }
  t.strictSame(await eventsOf(client, old.id, 3), kept.slice(3));
  const end = kept.length;
  t.match(await ask(end + 1, 'application/json'), { status: 410, body: {
    error: /starting_after=3\.$/, details: { earliest_sequence_number: 4 } } });
  await sql`delete from run_events where run_id = ${old.id}`;
  for (const accept of ['text/event-stream', 'application/json']) {
    for (const after of [end - 1, end + 1]) {
      t.match(await ask(after, accept),
        { status: 410, body: { details: { earliest_sequence_number: end + 1 } } });
    }
  }
  t.strictSame(await eventsOf(client, old.id, end), [], 'the end is the end');
  t.match(await client.expect(200, 'getRun', { path: { run_id: old.id } }),
    { status: 'completed', output: old.output }, 'the outcome is kept');
});

t.test('too many streams of a key', async (t) => {
  const few = await testServer(t, { config: { streams_per_key: 1 } });
  const open = await endlessRun(few.client, await newSession(few.client));
  const stream = few.client.events('streamRunEvents', { path: { run_id: open.id } });
  await stream.next();
  const again = await few.client.call('streamRunEvents',
    { path: { run_id: open.id }, headers: { accept: 'text/event-stream' } });
  t.match([again.status, again.body], [429, { code: 'rate_limited' }]);
  t.equal(again.headers.get('retry-after'), '1');
  t.equal((await few.client.call('streamRunEvents', { path: { run_id: open.id } })).status, 200,
    'a page is no stream');
  const other = await otherWorkspace(few);
  const theirs = await endlessRun(other, await newSession(other));
  await untilEvent(other, theirs.id, 'run.started');
  await few.client.expect(200, 'cancelRun', { path: { run_id: open.id } });
  await collect(stream);
  t.equal((await eventsOf(few.client, open.id)).at(-1)!.type, 'run.cancelled',
    'a stream that has ended makes room');
});

t.test('an unknown run', async (t) => {
  for (const accept of ['text/event-stream', 'application/json']) {
    t.match(await client.expect(404, 'streamRunEvents',
      { path: { run_id: 'run_none' }, headers: { accept } }), { code: 'not_found' });
  }
});
