/** Sessions and runs are found by a pair of their metadata. */
import t from 'tap';
import { FUNCTIONS } from '../../src/store/functions.ts';
import { migrate, MIGRATIONS } from '../../src/store/migrate.ts';
import { emptyDatabase } from '../support/database.ts';
import { readPage, readPages } from '../support/pages.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql } = server;
const other = await otherWorkspace(server);

type Metadata = Record<string, string>;
const newSession = async (metadata: Metadata, of = client) =>
  (await of.expect(201, 'createSession', { body: { title: 'a talk', metadata } })).id;
const newRun = async (session_id: string, metadata: Metadata) => (await client.expect(202,
  'createRun', { path: { session_id }, body: { model: 'rehearsal', metadata,
    input: [{ role: 'user', content: [{ type: 'input_text', text: '@rehearsal words=1' }] }] },
  })).id;
const sessionsBy = async (metadata: string, more = {}) => (await readPages(client,
  'listSessions', { limit: 2, order: 'asc', metadata, ...more })).flat();
const runsBy = async (metadata: string, more = {}) => (await readPages(client,
  'listRuns', { limit: 2, order: 'asc', metadata, ...more })).flat();

const both = { user: 'u1', team: 'growth' };
const sessions = [await newSession(both), await newSession({ user: 'u2', team: 'growth' }),
  await newSession({}), await newSession({ user: 'u1' }), await newSession({ team: 'growth' })];
await newSession(both, other);

t.test('sessions, in pages and both ways', async (t) => {
  const [one, two, , four, five] = sessions;
  t.strictSame(await sessionsBy('user=u1'), [one, four]);
  t.strictSame(await readPages(client, 'listSessions', { limit: 2, metadata: 'team=growth' }),
    [[five, two], [one]], 'the newest first');
  for (const none of ['user=u', 'user=u11', 'user=', 'team=u1', 'nothing=u1', 'USER=u1']) {
    t.strictSame(await sessionsBy(none), [], none);
  }
});

t.test('other filters hold as well', async (t) => {
  await client.expect(200, 'updateSession', { path: { session_id: sessions[3]! },
    body: { status: 'archived', title: 'the last words' } });
  t.strictSame(await sessionsBy('user=u1', { status: 'active' }), [sessions[0]]);
  t.strictSame(await sessionsBy('user=u1', { query: 'last WORDS' }), [sessions[3]]);
  t.strictSame(await sessionsBy('team=growth', { query: 'last words' }), []);
  t.strictSame(await sessionsBy('user=u1', { query: sessions[0]!.slice(0, -1) }), [sessions[0]]);
});

t.test('as the metadata of a session is now', async (t) => {
  const id = await newSession({ ticket: '1', kept: 'yes' });
  const change = (metadata: Metadata) => client.expect(200, 'updateSession',
    { path: { session_id: id }, body: { metadata } });
  await change({ ticket: '2', kept: 'yes' });
  t.strictSame([await sessionsBy('ticket=1'), await sessionsBy('ticket=2')], [[], [id]]);
  t.strictSame(await sessionsBy('kept=yes'), [id]);
  await change({});
  t.strictSame([await sessionsBy('ticket=2'), await sessionsBy('kept=yes')], [[], []]);
  const left = await sql`select from metadata_pairs where id = ${id}`;
  t.equal(left.length, 0, 'nothing is left');
  // As a migration could leave it, that goes on while a session changes.
  await sql`insert into metadata_pairs (workspace_id, key, value, id)
    values (${server.workspace_id}, 'ticket', '1', ${id})`;
  t.strictSame(await sessionsBy('ticket=1'), []);
});

t.test('any text, as long as it may be', async (t) => {
  const pairs = { 'Straße 🦊': 'a=b=c', empty: '', wide: '🦊'.repeat(512),
    ['ü'.repeat(64)]: '%_\\\'' };
  const id = await newSession(pairs);
  for (const [key, value] of Object.entries(pairs)) {
    t.strictSame(await sessionsBy(`${key}=${value}`), [id], key.slice(0, 20));
  }
  t.strictSame(await sessionsBy('Straße 🦊=a=b'), []);
  for (const metadata of ['user', '=u1', '', `${'k'.repeat(65)}=v`, `k=${'v'.repeat(513)}`]) {
    t.match(await client.expect(400, 'listSessions', { query: { metadata } }),
      { code: 'invalid_request', param: 'metadata' }, metadata.slice(0, 20));
  }
  t.match(await client.expect(400, 'listRuns', { query: { metadata: 'user' } }), {
    error: 'The parameter metadata must be a key and a value, such as team=growth.' });
});

t.test('runs', async (t) => {
  const [first, second] = [sessions[0]!, sessions[1]!];
  const runs = [await newRun(first, { ticket: '4711', step: 'a' }),
    await newRun(second, { ticket: '4711' }), await newRun(first, { ticket: '4711', step: 'b' })];
  await newRun(first, {});
  t.strictSame(await runsBy('ticket=4711'), runs);
  t.strictSame(await runsBy('ticket=4711', { session_id: first }), [runs[0], runs[2]]);
  t.strictSame(await runsBy('step=b'), [runs[2]]);
  t.strictSame(await runsBy('user=u1'), [], 'not by the metadata of their session');
  t.strictSame((await readPage(other, 'listRuns', { metadata: 'ticket=4711' })).ids, []);
});

t.test('what was there before the pairs were kept', async (t) => {
  const { sql } = await emptyDatabase(t);
  const added = MIGRATIONS.findIndex(({ name }) => name === 'metadata-pairs');
  await migrate(sql, undefined,
    { migrations: MIGRATIONS.slice(0, added), functions: FUNCTIONS });
  await sql`insert into workspaces (id, name) values ('wsp_1', 'test')`;
  await sql`insert into sessions (workspace_id, id, metadata)
    values ('wsp_1', 'ses_1', '{"user":"u1","team":"growth"}'), ('wsp_1', 'ses_2', '{}')`;
  await sql`insert into runs (workspace_id, id, session_id, status, head, last_seq, source, model,
      max_steps, timeout_s, metadata)
    values ('wsp_1', 'run_1', 'ses_1', 'queued', true, 1, 'api', 'rehearsal', 1, 1,
      '{"ticket":"4711"}')`;
  await migrate(sql);
  t.strictSame([...await sql`select key, value, id from metadata_pairs order by key`], [
    { key: 'team', value: 'growth', id: 'ses_1' }, { key: 'ticket', value: '4711', id: 'run_1' },
    { key: 'user', value: 'u1', id: 'ses_1' }]);
});
