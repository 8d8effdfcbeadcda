/** Pages end where their items are large: no list answers 100 items of 1 MB each at once. */
import t from 'tap';
import { PAGE_BYTES } from '../../src/store/rows.ts';
import { readPages } from '../support/pages.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const LARGE_CHARS = 300_000;
const LARGE = 24;
const session_id = await newSession(client);
const run = await completeRun(client, session_id, '@rehearsal words=1');
const input = JSON.stringify(
  [{ role: 'user', content: [{ type: 'input_text', text: 'x'.repeat(LARGE_CHARS) }] }]);
await sql`
  insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
    source, model, max_steps, timeout_s, started_at, finished_at, input, listed_input, output)
  select workspace_id, id || nth, session_id, status, head, attempt, worker_id, last_seq, source,
    model, max_steps, timeout_s, started_at, finished_at, null,
    shortened_input(${input}::text::json), '[]'
  from runs, generate_series(10, ${9 + LARGE}) nth where workspace_id = ${workspace_id}`;
await sql`
  insert into approvals (workspace_id, id, action, effect, connection_id, input, input_bytes,
    input_sha256, expires_at)
  select ${workspace_id}, 'apr_' || nth, 'lab.echo.get', 'read', 'con_1',
    json_build_object('text', repeat('x', ${LARGE_CHARS})), ${LARGE_CHARS}, '',
    now() + interval '1 day'
  from generate_series(10, ${9 + LARGE}) nth`;

t.test('listApprovals ends a page at about 1 MiB, and pages hold everything once', async (t) => {
  for (const order of ['asc', 'desc']) {
    const answer = await client.fetch('listApprovals', { query: { limit: 100, order } });
    const { length } = await answer.text();
    t.ok(length < PAGE_BYTES + 2 * LARGE_CHARS, `${length} characters`);
    const pages = await readPages(client, 'listApprovals', { limit: 100, order });
    t.equal(new Set(pages.flat()).size, LARGE);
    t.equal(pages.flat().length, LARGE);
    t.ok(pages.slice(0, -1).every(({ length }) => length >= 3));
    t.ok(pages.length >= 6);
  }
});

t.test('listRuns has all of them in one page: it shows beginnings of long inputs', async (t) => {
  const answer = await client.fetch('listRuns', { query: { limit: 100 } });
  const text = await answer.text();
  t.equal(JSON.parse(text).data.length, LARGE + 1);
  t.ok(text.length < (LARGE + 1) * 6_000, `${text.length} characters`);
});

t.test('a page of events ends there, too, and a stream goes on', async (t) => {
  await sql`
    insert into run_events (workspace_id, run_id, seq, type, data)
    select ${workspace_id}, ${run.id}, ${100} + nth, 'message.output.delta',
      json_build_object('message_id', 'm', 'delta', repeat('x', ${LARGE_CHARS}))
    from generate_series(1, ${LARGE}) nth`;
  await sql`update runs set last_seq = ${100 + LARGE} where id = ${run.id}`;
  const path = { run_id: run.id };
  const seen: number[] = [];
  for (let starting_after = 100, more = true; more;) {
    const { data, has_more } = await client.expect(200, 'streamRunEvents',
      { path, query: { starting_after, limit: 1_000 } });
    t.ok(JSON.stringify(data).length < PAGE_BYTES + 2 * LARGE_CHARS);
    seen.push(...data.map(({ sequence_number }) => sequence_number));
    starting_after = seen.at(-1)!;
    more = has_more;
  }
  const all = Array.from({ length: LARGE }, (_, nth) => 101 + nth);
  t.strictSame(seen, all);
  const streamed = await Array.fromAsync(
    client.events('streamRunEvents', { path, query: { starting_after: 100 } }));
  t.strictSame(streamed.map(({ sequence_number }) => sequence_number), all);
});
