/** One of the servers of test/bench/streams.ts, in a process of its own. */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { Appender, type AppendRequest } from '../../src/runs/appender.ts';
import { startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import { portOf } from '../support/listen.ts';
import { UNREACHED } from './bench.ts';

export interface StreamsTarget { port: number; paths: string[]; headers: Record<string, string> }
export interface Memory { heap_bytes: number; rss_bytes: number }

const RUNS = 100;
/**
 * How long each run is silent between two words: 2 s in the mean, and not the same for any two.
 * Whatever holds all of them up would else have them speak in the same moment from then on, which
 * runs of real life do not.
 */
const SILENCE_MS = Array.from({ length: RUNS }, (_, run) => 1_500 + run * 1_000 / RUNS);
const APART_MS = 2_000 / RUNS;
/** What the envelope of an event of ours has besides. */
const ENVELOPE = `"type":"message.output.delta","run_id":"run_${'0'.repeat(26)}",`
  + `"session_id":"ses_${'0'.repeat(26)}","created_at":"2026-01-01T00:00:00.000Z"`;

/** How long each append has taken since they were last asked for, in milliseconds. */
let appends_ms: number[] = [];

async function startGatehouse(database_url: string): Promise<StreamsTarget> {
  timeAppends();
  const sql = connect(database_url, { max: 1 });
  const { api_key } = await createFirstCredentials(sql);
  await sql.end();
  const config = readConfig({}, {
    port: 0, database_url, log_level: 'warn', concurrency: RUNS, streams_per_key: 100_000,
    streams_per_workspace: 100_000, ...UNREACHED });
  const service = await startService({ config, log: createLog('warn') });
  const stop = () => void service.stop().then(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
  const headers = { authorization: `Bearer ${api_key}`, accept: 'text/event-stream' };
  const post = async (path: string, body: string): Promise<{ id: string }> => {
    const response = await fetch(`${service.base_url}${path}`, {
      method: 'POST', body, headers: { ...headers, accept: 'application/json',
        'content-type': 'application/json' } });
    return await response.json() as { id: string };
  };
  const paths: string[] = [];
  for (const silence_ms of SILENCE_MS) {
    const session = await post('/sessions', '{}');
    const text = `@rehearsal words=450 delay_ms=${silence_ms}`;
    const run = await post(`/sessions/${session.id}/runs`, JSON.stringify({
      timeout_s: 900, input: [{ role: 'user', content: [{ type: 'input_text', text }] }] }));
    paths.push(`/v1/runs/${run.id}/events`);
    await delay(APART_MS);
  }
  return { port: service.port, paths, headers };
}

/** Has every append of this process timed, at the door of what the runs call. */
function timeAppends(): void {
  const { append } = Appender.prototype;
  Appender.prototype.append = async function timed(this: Appender, request: AppendRequest) {
    const start_ms = performance.now();
    const last_seq = await append.call(this, request);
    appends_ms.push(performance.now() - start_ms);
    return last_seq;
  };
}

/**
 * A bare server that says as much to as many: each of as many runs inserts an event of its own as
 * often, and writes it to each of its readers when that is committed.
 */
async function startBare(database_url: string): Promise<StreamsTarget> {
  const runs = Array.from({ length: RUNS }, () => new Set<ServerResponse>());
  const server = createServer((req, res) => {
    const readers = runs[Number(req.url!.slice(1))]!;
    readers.add(res);
    res.on('close', () => readers.delete(res));
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('retry: 1000\n\n');
  });
  process.on('disconnect', () => process.exit(0));
  const port = await portOf(server);
  const sql = connect(database_url, { max: 4 });
  await sql`create table spoken (run integer, seq integer, data jsonb)`;
  const speak = async (run: number) => {
    for (let seq = 1; ; seq++) {
      await delay(SILENCE_MS[run]!);
      const data = JSON.stringify({ message_id: 'msg_bench', delta: 'word ' });
      const start_ms = performance.now();
      await sql`insert into spoken values (${run}, ${seq}, ${data}::jsonb)`;
      appends_ms.push(performance.now() - start_ms);
      const text = `event: message.output.delta\ndata: {"id":"evt_${run}_${seq}",`
        + `${ENVELOPE},"sequence_number":${seq},"data":${data}}\nid: ${seq}\n\n`;
      for (const res of runs[run]!) res.write(text);
    }
  };
  for (let run = 0; run < RUNS; run++) {
    void speak(run);
    await delay(APART_MS);
  }
  return { port, paths: runs.map((_, run) => `/${run}`), headers: {} };
}

process.send!(await (process.argv[2] === 'bare' ? startBare : startGatehouse)(process.argv[3]!));
process.on('message', async (question: 'memory' | 'appends') => {
  if (question === 'appends') {
    process.send!(appends_ms);
    appends_ms = [];
    return;
  }
  // Twice, with a turn of the loop between: what finalizers let go goes with the second.
  gc!();
  await new Promise((resolve) => setImmediate(resolve));
  gc!();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send!({ rss_bytes: rss, heap_bytes: heapUsed + external } satisfies Memory);
});
