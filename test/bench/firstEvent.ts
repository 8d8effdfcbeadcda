/**
 * Time to first event over HTTP: from sending POST …/runs with `stream: true` to the first bytes
 * of an event, and to the first delta that the model produced after a worker had claimed the run.
 * Both are held against what cannot be avoided, measured in the same run in alternation: a bare
 * HTTP round trip to the same server (/healthz), and one durable commit on the same database.
 *
 * Usage: node test/bench/firstEvent.ts [samples]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import { startEmbedded } from '../../src/store/embedded.ts';

const SAMPLES = Number(process.argv[2] ?? 300);
const WARM_UP = 30;
const PROMPT = JSON.stringify({
  stream: true,
  input: [{ role: 'user', content: [{ type: 'input_text', text: '@rehearsal words=5' }] }],
});

const log = createLog('warn');
const agent = new Agent({ keepAlive: true });
const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
const database = await startEmbedded({ data_dir, log });
const config = readConfig({}, { port: 0, data_dir, log_level: 'warn' });
const service = await startService({ config, log });
const sql = connect(database.url, { max: 1 });
try {
  await sql`create table commits (n int)`;
  const session_id = await newSession();
  const times = {
    round_trip: [] as number[], commit: [] as number[],
    first_event: [] as number[], first_delta: [] as number[], whole_run: [] as number[],
  };
  for (let i = 0; i < WARM_UP + SAMPLES; i++) {
    const sample = {
      round_trip: await timed(() => send('GET', '/healthz')),
      commit: await timed(() => sql`insert into commits values (1)`),
      ...await timeRun(session_id),
    };
    if (i < WARM_UP) continue;
    for (const [name, ms] of Object.entries(sample)) times[name as keyof typeof times].push(ms);
  }
  print(times);
} finally {
  await sql.end();
  await service.stop();
  await database.stop();
  agent.destroy();
  await rm(data_dir, { recursive: true, force: true });
}

async function newSession(): Promise<string> {
  return JSON.parse(await send('POST', '/v1/sessions', '{}')).id;
}

function send(method: string, path: string, body?: string, onData?: (text: string) => void) {
  return new Promise<string>((resolve, reject) => {
    const req = request({
      agent, method, port: service.port, host: '127.0.0.1', path,
      headers: {
        authorization: `Bearer ${service.credentials!.api_key}`,
        ...(body !== undefined && {
          'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        onData?.(text);
      }).on('end', () => resolve(text)).on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function timeRun(session_id: string) {
  const start = performance.now();
  let first_event = 0;
  let first_delta = 0;
  const text = await send('POST', `/v1/sessions/${session_id}/runs`, PROMPT, (seen) => {
    const now = performance.now() - start;
    if (first_event === 0 && seen.includes('event: run.created')) first_event = now;
    if (first_delta === 0 && seen.includes('event: message.output.delta')) first_delta = now;
  });
  if (!text.includes('event: run.completed')) throw new Error(`the run did not complete: ${text}`);
  return { first_event, first_delta, whole_run: performance.now() - start };
}

function print(times: Record<string, number[]>): void {
  const at = (name: string, share: number) => {
    const sorted = times[name]!.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  };
  const floor = at('round_trip', 0.5) + at('commit', 0.5);
  console.log(`${SAMPLES} runs, one after the other;`
    + ' ratio: p50 against one round trip and one commit');
  console.log('                p50 ms    p99 ms    ratio');
  for (const name of Object.keys(times)) {
    const [p50, p99] = [at(name, 0.5), at(name, 0.99)];
    console.log(`${name.padEnd(14)}${p50.toFixed(2).padStart(8)}${p99.toFixed(2).padStart(10)}`
      + `${(p50 / floor).toFixed(2).padStart(9)}`);
  }
}
