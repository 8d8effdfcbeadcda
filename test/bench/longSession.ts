/**
 * What a run costs in a session that has had many: the 2,000th against the 10th, through HTTP, with
 * a model of a provider, which is in a process of its own and answers at once, and with the
 * rehearsal model. The sides take turns; the 10th run is that of a new session each time, and the
 * 2,000th and those that follow it are of one session, whose earlier runs are copies of real ones.
 * Its prompt is as large as the default context lets it be, and is sent whole each time: what that
 * takes by itself (JSON of the same request, a bare fetch, the answer read) is measured beside it.
 * Besides, what it takes to read such a session that the process does not know.
 *
 * Usage: node test/bench/longSession.ts [runs]
 */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/ids.ts';
import { Transcripts } from '../../src/runs/transcripts.ts';
import { startService } from '../../src/service.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { column, median, runBench, timed, UNREACHED, type Bench } from './bench.ts';
import { nextMessage, startProcess } from './processes.ts';
import { agent, send, type Target } from './requests.ts';

const RUNS = Number(process.argv[2] ?? 2_000);
const SHORT = 10;
const ROUNDS = 60;
const WARM_UP = 10;
const READS = 20;
const MODELS = ['compatible/m', 'rehearsal'] as const;

interface Place extends Target { sql: Sql; workspace_id: string; provider: string }
interface Cost { time_ms: number; cpu_ms: number }
interface Costs { short: Cost[]; long: Cost[] }

await runBench(async (bench) => {
  const place = await startPlace(bench);
  const long = await sessionOf(place, SHORT - 1);
  await repeatLatest(place.sql, long, RUNS - SHORT);
  await place.sql`analyze`;
  bench.say(`                                      10th   ${RUNS}th    ratio`);
  for (const model of MODELS) {
    const whole: Costs = { short: [], long: [] };
    const sending: Costs = { short: [], long: [] };
    for (let i = 0; i < WARM_UP + ROUNDS; i++) {
      const sessions = { short: await sessionOf(place, SHORT - 1), long };
      for (const which of ['short', 'long'] as const) {
        const cost = await costOf(() => run(place, sessions[which], model));
        const bare = model === 'rehearsal' ? undefined : await costOfSending(place);
        if (i < WARM_UP) continue;
        whole[which].push(cost);
        if (bare) sending[which].push(bare);
      }
    }
    report(bench, model, whole, sending);
  }
  const reads = await timesToRead(place, long);
  bench.figure({
    name: `reading a session of ${RUNS} runs that the process does not know, p50`, unit: 'ms',
    value: median(reads) });
});

async function startPlace(bench: Bench): Promise<Place> {
  const port = await nextMessage<number>(
    startProcess(bench, new URL('stepsPeer.ts', import.meta.url), ['0']));
  const database_url = await bench.database('long_session');
  const sql = connect(database_url, { max: 1 });
  bench.teardown(() => sql.end());
  const { api_key, workspace_id } = await createFirstCredentials(sql);
  const config = readConfig({}, {
    ...UNREACHED, port: 0, database_url, log_level: 'warn',
    compatible_base_url: `http://127.0.0.1:${port}/v1` });
  const service = await startService({ config, log: bench.log });
  bench.teardown(() => service.stop());
  bench.teardown(() => agent.destroy());
  const provider = `http://127.0.0.1:${port}`;
  return { port: service.port, api_key, sql, workspace_id, provider };
}

/** A new session with so many runs. */
async function sessionOf(place: Place, runs: number): Promise<string> {
  const { id } = JSON.parse(await send(place, 'POST', '/v1/sessions', '{}')) as { id: string };
  for (let nth = 0; nth < runs; nth++) await run(place, id, 'rehearsal');
  return id;
}

async function run(place: Place, session_id: string, model: string): Promise<void> {
  const text = await send(place, 'POST', `/v1/sessions/${session_id}/runs`, JSON.stringify({
    model, wait: true,
    input: [{ role: 'user', content: [{ type: 'input_text', text: '@rehearsal words=20' }] }],
  }));
  if (!text.includes('"status":"completed"')) throw new Error(`a run did not complete: ${text}`);
}

/** Gives a session so many runs more: copies of its latest. */
async function repeatLatest(sql: Sql, session_id: string, count: number): Promise<void> {
  const [latest] = await sql<{ id: string }[]>`
    select id from runs where session_id = ${session_id} order by seq desc limit 1`;
  const ids = Array.from({ length: count }, () => newId('run'));
  const ofRuns = await columnsOf(sql, 'runs');
  await sql.unsafe(`
    insert into runs (id, ${ofRuns})
    select copy.id, ${ofRuns} from unnest('{${ids.join()}}'::text[]) copy (id),
      (select ${ofRuns} from runs where id = '${latest!.id}') latest`);
  const ofMessages = await columnsOf(sql, 'messages');
  await sql.unsafe(`
    insert into messages (id, run_id, run_seq, ${ofMessages})
    select 'msg_' || copy.seq || '_' || position, copy.id, copy.seq, ${ofMessages}
    from (select id, seq from runs where id = any ('{${ids.join()}}')) copy,
      (select ${ofMessages} from messages where run_id = '${latest!.id}') latest
    order by copy.seq, position`);
}

/** The columns of a table but those that tell one run's rows from another's. */
async function columnsOf(sql: Sql, table: string): Promise<string> {
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_name = ${table}
      and column_name not in ('id', 'run_id', 'seq', 'run_seq')`;
  return rows.map(({ name }) => name).join(', ');
}

/** What work takes, and what the process uses for it; the provider and the database are others. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const time_ms = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { time_ms, cpu_ms: (user + system) / 1_000 };
}

/** The same of nothing but sending what the provider was sent last. */
async function costOfSending({ provider }: Place): Promise<Cost> {
  const request: unknown = await (await fetch(provider)).json();
  return await costOf(async () => {
    const response = await fetch(`${provider}/v1/chat/completions`, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request) });
    await response.text();
  });
}

function report(bench: Bench, model: string, whole: Costs, sending: Costs): void {
  for (const [what, name] of [['time_ms', 'time'], ['cpu_ms', 'CPU of the process']] as const) {
    const of = (costs: Cost[]) => costs.map((cost) => cost[what]);
    const tell = (words: string, short: number[], long: number[], at_most?: number) => {
      const [shorter, longer] = [median(short), median(long)];
      bench.say(`  ${`${model}, ${words}`.padEnd(40)}${column(shorter, 1, 6)}${column(longer, 1)}`
        + `${column(longer / shorter)}`);
      bench.figure({
        name: `the ${RUNS}th run of a session, to the 10th, ${model}, ${words}`, unit: '×',
        value: longer / shorter, at_most });
    };
    const at_most = what === 'time_ms' ? 1.3 : undefined;
    tell(name, of(whole.short), of(whole.long), at_most);
    if (sending.long.length === 0) continue;
    tell(`${name} of bare sending`, of(sending.short), of(sending.long));
    const beyond = (which: keyof Costs) =>
      whole[which].map((cost, nth) => cost[what] - sending[which][nth]![what]);
    tell(`${name} beyond it`, beyond('short'), beyond('long'), at_most);
  }
}

async function timesToRead({ sql, workspace_id }: Place, session_id: string): Promise<number[]> {
  const [newest] = await sql<{ seq: number }[]>`
    select max(seq) as seq from runs where session_id = ${session_id}`;
  const { model_context_tokens } = readConfig({});
  const times: number[] = [];
  for (let i = 0; i < READS; i++) {
    const transcripts = new Transcripts(sql, model_context_tokens);
    times.push(await timed(() =>
      transcripts.read({ workspace_id, session_id, seq: newest!.seq })));
  }
  return times;
}
