/** The flow with openapi-fetch, by the types that openapi-typescript makes of openapi.json. */
import assert from 'node:assert/strict';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import createClient from 'openapi-fetch';
import type { components, paths } from './gatehouse.ts';

type RunEvent = components['schemas']['RunEvent'];
const { BASE_URL: baseUrl, API_KEY, WRONG_KEY, DAY } = process.env as Record<string, string>;
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${API_KEY}` } });
const ok = (step: string) => console.log(`ok ${step}`);
const prompt = (text: string) =>
  [{ role: 'user' as const, content: [{ type: 'input_text' as const, text }] }];
const LONG = '@rehearsal words=20 delay_ms=10';

/** What was answered, or an Error by the code of the refusal. */
function must<T>({ data, error }: { data?: T; error?: components['schemas']['ApiError'] }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.error}`);
  return data;
}

const session = must(await api.POST('/sessions', { body: { title: 'Flow' } }));
assert.equal(session.title, 'Flow');
const path = { session_id: session.id };
ok('session');

const waited = must(await api.POST('/sessions/{session_id}/runs', {
  params: { path }, body: { input: prompt('call gatehouse.sessions.list'), wait: true },
}));
assert(typeof waited === 'object');
assert.equal(waited.status, 'completed');
assert.match(waited.output[0]!.content[0]!.text, /sessions/);
assert.equal(waited.tool_calls[0]!.name, 'gatehouse.sessions.list');
ok('wait');

async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent> {
  for await (const { data } of body.pipeThrough(new TextDecoderStream() as never)
    .pipeThrough(new EventSourceParserStream())) yield JSON.parse(data) as RunEvent;
}

/** The run's events, from the stream of createRun and then from others, until the run has ended. */
async function* follow(text: string): AsyncGenerator<RunEvent> {
  let { data: body } = await api.POST('/sessions/{session_id}/runs', {
    params: { path }, body: { input: prompt(text), stream: true }, parseAs: 'stream',
  });
  for (let last: RunEvent | undefined; body;) {
    try {
      for await (last of events(body)) yield last;
    } catch { /* the connection broke */ }
    if (/^run\.(completed|failed|cancelled)$/.test(last!.type)) return;
    const { run_id, sequence_number } = last!;
    ({ data: body } = await api.GET('/runs/{run_id}/events', {
      params: { path: { run_id }, query: { starting_after: sequence_number } },
      headers: { Accept: 'text/event-stream' }, parseAs: 'stream',
    }));
  }
}

let words = '';
let last = 0;
let end = '';
for await (const event of follow(LONG)) {
  assert.equal(event.sequence_number, ++last);
  end = event.type;
  if (event.type === 'message.output.completed') words = event.data.message.content[0]!.text;
}
assert.equal(end, 'run.completed');
assert.equal(words.split(' ').length, 20);
ok('stream');

for (const title of ['one', 'two', 'three']) must(await api.POST('/sessions', { body: { title } }));
const seen = new Set<string>();
let pages = 0;
for (let cursor: string | undefined, more = true; more; pages++) {
  const page = must(await api.GET('/sessions', { params: { query: { limit: 2, cursor } } }));
  for (const { id } of page.data) seen.add(id);
  more = page.has_more;
  cursor = page.next_cursor ?? undefined;
}
assert(seen.has(session.id) && seen.size >= 4 && pages >= 2);
ok('paging');

const slow = must(await api.POST('/sessions/{session_id}/runs', {
  params: { path }, body: { input: prompt('@rehearsal words=1000 delay_ms=1000') },
}));
assert(typeof slow === 'object');
const cancelled = must(await api.POST('/runs/{run_id}/cancel',
  { params: { path: { run_id: slow.id } } }));
assert.equal(cancelled.status, 'cancelled');
ok('cancel');

const missing = await api.GET('/runs/{run_id}', { params: { path: { run_id: 'run_none' } } });
assert.equal(missing.response.status, 404);
if (DAY !== 'values') assert.equal(missing.error?.code, 'not_found');
must(await api.PATCH('/sessions/{session_id}', { params: { path }, body: { status: 'archived' } }));
const archived = await api.POST('/sessions/{session_id}/runs',
  { params: { path }, body: { input: prompt('Hello') } });
assert.equal(archived.error?.code, 'session_archived');
const stranger = createClient<paths>(
  { baseUrl, headers: { Authorization: `Bearer ${WRONG_KEY}` } });
const refused = await stranger.GET('/runs');
assert.equal(refused.error?.code, 'invalid_api_key');
// @ts-expect-error: a field that an error has not, which the compiler knows.
assert.equal(refused.error?.reason, undefined);
ok('errors');

const action = 'gatehouse.sessions.list';
const listed = must(await api.GET('/actions', { params: { query: { limit: 100 } } }));
assert(listed.data.some(({ name }) => name === action));
const found = must(await api.POST('/actions/search', { body: { query: 'list sessions' } }));
assert(found.data.some(({ name }) => name === action));
const called = must(await api.POST('/action_invocations',
  { body: { action, input: { query: { limit: 1 } } } }));
assert.equal(called.status, 'completed');
ok('actions');
