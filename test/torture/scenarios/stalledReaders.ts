/** Readers that open a stream and take nothing, on a node with little memory (G10). */
import { connect, type Socket } from 'node:net';
import { prompt } from '../../support/client.ts';
import { CarefulClient } from '../carefulClient.ts';
import type { Lab } from '../lab.ts';
import type { Random } from '../random.ts';
import { followRun } from '../reader.ts';
import type { Scenario } from '../scenario.ts';
import type { ServiceNode } from '../serviceNode.ts';

const HEAP_MIB = 256;
/** The heap, the program and its libraries, and buffers; pushing what is unread would take GiB. */
const MEMORY_LIMIT_MIB = 600;
/**
 * A long prompt, calls with long results and a long answer: a log of 6 MiB, more than the system
 * buffers for one connection (2.8 to 4.1 MiB on Linux), in which 256 events are half a MiB.
 */
const LETTER = 'A letter that is to be read. '.repeat(31_000);
const CALLS = `${Array.from({ length: 6 }, () =>
  'call gatehouse.actions.list {"query": {"limit": 50}}').join(' & ')}\n`
  .repeat(30);
const AT_ONCE = 25;

export const stalledReaders: Scenario = {
  name: 'stalledReaders',
  says: `readers take nothing from a node with a heap of ${HEAP_MIB} MiB`,
  async run(lab, random) {
    // In the long version long enough for all of them to be there at once.
    const stalled_ms = lab.amount(4_000, 60_000);
    await lab.open();
    const [node] = await lab.addNodes(1, {
      node_options: [`--max-old-space-size=${HEAP_MIB}`],
      fixed: { stalled_stream_ms: stalled_ms },
    });
    const client = new CarefulClient(lab, random.fork('client'));
    const run_id = await client.createRun('long-log', await client.createSession(),
      prompt(`@rehearsal words=8000\n${CALLS}\n${LETTER}`));
    await client.ask([200], 'createRun', {
      path: { session_id: await client.createSession() }, wait_ms: 60_000,
      headers: { 'idempotency-key': 'waiting' }, body: prompt('@rehearsal words=1', { wait: true }),
    }).then(({ body }) => lab.ledger.acknowledge('waiting', (body as { id: string }).id));
    await followRun(lab, random.fork('first reader'), run_id);
    await stall(lab, random, node!, { run_id, stalled_ms });
    // They are gone, and whoever comes again misses nothing.
    await followRun(lab, random.fork('last reader'), run_id);
  },
};

async function stall(
  lab: Lab, random: Random, node: ServiceNode,
  { run_id, stalled_ms }: { run_id: string; stalled_ms: number }): Promise<void> {
  const { journal } = lab;
  const readers = lab.amount(75, 1_000);
  const descriptors = await node.descriptors() ?? 0;
  journal.measure('memory before', await node.memory_mib() ?? 0, 'MiB');
  const sockets: Socket[] = [];
  let highest_mib = 0;
  const watch = async () => { highest_mib = Math.max(highest_mib, await node.memory_mib() ?? 0); };
  try {
    while (sockets.length < readers) {
      const joined = Array.from({ length: AT_ONCE }, () => 
        stalledReader(lab, node, run_id, random.between(0, 50)));
      sockets.push(...joined);
      await Promise.all(joined.map((socket) => new Promise<void>((resolve) => {
        socket.once('readable', resolve).once('close', resolve);
      })));
      await watch();
    }
    journal.measure('stalled readers', readers, 'readers');
    const open = (await node.descriptors() ?? descriptors) - descriptors;
    journal.measure('of them at the same time', open, 'readers');
    // The node goes on serving others, and leaves the stalled ones after a while. (They learn of it
    // when they read again.)
    const begun_ms = performance.now();
    const client = new CarefulClient(lab, random.fork('beside'));
    await client.createRun('beside', await client.createSession(),
      prompt('@rehearsal words=20', { wait: true }));
    journal.measure('a run beside them', performance.now() - begun_ms);
    const left = await lab.eventually(lab.patience.limit_ms(stalled_ms + 15_000), async () => {
      await watch();
      return (await node.descriptors() ?? 0) - descriptors < readers / 10;
    });
    if (!left) journal.violation('stalled readers were not left');
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  journal.measure('memory at most', highest_mib, 'MiB', `≤ ${MEMORY_LIMIT_MIB} MiB`);
  if (highest_mib > MEMORY_LIMIT_MIB) {
    journal.violation(`the node took ${highest_mib} MiB for ${readers} stalled readers`);
  }
}

/** Asks for the stream and reads no more than the first bytes. */
function stalledReader(lab: Lab, node: ServiceNode, run_id: string, after: number): Socket {
  const { hostname, port, pathname } = new URL(node.base_url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => socket.destroy());
  socket.write(`GET ${pathname}/runs/${run_id}/events?starting_after=${after} HTTP/1.1\r\n`
    + `Host: ${hostname}\r\nAuthorization: Bearer ${lab.credentials.api_key}\r\n`
    + 'Accept: text/event-stream\r\n\r\n');
  return socket;
}
