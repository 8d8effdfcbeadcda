/** PATCH /sessions/{session_id} */
import t from 'tap';
import { testServer } from '../support/server.ts';
import { newSession, queueRun } from '../support/runs.ts';

const { client } = await testServer(t);
const update = (session_id: string, body: unknown) =>
  client.call('updateSession', { path: { session_id }, body });

t.test('what is given changes, the rest stays', async (t) => {
  const before = await client.expect(201, 'createSession',
    { body: { title: 'Before', metadata: { a: '1' } } });
  const path = { session_id: before.id };
  const renamed = await client.expect(200, 'updateSession', { path, body: { title: 'After' } });
  t.strictSame({ ...renamed, updated_at: null }, { ...before, title: 'After', updated_at: null });
  t.ok(renamed.updated_at >= before.updated_at);
  const annotated = await client.expect(200, 'updateSession',
    { path, body: { metadata: { b: '\0' }, title: null } });
  t.match(annotated, { title: null, metadata: { b: '\uFFFD' }, status: 'active' });
  t.strictSame(Object.keys(annotated.metadata), ['b'], 'metadata is replaced as a whole');
  const { messages: _, messages_next_cursor: _cursor, ...found } =
    await client.expect(200, 'getSession', { path });
  t.strictSame(found, annotated);
});

t.test('an archived session takes no runs until it is active again', async (t) => {
  const session_id = await newSession(client);
  t.match(await update(session_id, { status: 'archived' }), { body: { status: 'archived' } });
  t.match(await update(session_id, { status: 'archived' }), { status: 200 }, 'again is fine');
  const body = { input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }] };
  t.match(await client.expect(409, 'createRun', { path: { session_id }, body }),
    { code: 'session_archived' });
  await update(session_id, { status: 'active' });
  t.match(await queueRun(client, session_id, '@rehearsal words=1'), { session_id });
});

t.test('nothing, or anything else, is refused', async (t) => {
  const session_id = await newSession(client);
  const title = 'x'.repeat(201);
  for (const body of [{}, { status: 'closed' }, { id: 'x' }, { title }, [], null]) {
    const answer = await update(session_id, body);
    t.equal(answer.status, 400, JSON.stringify(body).slice(0, 40));
    t.match(answer.body, { code: 'invalid_request' });
  }
  t.match(await client.call('updateSession', { path: { session_id } }),
    { status: 400, body: { code: 'invalid_json' } }, 'no body');
});

t.test('an unknown session', async (t) => {
  t.match(await update('ses_none', { title: 'x' }), { status: 404, body: { code: 'not_found' } });
});
