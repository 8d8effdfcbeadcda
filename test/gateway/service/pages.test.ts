/** Cursors that somebody forged or moved, and upstreams that want more than the next page. */
import t, { type Test } from 'tap';
import type { Client } from '../../support/client.ts';
import { newSession } from '../../support/runs.ts';
import { otherWorkspace } from '../../support/server.ts';
import { json, serve, type Received, type TestUpstream } from '../egress/support.ts';
import {
  addIntegration, agent, connectAccount, gatewayServer, grantTo, invoke, line,
} from './support.ts';

const LIST = 'shop.transfers.list';
const query = (name: string, schema: object) => ({ in: 'query', name, schema });
const answer = { responses: { 200: { description: 'Done.' } } };
const DOCUMENT = {
  openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {
    '/transfers': { get: { operationId: 'transfers/list', ...answer, parameters: [
      query('to', { type: 'string' }), query('amount', { type: 'integer', maximum: 100 }),
      query('kind', { enum: ['in', 'out'] }), query('page', { type: 'integer', maximum: 3 }),
      query('limit', { type: 'integer' })] } },
    '/refunds': { get: { operationId: 'refunds/list', ...answer, parameters: [
      query('page', { type: 'integer' }), query('limit', { type: 'integer' })] } },
    '/search': { post: { operationId: 'transfers/search', ...answer, requestBody: { content: {
      'application/json': { schema: { type: 'object', additionalProperties: false, properties: {
        to: { type: 'string' }, start_cursor: { type: 'string', maxLength: 5 },
        page_size: { type: 'integer' } } } } } } } },
  },
};
const INPUT = { query: { to: 'alice', amount: 1 } };

/** A shop whose answers name this next page, connected twice. */
async function shop(t: Test, next: (request: Received) => unknown) {
  const upstream: TestUpstream = await serve(t, (request, response) => {
    const link = next(request);
    json(response, typeof link === 'string' ? [1] : { data: [1], ...link as object }, 200,
      typeof link === 'string' ? { link: `<${link}>; rel="next"` } : {});
  });
  const server = await gatewayServer(t);
  await addIntegration(server, { slug: 'shop', kind: 'openapi', document: DOCUMENT as never,
    base_url: upstream.url, egress_allow: upstream.egress_allow,
    overrides: { 'POST /search': { effect: 'read' } } });
  const { id: connection_id } = await connectAccount(server, 'shop');
  const targets = () => upstream.received.map(({ target }) => target);
  return { server, client: server.client, upstream, targets, connection_id };
}

const turning = (page = 2) => () => `/transfers?page=${page}`;

async function firstPage(
  client: Client, action = LIST, input: object = INPUT, rest = {}): Promise<string> {
  const { status, body } = await invoke(client, action, input, rest);
  if (status !== 201 || !body.page) throw new Error(JSON.stringify(body));
  return body.page.next_cursor;
}

/** The call is refused for its cursor, in words that say what to do. */
async function refused(
  t: Test, client: Client, cursor: string, call: { action?: string, input?: object } = {},
  rest = {}): Promise<void> {
  const { action = LIST, input = INPUT } = call;
  t.match(await invoke(client, action, input, { ...rest, cursor }), { status: 400, body: {
    code: 'invalid_input', param: '/cursor', error: /begin again without a cursor/ } }, cursor);
}

t.test('a cursor that somebody made up selects nothing', async (t) => {
  const { server: { client, sql }, targets } = await shop(t, turning());
  const cursor = await firstPage(client);
  const { body: failed } = await invoke(client, LIST, { query: { amount: 101 } });
  const { body: whole } = await invoke(client, 'gateway.connections.list');
  const forged = (...content: unknown[]) =>
    Buffer.from(JSON.stringify(content)).toString('base64url');
  for (const made of [
    forged(1, LIST, { to: 'mallory', amount: '999999' }, {}), forged(1, LIST, { page: '2' }, {}),
    forged(1, LIST, { kind: '../secret' }, {}),
    '{"query":{"to":"mallory"},"body":{}}', '{"query":{"page":"2"},"body":{}}', '2', '\0', '%', "'",
    cursor.toUpperCase(), `${cursor} `, cursor.slice(0, -1), `${cursor}x`, 'x'.repeat(8_192),
    (failed as unknown as { details: { invocation_id: string } }).details.invocation_id,
    (whole as { invocation_id: string }).invocation_id,
  ]) await refused(t, client, made);
  t.strictSame(targets(), ['/transfers?to=alice&amount=1']);
  t.match(await invoke(client, LIST, INPUT, { cursor }), { status: 201 });
  // What an action wrote is still read as anything else that is stored.
  await sql`update action_invocations set next_cursor = '{"query":{"to":"mallory"}}'
    where id = ${cursor}`;
  await refused(t, client, cursor);
  t.strictSame(targets().slice(1), ['/transfers?to=alice&amount=1&page=2']);
});

t.test('a cursor counts for its action, input, connection and workspace', async (t) => {
  const { server, client, targets, connection_id } = await shop(t, turning());
  const cursor = await firstPage(client);
  const refund = await firstPage(client, 'shop.refunds.list', {});
  const { id: second } = await connectAccount(server, 'shop', undefined, { name: 'second' });
  const inside = await otherWorkspace(server);
  const { data: [key] } = await client.expect(200, 'listApiKeys', { query: { order: 'desc' } });
  await connectAccount({ ...server, workspace_id: key!.workspace_id }, 'shop');
  const before = targets().length;
  await refused(t, client, refund, {}, { connection_id });
  await refused(t, client, cursor, { action: 'shop.refunds.list', input: {} }, { connection_id });
  for (const changed of [{}, { query: {} }, { query: { to: 'alice' } },
    { query: { to: 'mallory', amount: 1 } }, { query: { ...INPUT.query, kind: 'in' } }]) {
    await refused(t, client, cursor, { input: changed }, { connection_id });
  }
  await refused(t, client, cursor, {}, { connection_id: second });
  await refused(t, inside, cursor);
  t.equal(targets().length, before);
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: server.workspace_id, name: 'another' } });
  t.match(await invoke(client.as(api_key), LIST, { query: { amount: 1, to: 'alice' } },
    { cursor, connection_id }), { status: 201 }, 'any key of the workspace may go on');
  t.match(await invoke(client, LIST, INPUT, { cursor, connection_id }), { status: 201 }, 'again');
});

t.test('an upstream names the next page and nothing else', async (t) => {
  let next: unknown = '/elsewhere?page=2&to=mallory&amount=999999&kind=../secret&admin=1&to=eve';
  const { client, upstream, targets } = await shop(t, () => next);
  const second = await firstPage(client);
  next = '/transfers?page=3&page_token=abc';
  const third = await firstPage(client, LIST, INPUT, { cursor: second });
  next = { next: '/transfers?page=4' };
  const fourth = await firstPage(client, LIST, INPUT, { cursor: third });
  t.strictSame(targets(), ['', '&page=2', '&page=3&page_token=abc']
    .map((more) => `/transfers?to=alice&amount=1${more}`));
  t.match(await invoke(client, LIST, INPUT, { cursor: fourth }), { status: 400, body: {
    code: 'invalid_input', param: '/cursor',
    error: /leads to a page that the action does not take: \/input\/query\/page must be <= 3/ } });
  const body = { body: { to: 'alice' } };
  next = { has_more: true, next_cursor: 'two' };
  const more = await firstPage(client, 'shop.transfers.search', body);
  next = { has_more: true, next_cursor: 'x'.repeat(6) };
  const tooLong = await firstPage(client, 'shop.transfers.search', body, { cursor: more });
  t.strictSame(upstream.received.slice(-2).map((request) => JSON.parse(String(request.body))),
    [body.body, { ...body.body, start_cursor: 'two' }]);
  t.match(await invoke(client, 'shop.transfers.search', body, { cursor: tooLong }),
    { status: 400, body: { param: '/cursor', error: /start_cursor must have at most 5/ } });
  next = { has_more: true, next_cursor: 'x'.repeat(20_000) };
  const { body: cut } = await invoke(client, 'shop.transfers.search', body);
  t.match(cut, { truncated: true }, 'a place that cannot be kept');
  t.notOk('page' in cut);
});

t.test('a list ends where its service says nothing of a next page any more', async (t) => {
  const { client } = await shop(t, ({ target }) =>
    (target.includes('page=2') ? {} : '/refunds?page=2'));
  const cursor = await firstPage(client, 'shop.refunds.list', {});
  const { body } = await invoke(client, 'shop.refunds.list', {}, { cursor });
  t.match(body, { result: { data: [1] } });
  t.notOk('page' in body);
});

type Gap = { approval_id: string; call: { input: object } };

t.test('what is approved of a page is what leaves', async (t) => {
  let next = '/transfers?page=2&page_token=abc';
  const { server, client, targets } = await shop(t, () => next);
  const cursor = await firstPage(client);
  await grantTo(server, 'require_approval', LIST);
  const asked = async (rest: object): Promise<Gap> => {
    const { status, body } = await invoke(client, LIST, INPUT, rest);
    if (status !== 403) throw new Error(JSON.stringify(body));
    return (body as unknown as { details: { missing: Gap[] } }).details.missing[0]!;
  };
  const approve = async ({ approval_id }: Gap) => client.expect(200, 'decideApproval',
    { path: { approval_id }, body: { decision: 'approve' } });
  const input = { query: { ...INPUT.query, page: 2, page_token: 'abc' } };
  const second = await asked({ cursor });
  t.strictSame(second.call.input, input);
  t.strictSame((await approve(second)).input, input, 'the operator is shown it');
  const first = await asked({});
  t.not(first.approval_id, second.approval_id, 'it is not for the first page');
  t.strictSame(first.call.input, INPUT);
  await approve(first);
  next = '/transfers?page=3';
  // Begun anew, the list has another second page, which nobody has approved.
  const anew = await firstPage(client);
  t.strictSame((await asked({ cursor: anew })).call.input,
    { query: { ...INPUT.query, page: 3 } });
  t.match(await invoke(client, LIST, INPUT, { cursor }), { status: 201 });
  t.strictSame(targets().at(-1), '/transfers?to=alice&amount=1&page=2&page_token=abc');
  t.not((await asked({ cursor })).approval_id, second.approval_id, 'it was used');
});

t.test('an agent walks through lists of the service itself', async (t) => {
  const { client } = await gatewayServer(t);
  for (const title of ['one', 'two', 'three']) await newSession(client, title);
  const input = { query: { limit: 2, order: 'asc' } };
  const { ends: [first] } = await agent(client, line('gatehouse.sessions.list', input));
  const { page, result } = (first!.data as unknown as { result: {
    page: { next_cursor: string }, result: { next_cursor: string } } }).result;
  const [own, raw] = (await agent(client,
    line('gatehouse.sessions.list', input, `cursor=${page.next_cursor}`),
    line('gatehouse.sessions.list', input, `cursor=${result.next_cursor}`))).ends;
  t.match(own!.data, { result: { ok: true, result: { data: [{ title: 'three' }] } } });
  t.match(raw!.data, { error: { code: 'invalid_input', message: /Pass page\.next_cursor/ } });
});
