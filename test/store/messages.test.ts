/** How much of a session's transcript a run reads. */
import t from 'tap';
import { readTranscript } from '../../src/store/messages.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const { client, sql, workspace_id } = await testServer(t);
const session_id = await newSession(client);
const KB = 1_024;
const RUNS = 40;
const seqs: number[] = [];
for (let nth = 0; nth < 3; nth++) await completeRun(client, session_id, '@rehearsal words=1');
const own = await seqOf();

/** The number of the newest run. */
async function seqOf(): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    select max(seq) as seq from runs where session_id = ${session_id}`;
  return row!.seq;
}

// Before the three, 40 runs of ten messages, 100 kB each run.
for (let nth = RUNS; nth > 0; nth--) seqs.push(own - 10 - nth);
await sql`
  insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content)
  select ${workspace_id}, ${session_id}, seq, position, 'msg_' || seq || '_' || position,
    'run_' || seq, case when position = 1 then 'user' else 'assistant' end,
    json_build_array(json_build_object('type', 'output_text', 'text', repeat('x', ${10 * KB})))
  from unnest(${seqs}::bigint[]) seq, generate_series(1, 10) position`;

const read = (up_to: number, limit_bytes: number) =>
  readTranscript(sql, workspace_id, session_id, up_to, limit_bytes);
const sizeOf = (messages: object[]) => JSON.stringify(messages).length;

t.test('all of it, if it is within the limit', async (t) => {
  const { messages, runs_left_out } = await read(own, 8_192 * KB);
  t.equal(messages.length, RUNS * 10 + 6);
  t.equal(runs_left_out, 0);
  t.strictSame(messages.slice(0, 2).map(({ role }) => role), ['user', 'assistant']);
  t.equal(new Set(messages.map(({ id }) => id)).size, messages.length);
  t.strictSame((await read(seqs[0]!, KB)).messages.length, 10, 'the run itself in any case');
});

t.test('the newest runs, each of them whole, and no more than the limit', async (t) => {
  for (const limit of [0, 1, 150 * KB, 400 * KB, 1_024 * KB]) {
    const { messages } = await read(own, limit);
    t.ok(sizeOf(messages) < limit + 20 * KB, `${sizeOf(messages)} of ${limit}`);
    t.equal(messages[0]!.role, 'user', 'it begins with what was asked');
    t.equal((messages.length - 6) % 10 === 0 || messages.length < 6, true);
  }
  const { messages, runs_left_out } = await read(own, 0);
  t.equal(messages.length, 2, 'the run itself');
  t.equal(runs_left_out, 2, 'as many as there are');
  t.ok((await read(own, 1_024 * KB)).messages.length > 80, 'and not much less');
});

t.test('a run goes on in a session that is longer than what is read', async (t) => {
  await sql`
    insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content)
    select ${workspace_id}, ${session_id}, seq, 11, 'msg_' || seq, 'run_' || seq, 'assistant',
      json_build_array(json_build_object('type', 'output_text', 'text', repeat('x', 300000)))
    from unnest(${seqs}::bigint[]) seq`;
  const run = await completeRun(client, session_id, 'call gateway.connections.list');
  t.equal(run.status, 'completed');
  t.equal(run.tool_calls.length, 1);
});
