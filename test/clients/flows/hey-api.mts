/** The flow with the client that @hey-api/openapi-ts makes of openapi.codegen.json. */
import assert from 'node:assert/strict';
import { client } from './gatehouse/client.gen.ts';
import {
  cancelRun, createActionInvocation, createRun, createSession, getRun, listActions, listRuns,
  listSessions, searchActions, streamRunEvents, updateSession, type ApiError, type ErrorCode,
} from './gatehouse/index.ts';

const { BASE_URL: baseUrl, API_KEY, WRONG_KEY, DAY } = process.env as Record<string, string>;
client.setConfig({ baseUrl, auth: API_KEY });
const ok = (step: string) => console.log(`ok ${step}`);
const prompt = (text: string) =>
  [{ role: 'user' as const, content: [{ type: 'input_text' as const, text }] }];
const LONG = '@rehearsal words=20 delay_ms=10';

/** What was answered, or an Error by the code of the refusal. */
function must<T>({ data, error }: { data?: T; error?: ApiError }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.error}`);
  return data;
}

const session = must(await createSession({ body: { title: 'Flow' } }));
assert.equal(session.title, 'Flow');
const path = { session_id: session.id };
ok('session');

const waited = must(await createRun(
  { path, body: { input: prompt('call gatehouse.sessions.list'), wait: true } }));
assert.equal(waited.status, 'completed');
assert.match(waited.output[0]!.content[0]!.text, /sessions/);
assert.equal(waited.tool_calls[0]!.name, 'gatehouse.sessions.list');
ok('wait');

// When a connection breaks, the client goes on by itself, but not when the service ends the stream.
const run = must(await createRun({ path, body: { input: prompt(LONG) } }));
let words = '';
let last = 0;
let end = '';
while (!/^run\.(completed|failed|cancelled)$/.test(end)) {
  const { stream } = await streamRunEvents({
    path: { run_id: run.id }, query: { starting_after: last },
    headers: { Accept: 'text/event-stream' },
  });
  for await (const event of stream) {
    assert.equal(event.sequence_number, ++last);
    end = event.type;
    if (event.type === 'message.output.completed') words = event.data.message.content[0]!.text;
  }
}
assert.equal(end, 'run.completed');
assert.equal(words.split(' ').length, 20);
ok('stream');

for (const title of ['one', 'two', 'three']) must(await createSession({ body: { title } }));
const seen = new Set<string>();
let pages = 0;
for (let cursor: string | undefined, more = true; more; pages++) {
  const page = must(await listSessions({ query: { limit: 2, cursor } }));
  for (const { id } of page.data) seen.add(id);
  more = page.has_more;
  cursor = page.next_cursor ?? undefined;
}
assert(seen.has(session.id) && seen.size >= 4 && pages >= 2);
ok('paging');

const slow = must(await createRun(
  { path, body: { input: prompt('@rehearsal words=1000 delay_ms=1000') } }));
const cancelled = must(await cancelRun({ path: { run_id: slow.id } }));
assert.equal(cancelled.status, 'cancelled');
ok('cancel');

const codeOf = ({ error }: { error?: ApiError }): ErrorCode | undefined => error?.code;
const missing = await getRun({ path: { run_id: 'run_none' } });
assert.equal(missing.response?.status, 404);
if (DAY !== 'values') assert.equal(codeOf(missing), 'not_found');
must(await updateSession({ path, body: { status: 'archived' } }));
const archived = await createRun({ path, body: { input: prompt('Hello') } });
assert.equal(codeOf(archived), 'session_archived');
const refused = await listRuns({ auth: WRONG_KEY });
assert.equal(codeOf(refused), 'invalid_api_key');
// @ts-expect-error: a code that there is not, which the compiler knows.
assert(codeOf(refused) !== 'no_such_code');
ok('errors');

const action = 'gatehouse.sessions.list';
const listed = must(await listActions({ query: { limit: 100 } }));
assert(listed.data.some(({ name }) => name === action));
const found = must(await searchActions({ body: { query: 'list sessions' } }));
assert(found.data.some(({ name }) => name === action));
const called = must(await createActionInvocation(
  { body: { action, input: { query: { limit: 1 } } } }));
assert.equal(called.status, 'completed');
ok('actions');
