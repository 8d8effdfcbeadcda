/** How much of a session's transcript a run reads. */
import t from 'tap';
import { Transcripts } from '../../src/runs/transcripts.ts';
import { readTranscript } from '../../src/store/messages.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const { client, sql, workspace_id } = await testServer(t);
const session_id = await newSession(client);
const KB = 1_024;
const RUNS = 50;
const seqs: number[] = [];
await sql`alter table runs alter column seq restart with 100`;
for (let nth = 0; nth < 3; nth++) await completeRun(client, session_id, '@rehearsal words=1');
const own = await seqOf();

/** The number of the newest run. */
async function seqOf(): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    select max(seq) as seq from runs where session_id = ${session_id}`;
  return row!.seq;
}

// Before the three, 50 runs of ten messages, 100 kB each run.
for (let nth = RUNS; nth > 0; nth--) seqs.push(own - 10 - nth);
await sql`
  insert into runs (workspace_id, session_id, id, seq, status, head, last_seq, source, model,
    max_steps, timeout_s, input, finished_at)
  overriding system value
  select ${workspace_id}, ${session_id}, 'run_' || seq, seq, 'cancelled', false, 0, 'api',
    'rehearsal', 1, 1, '[]', now()
  from unnest(${seqs}::bigint[]) seq`;
await sql`
  insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content)
  select ${workspace_id}, ${session_id}, seq, position, 'msg_' || seq || '_' || position,
    'run_' || seq, case when position = 1 then 'user' else 'assistant' end,
    json_build_array(json_build_object('type', 'output_text', 'text', repeat('x', ${10 * KB})))
  from unnest(${seqs}::bigint[]) seq, generate_series(1, 10) position`;

const read = (up_to_seq: number, limit_bytes: number) =>
  readTranscript(sql, workspace_id, session_id, { up_to_seq, limit_bytes });
const sizeOf = (messages: object[]) => JSON.stringify(messages).length;

t.test('all of it, if it is within the limit', async (t) => {
  const { messages, runs_left_out } = await read(own, 8_192 * KB);
  t.equal(messages.length, RUNS * 10 + 6);
  t.equal(runs_left_out, 0);
  t.strictSame(messages.slice(0, 2).map(({ role }) => role), ['user', 'assistant']);
  t.strictSame(messages.slice(0, -6).map(({ run_seq }) => run_seq),
    seqs.flatMap((seq) => Array.from({ length: 10 }, () => seq)), 'each message once, in order');
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
  t.equal(runs_left_out, RUNS + 2, 'as many as there are');
  t.ok((await read(own, 1_024 * KB)).messages.length > 80, 'and not much less');
});

t.test('what is kept and what is new are the end of what would be read anew', async (t) => {
  const kept = new Transcripts(sql, 1);
  const anew = (seq: number) =>
    new Transcripts(sql, 1).read({ workspace_id, session_id, seq });
  let [before] = [await kept.read({ workspace_id, session_id, seq: seqs[7]! })];
  const beginnings = new Set();
  for (const seq of [seqs[7]!, seqs[8]!, seqs[20]!, ...seqs.slice(40), own, own]) {
    const transcript = await kept.read({ workspace_id, session_id, seq });
    const whole = await anew(seq);
    const count = transcript.messages.length;
    t.strictSame(transcript.messages, whole.messages.slice(-count));
    t.equal(transcript.messages[0]!.role, 'user', 'each run of it is whole');
    t.ok(count > whole.messages.length * 0.7, 'most of what would be read');
    const dropped = (whole.messages.length - count) / 10;
    t.equal(transcript.runs_left_out, whole.runs_left_out + dropped, 'the others are counted');
    t.ok(transcript.messages.includes(before.messages.at(-11)!), 'what is known is not read again');
    if (transcript.runs_left_out > 0) beginnings.add(transcript.messages[0]!.run_id);
    before = transcript;
  }
  t.ok(before.runs_left_out > 0, 'the oldest are dropped');
  t.ok(beginnings.size < 3, `in strides, so that most begin as the one before: ${beginnings.size}`);
  const other = { workspace_id, session_id: 'ses_other', seq: own };
  t.strictSame(await kept.read(other), { messages: [], runs_left_out: 0 });
});

t.test('a number that a failover has lost is given again: nothing of that is kept', async (t) => {
  const kept = new Transcripts(sql, 1);
  await kept.read({ workspace_id, session_id, seq: own });
  const seq = seqs[20]!;
  t.strictSame(await kept.read({ workspace_id, session_id, seq }),
    await new Transcripts(sql, 1).read({ workspace_id, session_id, seq }));
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
