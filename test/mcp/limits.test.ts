/** What holds of every request and of every call holds of those that come by MCP, too. */
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { REVIEW_MS } from '../../src/accounts/openAnswers.ts';
import { forms, found } from '../gateway/service/canaries.ts';
import { json, type Received } from '../gateway/egress/support.ts';
import {
  addNotes, connectAccount, grantTo, notesService, secondNode,
} from '../gateway/service/support.ts';
import { faultsOf, limitItems } from '../support/rateLimit.ts';
import { soundness } from '../support/soundness.ts';
import { untilSeen } from '../support/until.ts';
import { callAction, doorOf, mcpClient, post } from './support.ts';

const LIST = 'acme.notes.list';
const DELETE = 'acme.notes.delete';
const SECRET = 'canary-of-mcp/a+b~"q"\\end==0001';
/** What is answered to those who wait, once the test says so. */
const held: (() => void)[] = [];
const { server, upstream } = await notesService(t, answer);
const { client, sql } = server;
const bearer = { Authorization: `Bearer ${client.api_key}` };

/** Repeats the credential in every way that it knows; what is held is answered when told to. */
function answer({ method, target, headers }: Received, response: ServerResponse): void {
  const told = { method, said: headers.authorization, forms: forms(SECRET) };
  if (target === '/notes/held') return void held.push(() => json(response, { method }));
  if (target === '/notes/wrong') return json(response, told, 422, { 'x-said': SECRET });
  json(response, { ...told, [SECRET]: true });
}

const message = (action: string, input: object = {}) => ({ jsonrpc: '2.0', id: 1,
  method: 'tools/call', params: { name: 'call_action', arguments: { action, input } } });
/** The one message of an answer, which may come as JSON or as a stream. */
const messageOf = async (answer: Response): Promise<object> =>
  JSON.parse(/^(?:data: )?(\{.*\})$/m.exec(await answer.text())![1]!);
const aKey = () => client.expect(201, 'createApiKey',
  { body: { workspace_id: server.workspace_id, name: 'for a while' } });

t.test('a key asks so often, and then is told when to come again', async (t) => {
  const node = await secondNode(t, server, { config: { rate_per_key: 1 } });
  const before = upstream.received.length;
  // Far more than a slow machine is let do by the second.
  const answers = await Promise.all(Array.from({ length: 60 }, () =>
    post(doorOf(node), message(LIST), bearer)));
  const refused = answers.filter(({ status }) => status === 429);
  t.strictSame([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 429]);
  t.equal(upstream.received.length - before, answers.length - refused.length,
    'what is refused calls nothing');
  for (const { headers } of refused) t.strictSame(faultsOf(headers), []);
  t.match(await refused[0]!.json(),
    { code: 'rate_limited', error: /asks more often than 1 times a second\. Nothing was done/ });
  t.equal((await post(doorOf(server), message(LIST), bearer)).status, 200,
    'each node counts for itself');
});

t.test('a message with very many members is refused before it is looked at', async (t) => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`k${nth}`, 0]));
  const ask = async (body: object) => {
    const { status } = await post(doorOf(server), body, bearer);
    return status;
  };
  t.equal(await ask(message(LIST, { query: many(19_000) })), 200, 'the gateway says what is wrong');
  for (const wide of [message(LIST, { query: many(21_000) }),
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: many(2_000) } },
    { jsonrpc: '2.0', id: 1, result: many(2_000) }, [many(2_000)]]) {
    t.equal(await ask(wide), 400);
  }
  t.match(await (await post(doorOf(server), message(LIST, many(30_000)), bearer)).json(),
    { code: 'invalid_request', error: /may have 20,000 values.* Send less at a time/ });
});

t.test('a key has so many calls open', async (t) => {
  const node = await secondNode(t, server, { config: { requests_per_key: 2 } });
  const ask = () => post(doorOf(node), message('acme.notes.get', { path: { id: 'held' } }), bearer);
  const open = [ask(), ask()];
  await untilSeen('both calls upstream', () => held.length, (count) => count === 2);
  const third = await ask();
  t.equal(third.status, 429);
  t.strictSame(faultsOf(third.headers), []);
  t.match(limitItems(third.headers, 'RateLimit'), [{ policy: 'key-requests', r: 0 }]);
  t.match(await third.json(), { code: 'rate_limited', error: /has 2 requests open/ });
  const { api_key } = await aKey();
  t.equal((await post(doorOf(node), message(LIST), { Authorization: `Bearer ${api_key}` })).status,
    200, 'another key goes on');
  for (const release of held.splice(0)) release();
  for (const answer of await Promise.all(open)) {
    t.match(await messageOf(answer), { result: { structuredContent: { ok: true } } });
  }
  // What an answer held is given back once it has been taken.
  await untilSeen('room for one more', async () =>
    (await post(doorOf(node), message(LIST), bearer)).status, (status) => status === 200);
});

t.test('a secret that the other system repeats is not in what a client gets', async (t) => {
  soundness(t, 'a secret in a text');
  await addNotes(server, upstream, { slug: 'echo' });
  await connectAccount(server, 'echo', { type: 'bearer', token: SECRET });
  const mcp = await mcpClient(t, server, { search: '?actions=echo.*' });
  const received = upstream.received.length;
  const results = [
    await mcp.callTool({ name: 'call_action', arguments: { action: 'echo.notes.list' } }),
    await mcp.callTool({ name: 'echo-notes-list', arguments: {} }),
    await mcp.callTool({ name: 'echo-notes-get', arguments: { path: { id: 'wrong' } } }),
  ];
  t.match(results, [
    { structuredContent: { ok: true, result: { method: 'GET', said: /\[secret\]/ } } },
    { structuredContent: { ok: true } },
    { isError: true, structuredContent: { code: 'upstream_error', upstream: { status: 422 } } }]);
  t.strictSame(upstream.received.slice(received).map(({ headers }) => headers.authorization),
    Array(3).fill(`Bearer ${SECRET}`), 'the other system had it');
  t.strictSame(found({ SECRET }, JSON.stringify(results)), []);
  const whole = await post(doorOf(server), message('echo.notes.list'), bearer);
  t.strictSame(found({ SECRET }, `${JSON.stringify([...whole.headers])}${await whole.text()}`), []);
});

t.test('what egress refuses is not called, and the client is told so', async (t) => {
  await addNotes(server, upstream, { slug: 'shut' });
  await connectAccount(server, 'shut');
  // By a name, which anybody could have lead there after it was looked at.
  await client.expect(200, 'updateIntegration', { path: { slug: 'shut' },
    body: { base_url: `http://localhost:${upstream.port}`, egress_allow: [] } });
  const before = upstream.received.length;
  const mcp = await mcpClient(t, server);
  const report = await callAction(mcp, 'shut.notes.list');
  t.match(report, { ok: false, code: 'egress_refused', message: /may not be called so/ });
  t.equal(upstream.received.length, before, 'nothing has left');
  t.match(await client.expect(200, 'getActionInvocation',
    { path: { invocation_id: report.invocation_id } }),
  { source: 'mcp', status: 'failed', error: { code: 'egress_refused' } });
});

t.test('a key that expires ends the call that it has open', async (t) => {
  await grantTo(server, 'allow', DELETE);
  const { api_key, id } = await aKey();
  const as = { Authorization: `Bearer ${api_key}` };
  const calling = post(doorOf(server), message(DELETE, { path: { id: 'held' } }), as);
  await untilSeen('the call upstream', () => held.length, (count) => count === 1);
  // Keys are not told of their end: whoever has something open is looked up this often.
  t.ok(REVIEW_MS < 1_000, 'docs/mcp.md says: within a second');
  await sql`update api_keys set expires_at = now() where id = ${id}`;
  const ended = await calling;
  t.match([ended.status, await ended.json()], [401, { code: 'invalid_api_key' }]);
  // That it was good is believed for as long as that; of a key that was made so, not a moment more.
  await untilSeen('no other begins', async () => (await post(doorOf(server), message(LIST), as))
    .status, (status) => status === 401);
  for (const release of held.splice(0)) release();
  const { data } = await untilSeen('the record of the write',
    () => client.expect(200, 'listActionInvocations', { query: { action: DELETE } }),
    ({ data }) => data.length > 0);
  t.match(data, [{ source: 'mcp', status: 'failed', error: { code: 'outcome_unknown' } }]);
});
