/** With a seed, two mocks that are asked the same answer the same, byte by byte. */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { Repeatable } from '../../src/mock/repeatable.ts';
import { startStaged } from '../../src/mock/staged.ts';
import { Client, collect, type CallOptions } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { cookieIn } from '../support/dashboard.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { mockProcess } from './support.ts';

/** What differs from day to day, or with the speed of the machine. */
const VARYING = /^(date|ratelimit|ratelimit-policy|connection|keep-alive)$/;

/** A mock with a seed, in this process and on a database of the tests. */
async function seeded(t: Test, seed = '7') {
  const { url, sql } = await testDatabase(t);
  const { base_url, stop } = await startStaged({ host: '127.0.0.1', port: 0, pace_ms: 0, seed,
    log_level: 'silent', onExamplesOnly() {} }, { url, data_dir: t.testdirName, async close() {} });
  t.teardown(stop);
  return { base_url, sql };
}

/** Asks a mock for one thing after the other; answers all that it has said. */
async function told(base_url: string): Promise<string[]> {
  const all: string[] = [];
  const ask = async (
    method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(base_url + path, {
      method,
      headers: { authorization: 'Bearer me', ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // Comments tell a reader's patience alone: one opens a stream that has no event at once.
    const text = (await response.text()).replaceAll(/^:.*\n/gm, '');
    const kept = [...response.headers].filter(([name]) => !VARYING.test(name));
    all.push(`${method} ${response.status} ${JSON.stringify(kept)}\n${text}`);
    return text;
  };
  const input = (text: string, rest = {}) =>
    ({ input: [{ role: 'user', content: [{ type: 'input_text', text }] }], ...rest });
  const session = JSON.parse(await ask('POST', '/sessions',
    { title: 'one', metadata: { at: '2031-02-03T04:05:06.000Z' } })) as
    { id: string; created_at: string };
  const runs = `/sessions/${session.id}/runs`;
  const id_of = (text: string) => (JSON.parse(text) as { id: string }).id;
  const run_id = id_of(await ask('POST', runs, input(
    `call gatehouse.sessions.get {"path": {"session_id": "${session.id}"}}\n`
    + 'call gateway.connections.list', { wait: true })));
  await ask('POST', runs, input('@scenario completed', { stream: true }));
  await ask('POST', runs, input('Plans', { wait: true }), { prefer: 'scenario=denied' });
  await ask('GET', `/runs/${run_id}/events`, undefined, { accept: 'text/event-stream' });
  await ask('GET', `/runs/${run_id}`);
  const queued = id_of(await ask('POST', runs, input('@scenario failed')));
  await ask('GET', `/runs/${queued}/events`, undefined, { accept: 'text/event-stream' });
  await ask('GET', `/runs/${queued}`);
  await ask('POST', '/action_invocations', { action: 'gateway.connections.list' });
  await ask('GET', '/action_invocations?source=agent');
  const page = JSON.parse(await ask('GET', `/runs?session_id=${session.id}&limit=3`)) as
    { next_cursor: string };
  await ask('GET', `/runs?session_id=${session.id}&limit=3&cursor=${page.next_cursor}`);
  await ask('GET', `/runs?created_after=${session.created_at}`);
  await ask('GET', '/sessions');
  await ask('GET', `/sessions/${session.id}/messages`);
  await ask('GET', '/runs/run_01kagz4e6f1s3t5v7w9x1y3z5a');
  await ask('DELETE', '/sessions');
  return all;
}

t.test('the same seed, the same bytes', async (t) => {
  const [one, again, other] = await Promise.all([
    mockProcess(t, ['--pace', '0', '--seed', '7']), seeded(t), seeded(t, '8'),
  ].map(async (mock) => await told((await mock).base_url)));
  t.strictSame(again, one);
  const sha = (texts: string[]) => createHash('sha256').update(texts.join()).digest('hex');
  t.not(sha(other!), sha(one!), 'another seed makes other ids');
  const [session, run, stream] = one!;
  t.match(session, /"id":"ses_[0-9a-z]{26}"/);
  t.match(session, /"at":"2031-02-03T04:05:06.000Z"/, 'what the client has sent comes back');
  t.match(session, /"created_at":"2026-01-01T00:00:01.000Z"/);
  t.match(run, /"status":"completed"/);
  t.match(one![4], new RegExp(`"delta":"[^"]*${/ses_\w+/.exec(session!)![0]}`),
    'an id is in one piece');
  t.match(stream, /event: run.completed/);
  const pages = one!.slice(11, 13).flatMap((text) =>
    (JSON.parse(text.slice(text.indexOf('\n'))) as { data: { id: string }[] }).data);
  t.equal(new Set(pages.map(({ id }) => id)).size, 4, 'four runs on two pages');
});

t.test('no look of the worker comes between a run and its 202', async (t) => {
  const { sql } = await seeded(t);
  // It looks each time that it has renewed its lease, which is after a third of it.
  const [worker] = await sql<{ lease_s: number }[]>`
    select extract(epoch from lease_until - now())::float8 as lease_s from workers`;
  t.ok(worker!.lease_s / 3 > 60, `a lease of ${worker!.lease_s} s`);
});

t.test('a beginning that the service has no other for is refused', async (t) => {
  const repeatable = new Repeatable('7');
  const shown = [...'0123456789abcdefghjkmnpqrstvwxyz'].map((letter) =>
    repeatable.outward(`run_${letter.padStart(26, '0')}`));
  const beginnings = shown.map((id) => id.slice(0, 15));
  const several = beginnings.find((prefix, at) => beginnings.indexOf(prefix) !== at)!;
  t.throws(() => repeatable.inwardPrefix(several, 'id_prefix'),
    { code: 'invalid_request', param: 'id_prefix', message: /^\d ids begin with run_/ });
});

t.test('filters, and what is none, with a seed as without', async (t) => {
  const { base_url } = await seeded(t);
  const client = new Client({ base_url, api_key: 'me' });
  const session_id = await newSession(client);
  const runs: { id: string; created_at: string }[] = [];
  for (const text of ['one', 'two', 'three']) {
    runs.push(await completeRun(client, session_id, `@rehearsal words=1 ${text}`));
  }
  const listed = async (query: CallOptions['query']) => (await client.expect(200, 'listRuns',
    { query: { ...query, order: 'asc' } })).data.map(({ id }) => runs.findIndex(
    (run) => run.id === id) + 1);

  t.test('the workspace that the dashboard names', async (t) => {
    const { headers } = await client.call('createDashboardSession',
      { body: { admin_token: 'any' } });
    const here = { cookie: cookieIn(headers), 'sec-fetch-site': 'same-origin' };
    const { data } = await client.expect(200, 'listWorkspaces', { token: null, headers: here });
    const sessions = await Promise.all(data.map(async ({ id }) => (await client.expect(200,
      'listSessions', { token: null, headers: { ...here, 'gatehouse-workspace': id } })).data));
    t.strictSame(sessions.flat().map(({ id }) => id), [session_id]);
  });

  t.test('by the time that is shown', async (t) => {
    t.strictSame(runs.map(({ created_at }) => created_at.slice(17)),
      ['02.000Z', '03.000Z', '04.000Z']);
    for (const [time, before, after] of [
      ['2025-06-01T00:00:00Z', [], [1, 2, 3]],
      ['2026-01-01T00:00:02Z', [], [2, 3]],
      ['2026-01-01T00:00:02.500Z', [1], [2, 3]],
      ['2026-01-01T01:00:03+01:00', [1], [3]],
      ['2026-01-01T00:00:04Z', [1, 2], []],
      ['2026-01-01T00:00:05Z', [1, 2, 3], []],
      ['2026-06-01T00:00:00Z', [1, 2, 3], []],
    ] as const) {
      t.strictSame(await listed({ created_before: time }), before, `before ${time}`);
      t.strictSame(await listed({ created_after: time }), after, `after ${time}`);
    }
    t.match(await client.expect(400, 'listRuns', { query: { created_after: '2026-13-01' } }),
      { param: 'created_after' });
  });

  t.test('a damaged cursor is refused', async (t) => {
    const { next_cursor } = await client.expect(200, 'listRuns', { query: { limit: 1 } });
    await client.expect(200, 'listRuns', { query: { cursor: next_cursor! } });
    for (const cursor of [`${next_cursor}x!`, `${next_cursor}=`, ` ${next_cursor}`]) {
      t.match(await client.expect(400, 'listRuns', { query: { cursor } }),
        { code: 'invalid_cursor' });
    }
  });

  t.test('by the beginning of a shown id', async (t) => {
    const two = runs[1]!.id;
    for (const id_prefix of [two.slice(0, 16), two.slice(0, -1), two]) {
      t.strictSame(await listed({ id_prefix }), [2], id_prefix);
    }
    t.strictSame(await listed({ id_prefix: 'run_' }), [1, 2, 3]);
    t.strictSame(await listed({ id_prefix: 'run_zzz' }), []);
    for (const query of [session_id.slice(0, 16), ` ${session_id} `, 'ses_']) {
      t.match(await client.expect(200, 'listSessions', { query: { query } }),
        { data: [{ id: session_id }] }, query);
    }
  });
});

t.test('a stream that is to be cut is cut with a seed too', async (t) => {
  const { base_url } = await seeded(t);
  const client = new Client({ base_url, api_key: 'me' });
  const { id: run_id } = await completeRun(client, await newSession(client), '@scenario cut');
  const follow = () => collect(client.events('streamRunEvents', { path: { run_id } }));
  await t.rejects(follow(), { message: 'terminated' });
  t.match(await follow(), { length: 48 }, 'the second time it is whole');
});
