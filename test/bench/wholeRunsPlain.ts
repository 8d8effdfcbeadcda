/**
 * The plain design that test/bench/wholeRuns.ts compares with: bare node:http, a pool, and an
 * insert for each event, which is shown once it is committed. It makes the events of a run of 20
 * words in the request itself: no queue, no worker, no order, no recovery, no keys, no checks.
 */
import { createServer, type ServerResponse } from 'node:http';
import { newId } from '../../src/ids.ts';
import { connect } from '../../src/store/database.ts';
import { portOf } from '../support/listen.ts';
import { CONNECTIONS } from './product.ts';

interface Event { seq: number; type: string; data: string }

const WORDS = Array.from({ length: 20 }, (_, index) => `word${index + 1} `);
const sql = connect(process.argv[2]!, { max: CONNECTIONS });
await sql.unsafe(`
  create schema plain;
  create table plain.sessions (
    id text collate "C" primary key, created_at timestamptz not null default now());
  create table plain.runs (
    id text collate "C" primary key, session_id text collate "C" not null references plain.sessions,
    status text not null default 'running', input json not null, output json,
    created_at timestamptz not null default now(), finished_at timestamptz);
  create table plain.run_events (
    run_id text collate "C" not null, seq integer not null, type text not null,
    created_at timestamptz not null default clock_timestamp(), data json not null,
    primary key (run_id, seq));`);

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Ask;
    const [, session_id] = /^\/v1\/sessions\/([^/]+)\/runs$/.exec(req.url!) ?? [];
    void (session_id === undefined ? makeSession(res) : makeRun(res, session_id, body));
  });
});
process.send!({ port: await portOf(server), api_key: 'none' });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpu_ms: (user + system) / 1_000 });
});
process.on('disconnect', () => process.exit(0));

interface Ask { stream?: boolean; input: unknown }

async function makeSession(res: ServerResponse): Promise<void> {
  const id = newId('ses');
  await sql`insert into plain.sessions (id) values (${id})`;
  answer(res, 201, { id });
}

async function makeRun(res: ServerResponse, session_id: string, body: Ask): Promise<void> {
  const id = newId('run');
  await sql`
    insert into plain.runs (id, session_id, input)
    values (${id}, ${session_id}, ${JSON.stringify(body.input)}::text::json)`;
  if (body.stream) res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of eventsOf(body.input)) {
    await sql`
      insert into plain.run_events (run_id, seq, type, data)
      values (${id}, ${event.seq}, ${event.type}, ${event.data}::text::json)`;
    if (body.stream) {
      res.write(`event: ${event.type}\ndata: ${event.data}\nid: ${event.seq}\n\n`);
    }
  }
  const output = JSON.stringify(WORDS.join(''));
  await sql`
    update plain.runs set status = 'completed', output = ${output}::text::json,
      finished_at = now() where id = ${id}`;
  if (body.stream) res.end();
  else answer(res, 200, { id, status: 'completed', output: WORDS.join('') });
}

/** The same kinds and as many as of a run of 20 words of the rehearsal model. */
function eventsOf(input: unknown): Event[] {
  const thought = ['20 ', 'words, ', 'as ', 'asked.'];
  const events: [string, unknown][] = [
    ['run.created', { status: 'queued', input }], ['run.started', { attempt: 1 }],
    ...thought.map((delta): [string, unknown] => ['reasoning.summary.delta', { delta }]),
    ...WORDS.map((delta): [string, unknown] => ['message.output.delta', { delta }]),
    ['message.output.completed', { text: WORDS.join('') }], ['run.completed', { output: WORDS }],
  ];
  return events.map(([type, data], index) =>
    ({ seq: index + 1, type, data: JSON.stringify(data) }));
}

function answer(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  res.end(text);
}
