/** POST /sessions */
import t from 'tap';
import { otherWorkspace, testServer } from '../support/server.ts';
import { readPage } from '../support/pages.ts';
import { whileTableIsHeld } from '../support/until.ts';

const server = await testServer(t);
const { client, sql } = server;
const create = (body: unknown, key?: string) => client.call('createSession',
  { body, ...(key && { headers: { 'idempotency-key': key } }) });
const metadataOf = (keys: number, key_chars = 4, value_chars = 1) => Object.fromEntries(
  Array.from({ length: keys }, (_, i) =>
    [String(i).padStart(key_chars, 'k'), 'v'.repeat(value_chars)]));

t.test('a session keeps what it was given', async (t) => {
  const answer = await create({ title: 'Weekly report', metadata: { team: 'growth' } });
  t.equal(answer.status, 201);
  t.match(answer.body, {
    id: /^ses_[0-9a-z]{26}$/, object: 'session', status: 'active', title: 'Weekly report',
    metadata: { team: 'growth' }, active_run_id: null,
  });
  if (answer.status !== 201) return;
  const { id, created_at, updated_at } = answer.body;
  t.equal(answer.headers.get('location'), `/v1/sessions/${id}`);
  t.equal(created_at, updated_at);
  const { messages, messages_next_cursor: _, ...found } = await client.expect(200, 'getSession',
    { path: { session_id: id } });
  t.strictSame(found, answer.body);
  t.strictSame(messages, []);
});

t.test('every field may be left out, and the body too', async (t) => {
  for (const options of [{}, { body: {} }, { body: { title: null } }]) {
    t.match(await client.expect(201, 'createSession', options),
      { title: null, metadata: {}, status: 'active' });
  }
});

t.test('fields have limits, and unknown ones are refused', async (t) => {
  const good = [
    { title: 'x'.repeat(200) }, { title: '' }, { metadata: metadataOf(16) },
    { metadata: metadataOf(1, 64, 512) }, { title: '\u{1F3E0}'.repeat(200) },
  ];
  for (const body of good) t.equal((await create(body)).status, 201);
  const bad: [body: unknown, param: string][] = [
    [{ title: 'x'.repeat(201) }, '/title'],
    [{ title: 7 }, '/title'],
    [{ titel: 'x' }, '/titel'],
    [{ metadata: metadataOf(17) }, '/metadata'],
    [{ metadata: metadataOf(1, 65) }, `/metadata/${'k'.repeat(64)}0`],
    [{ metadata: metadataOf(1, 4, 513) }, '/metadata/kkk0'],
    [{ metadata: { team: 7 } }, '/metadata/team'],
  ];
  const before = await readPage(client, 'listSessions');
  for (const [body, param] of bad) {
    const answer = await create(body);
    t.equal(answer.status, 400);
    t.match(answer.body, { code: 'invalid_request', param, details: [{ path: param }] });
  }
  t.match(await create({ titel: 'x', title: 7 }),
    { body: { details: [{ path: String }, { path: String }] } }, 'every violation is named');
  t.strictSame((await readPage(client, 'listSessions')).ids, before.ids, 'nothing was made');
});

t.test('text that cannot be stored is mended, not a fault', async (t) => {
  t.match(await client.expect(201, 'createSession',
    { raw: String.raw`{"title": "a\u0000b\ud800", "metadata": {"k\u0000": "\ud800\u0000"}}` }),
  { title: 'a\uFFFDb\uFFFD', metadata: { 'k\uFFFD': '\uFFFD\uFFFD' } });
});

t.test('the same key and body make one session', async (t) => {
  const first = await create({ title: 'Once', metadata: { a: '1', b: '2' } }, 'once');
  const again = await create({ metadata: { b: '2', a: '1' }, title: 'Once' }, 'once');
  t.strictSame([again.status, again.body], [201, first.body]);
  t.equal(again.headers.get('location'), first.headers.get('location'));
  const titles = (await client.expect(200, 'listSessions')).data.map(({ title }) => title);
  t.equal(titles.filter((title) => title === 'Once').length, 1);
});

t.test('a replay answers what was answered, not what became of it', async (t) => {
  const { id } = await client.expect(201, 'createSession',
    { body: { title: 'Before' }, headers: { 'idempotency-key': 'before' } });
  await client.expect(200, 'updateSession',
    { path: { session_id: id }, body: { title: 'After' } });
  const again = await create({ title: 'Before' }, 'before');
  t.match(again, { status: 201, body: { id, title: 'Before' } });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
});

t.test('the same key for another request is refused', async (t) => {
  await create({ title: 'One' }, 'one');
  const answer = await create({ title: 'Other' }, 'one');
  t.equal(answer.status, 409);
  t.match(answer.body, { code: 'idempotency_key_reused', param: 'idempotency-key' });
  const other = await otherWorkspace(server);
  t.match(await other.expect(201, 'createSession',
    { body: { title: 'Other' }, headers: { 'idempotency-key': 'one' } }), { title: 'Other' },
  'keys are a matter of each workspace');
});

t.test('another api key of the workspace is another asker', async (t) => {
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: server.workspace_id, name: 'another' } });
  const options = { body: { title: 'Mine' }, headers: { 'idempotency-key': 'shared' } };
  const mine = await client.expect(201, 'createSession', options);
  const theirs = await client.as(api_key).call('createSession', options);
  t.match(theirs, { status: 201, body: { title: 'Mine' } });
  t.equal(theirs.headers.get('idempotent-replayed'), null);
  t.not((theirs.body as { id: string }).id, mine.id);
  t.strictSame(await client.expect(201, 'createSession', options), mine);
  t.strictSame(await client.as(api_key).expect(201, 'createSession', options), theirs.body);
});

t.test('a key is forgotten after its time', async (t) => {
  const first = await create({ title: 'Day 1' }, 'daily');
  await sql`update idempotency_keys set expires_at = now() where key = 'daily'`;
  const second = await create({ title: 'Day 2' }, 'daily');
  t.equal(second.status, 201);
  t.not((second.body as { id: string }).id, (first.body as { id: string }).id);
});

t.test('a key whose request is in flight is refused for the moment', async (t) => {
  const { first } = await whileTableIsHeld(sql, 'sessions', async (somebodyWaits) => {
    const first = create({ title: 'Slow' }, 'slow');
    await somebodyWaits();
    const second = await create({ title: 'Slow' }, 'slow');
    t.equal(second.status, 409);
    t.match(second.body, { code: 'idempotency_in_progress', param: 'idempotency-key' });
    t.equal(second.headers.get('retry-after'), '1');
    return { first };
  });
  const { status, body } = await first;
  t.equal(status, 201);
  t.strictSame((await create({ title: 'Slow' }, 'slow')).body, body);
});

t.test('twenty at once make one session', async (t) => {
  const body = { title: 'Crowd' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(body, 'crowd')));
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  t.equal(made.length + refused.length, 20);
  t.equal(new Set(made.map((answer) => (answer.body as { id: string }).id)).size, 1);
  for (const { body } of refused) t.match(body, { code: 'idempotency_in_progress' });
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from sessions where title = 'Crowd'`;
  t.equal(row!.count, 1);
});

t.test('a key that is no key is refused', async (t) => {
  for (const key of ['x'.repeat(256), '\u00e9']) {
    const answer = await client.call('createSession', { headers: { 'idempotency-key': key } });
    t.equal(answer.status, 400);
    t.match(answer.body, { code: 'invalid_request', param: /idempotency-key/i });
  }
  t.equal((await create({}, 'x'.repeat(255))).status, 201);
});
