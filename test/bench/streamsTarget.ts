/** One of the servers of test/bench/streams.ts, in a process of its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { BUILTIN_SLUGS } from '../../src/gateway/gateway.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import { UNREACHED } from './bench.ts';

export interface StreamsTarget { port: number; paths: string[]; headers: Record<string, string> }
export interface Memory { heap_bytes: number; rss_bytes: number }

const RUNS = 20;
const ASK = JSON.stringify({
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }] });

async function startGatehouse(database_url: string): Promise<StreamsTarget> {
  const sql = connect(database_url, { max: 1 });
  const { api_key } = await createFirstCredentials(sql, BUILTIN_SLUGS);
  await sql.end();
  // Nobody executes the runs, so that their streams stay open.
  const config = readConfig({}, {
    port: 0, database_url, log_level: 'warn', concurrency: 0, streams_per_key: 100_000,
    streams_per_workspace: 100_000, ...UNREACHED,
    heartbeat_ms: 600_000, drain_ms: 0 });
  const service = await startService({ config, log: createLog('warn') });
  process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
  const headers = { authorization: `Bearer ${api_key}`, accept: 'text/event-stream' };
  const post = async (path: string, body: string): Promise<{ id: string }> => {
    const response = await fetch(`${service.base_url}${path}`, {
      method: 'POST', body, headers: { ...headers, accept: 'application/json',
        'content-type': 'application/json' } });
    return await response.json() as { id: string };
  };
  const paths: string[] = [];
  for (let i = 0; i < RUNS; i++) {
    const session = await post('/sessions', '{}');
    const run = await post(`/sessions/${session.id}/runs`, ASK);
    paths.push(`/v1/runs/${run.id}/events`);
  }
  return { port: service.port, paths, headers };
}

async function startBare(): Promise<StreamsTarget> {
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('retry: 1000\n\n');
  });
  process.on('disconnect', () => process.exit(0));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, paths: ['/'], headers: {} };
}

process.send!(process.argv[2] === 'bare' ? await startBare()
  : await startGatehouse(process.argv[3]!));
process.on('message', async () => {
  // Twice, with a turn of the loop between: what finalizers let go goes with the second.
  gc!();
  await new Promise((resolve) => setImmediate(resolve));
  gc!();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send!({ rss_bytes: rss, heap_bytes: heapUsed + external } satisfies Memory);
});
