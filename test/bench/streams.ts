/**
 * Memory per open event stream: what a service holds more, after a garbage collection, with so many
 * streams open that wait for their next event, against a bare node:http server that holds as many
 * responses open. Each server is a process of its own; the streams are of 20 queued runs.
 *
 * Usage: node test/bench/streams.ts
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { column, median, runBench, type Bench } from './bench.ts';
import type { Memory, StreamsTarget } from './streamsTarget.ts';

const STREAMS = 2_000;
const ROUNDS = 3;
const AT_MOST_KB = 64;

await runBench(async (bench) => {
  const url = await bench.database('streams');
  const held: Record<'gatehouse' | 'bare', Memory[]> = { gatehouse: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['gatehouse', 'bare'] as const) {
      held[name].push(await perStream(bench, name, url));
    }
  }
  bench.say('                 JavaScript heap and buffers    whole process');
  const heap_kb = { gatehouse: 0, bare: 0 };
  for (const name of ['gatehouse', 'bare'] as const) {
    heap_kb[name] = median(held[name].map((memory) => memory.heap_bytes)) / 1_024;
    const rss_kb = median(held[name].map((memory) => memory.rss_bytes)) / 1_024;
    bench.say(`  ${name.padEnd(12)}${column(heap_kb[name], 1, 20)} kB${column(rss_kb, 1, 18)} kB`);
  }
  bench.figure({
    name: `memory per open stream, ${STREAMS} open`, value: heap_kb.gatehouse, unit: 'kB',
    at_most: AT_MOST_KB });
  bench.figure({
    name: 'the same, to an open response of bare node:http',
    value: heap_kb.gatehouse / heap_kb.bare, unit: '×' });
});

async function perStream(bench: Bench, name: string, url: string): Promise<Memory> {
  const script = fileURLToPath(new URL('streamsTarget.ts', import.meta.url));
  const child = fork(script, [name, url], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: ['--expose-gc'] });
  bench.teardown(() => { if (child.connected) child.disconnect(); });
  const [target] = await once(child, 'message') as [StreamsTarget];
  const agent = new Agent({ maxSockets: Infinity });
  const open = (count: number) => openStreams(agent, target, count);
  await open(STREAMS / 10); // what the first streams load and compile is not theirs alone
  const before = await memoryOf(child);
  const after = await open(STREAMS).then(() => memoryOf(child));
  agent.destroy();
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  return {
    heap_bytes: (after.heap_bytes - before.heap_bytes) / STREAMS,
    rss_bytes: (after.rss_bytes - before.rss_bytes) / STREAMS,
  };
}

/** Opens streams; each has sent its head and what there was to send. */
async function openStreams(agent: Agent, target: StreamsTarget, count: number): Promise<void> {
  const { port, paths, headers } = target;
  for (let i = 0; i < count; i += 50) {
    await Promise.all(Array.from({ length: 50 }, async (_, place) => {
      const request = get(
        { agent, port, host: '127.0.0.1', path: paths[(i + place) % paths.length]!, headers });
      request.on('error', () => {}); // all are cut off at the end
      const [response] = await once(request, 'response') as [IncomingMessage];
      response.on('error', () => {});
      await once(response, 'data');
      if (response.statusCode !== 200) throw new Error(`a stream answered ${response.statusCode}`);
    }));
  }
}

async function memoryOf(child: ChildProcess): Promise<Memory> {
  child.send('memory');
  const [memory] = await once(child, 'message');
  return memory as Memory;
}
