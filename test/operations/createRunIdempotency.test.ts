/** POST /sessions/{session_id}/runs with an Idempotency-Key: the key names the run. */
import t from 'tap';
import { collect, prompt, type CallOptions } from '../support/client.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { endlessRun, eventsOf, newSession } from '../support/runs.ts';
import { whileTableIsHeld } from '../support/until.ts';

const server = await testServer(t);
const { client, sql } = server;
const keyed = (session_id: string, key: string, body: unknown): CallOptions =>
  ({ path: { session_id }, headers: { 'idempotency-key': key }, body });
const runsIn = async (session_id: string) =>
  (await client.expect(200, 'listRuns', { query: { session_id } })).data.map(({ id }) => id);
const text = '@rehearsal words=3';

t.test('a repeat is about the same run, in the mode it asks for', async (t) => {
  const session_id = await newSession(client);
  const call = (mode: object) => keyed(session_id, 'modes', prompt(text, mode));
  const first = await client.expect(202, 'createRun', call({}));
  const waited = await client.expect(200, 'createRun', call({ wait: true, wait_timeout_s: 30 }));
  t.match(waited, { id: first.id, status: 'completed' });
  const streamed = await collect(client.events('createRun', call({ stream: true })));
  t.strictSame(streamed, await eventsOf(client, first.id));
  const again = await client.call('createRun', call({}));
  t.strictSame([again.status, again.body], [202, waited], 'the run as it is now');
  t.equal(again.headers.get('location'), `/v1/runs/${first.id}`);
  t.strictSame(await runsIn(session_id), [first.id]);
});

t.test('a replay says so in each mode, and a first answer does not', async (t) => {
  const session_id = await newSession(client);
  for (const mode of [{}, { wait: true }, { stream: true }]) {
    const call = keyed(session_id, JSON.stringify(mode), prompt(text, mode));
    const told: (string | null)[] = [];
    for (const _ of ['first', 'again', 'and again']) {
      const response = await client.fetch('createRun', call);
      told.push(response.headers.get('idempotent-replayed'));
      await client.receive('createRun', response);
    }
    t.strictSame(told, [null, 'true', 'true'], JSON.stringify(mode));
  }
});

t.test('a first request that streams or waits makes the same run as well', async (t) => {
  const session_id = await newSession(client);
  const [created] = await collect(client.events('createRun',
    keyed(session_id, 'streamed', prompt(text, { stream: true }))));
  const after = await client.expect(202, 'createRun', keyed(session_id, 'streamed', prompt(text)));
  t.equal(after.id, created!.run_id);
  const waited = await client.expect(200, 'createRun',
    keyed(session_id, 'waited', prompt(text, { wait: true })));
  const streamed = await collect(client.events('createRun',
    keyed(session_id, 'waited', prompt(text, { stream: true }))));
  t.equal(streamed[0]!.run_id, waited.id);
});

t.test('another request under the key is refused', async (t) => {
  const session_id = await newSession(client);
  await client.expect(202, 'createRun', keyed(session_id, 'taken', prompt(text)));
  const others: CallOptions[] = [
    keyed(session_id, 'taken', prompt('something else')),
    keyed(session_id, 'taken', prompt(text, { metadata: { a: '1' } })),
    keyed(session_id, 'taken', prompt(text, { concurrency: 'enqueue' })),
    keyed(await newSession(client), 'taken', prompt(text)),
  ];
  for (const options of others) {
    t.match(await client.expect(409, 'createRun', options), { code: 'idempotency_key_reused' });
  }
  t.match(await client.expect(409, 'createSession', { headers: { 'idempotency-key': 'taken' } }),
    { code: 'idempotency_key_reused' }, 'another operation is another request, too');
  const other = await otherWorkspace(server);
  t.ok(await other.expect(202, 'createRun',
    keyed(await newSession(other), 'taken', prompt(text))), 'another workspace has its own keys');
});

t.test('a request that was refused leaves the key free', async (t) => {
  const session_id = await newSession(client);
  const set = (status: string) =>
    client.expect(200, 'updateSession', { path: { session_id }, body: { status } });
  await set('archived');
  await client.expect(409, 'createRun', keyed(session_id, 'refused', prompt(text)));
  await client.expect(404, 'createRun', keyed('ses_none', 'refused', prompt(text)));
  await set('active');
  const run = await client.expect(202, 'createRun', keyed(session_id, 'refused', prompt('else')));
  t.strictSame(await runsIn(session_id), [run.id]);
});

t.test('a repeat finds its run whatever the session has come to', async (t) => {
  const session_id = await newSession(client);
  const call = keyed(session_id, 'rejecting', prompt(text, { concurrency: 'reject' }));
  const { id } = await client.expect(202, 'createRun', call);
  const waiting = { ...prompt(text, { concurrency: 'reject', wait: true }) };
  await client.expect(200, 'createRun', { ...call, body: waiting });
  const busy = await endlessRun(client, session_id);
  t.equal((await client.expect(202, 'createRun', call)).id, id, 'not session_busy');
  await client.expect(200, 'updateSession', { path: { session_id }, body: { status: 'archived' } });
  t.equal((await client.expect(202, 'createRun', call)).id, id, 'not session_archived');
  await client.expect(200, 'cancelRun', { path: { run_id: busy.id } });
});

t.test('in flight', async (t) => {
  const session_id = await newSession(client);
  const call = keyed(session_id, 'flying', prompt(text));
  const { first } = await whileTableIsHeld(sql, 'sessions', async (somebodyWaits) => {
    const first = client.expect(202, 'createRun', call);
    await somebodyWaits();
    const second = await client.call('createRun', call);
    t.match([second.status, second.body], [409, { code: 'idempotency_in_progress' }]);
    t.equal(second.headers.get('retry-after'), '1');
    return { first };
  });
  const { id } = await first;
  t.equal((await client.expect(202, 'createRun', call)).id, id);
});

t.test('twenty at once make one run', async (t) => {
  const session_id = await newSession(client);
  const call = keyed(session_id, 'crowd', prompt(text));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.call('createRun', call)));
  const ids = new Set<string>();
  for (const answer of answers) {
    if (answer.status === 202) ids.add(answer.body.id);
    else t.match([answer.status, answer.body], [409, { code: 'idempotency_in_progress' }]);
  }
  t.strictSame([...ids], await runsIn(session_id));
});

t.test('a repeat is answered though the defaults and limits have changed since', async (t) => {
  const session_id = await newSession(client);
  const path = { workspace_id: server.workspace_id };
  const call = keyed(session_id, 'before', prompt(text, { max_steps: 8 }));
  const first = await client.expect(202, 'createRun', call);
  await client.expect(200, 'updateWorkspace', { path, body: { limits: { max_steps: 2 } } });
  t.teardown(() => client.expect(200, 'updateWorkspace', { path, body: { limits: {} } }));
  t.equal((await client.expect(202, 'createRun', call)).id, first.id);
  await client.expect(400, 'createRun', keyed(session_id, 'after', prompt(text, { max_steps: 8 })));
});
