/** Processes are frozen for longer than their lease, and woken (G4, G6). */
import { setTimeout as delay } from 'node:timers/promises';
import { prompt } from '../../support/client.ts';
import { CarefulClient } from '../carefulClient.ts';
import { SHORT_LEASE_MS, type Lab } from '../lab.ts';
import { Load } from '../load.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import type { ServiceNode } from '../serviceNode.ts';

const LONG_LEASE_MS = 6_000;
/** The promise, with a lease of six seconds; here it is mostly shorter. */
const GOES_ON_LIMIT_MS = 20_000;

export const freezes: Scenario = {
  name: 'freezes',
  says: 'nodes are frozen past their lease, and come back to life',
  async run(lab, random) {
    await lab.open();
    await lab.addNodes(3);
    const client = new CarefulClient(lab, random.fork('client'));
    const freezes = lab.amount(1, 8);
    const load = new Load(lab, random);
    for (let number = 1; number <= freezes; number++) {
      await load.more(10);
      await freezeOne(lab, random, client, lab.nodes[number % 3]!, number);
    }
    await load.finish();
  },
};

/** Freezes a node while it executes something, and wakes it when others have taken over. */
async function freezeOne(
  lab: Lab, random: Random, client: CarefulClient, node: ServiceNode, number: number) {
  // As many as all nodes together have room for, so that the frozen one has some of them.
  const held = await Promise.all(Array.from({ length: 8 }, async (_, index) =>
    client.createRun(`held-${number}-${index}`, await client.createSession(),
      prompt(`${lab.longPrompt(3_750, 15)}\ncall gateway.connections.list`))));
  await lab.whenBegun(held);
  const before = await running(lab, held);
  node.freeze();
  const frozen_ms = performance.now();
  lab.journal.count('freezes');
  // Cancelling needs nobody who executes the run, so it needs no frozen one either.
  const others = lab.nodes.filter((other) => other !== node);
  const begun_ms = performance.now();
  const cancelled = await client.at(random.pick(others)).expect(
    200, 'cancelRun', { path: { run_id: held[0]! } });
  lab.journal.measure('cancel while a node is frozen', performance.now() - begun_ms, 'ms',
    'p99 < 500 ms');
  lab.ledger.cancelled.set(held[0]!, { status: cancelled.status, replied_at_ms: Date.now() });
  // Longer than the lease: whatever was executed there has another worker by now.
  await delay(lab.amount(SHORT_LEASE_MS, LONG_LEASE_MS) + 500);
  const gone = await lab.eventually(lab.patience.limit_ms(GOES_ON_LIMIT_MS), async () => {
    const now = await running(lab, held);
    const moved = [...before].filter(([id, attempt]) => (now.get(id) ?? Infinity) > attempt);
    const [left] = await lab.sql<{ n: number }[]>`
      select count(*)::int as n from runs r join workers w on w.id = r.worker_id
      where r.status = 'running' and w.lease_until < clock_timestamp()`;
    return moved.length > 0 && left!.n === 0;
  });
  if (!gone) lab.journal.violation('runs of a frozen node were not taken over in 20 s');
  lab.journal.measure('frozen for', performance.now() - frozen_ms);
  node.thaw();
}

/** The attempts of those of these runs that are being executed. */
async function running(lab: Lab, ids: string[]): Promise<Map<string, number>> {
  const rows = await lab.sql<{ id: string; attempt: number }[]>`
    select id, attempt from runs where id = any(${ids}::text[]) and status = 'running'`;
  return new Map(rows.map((row) => [row.id, row.attempt]));
}
