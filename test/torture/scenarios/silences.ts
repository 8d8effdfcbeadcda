/** The network to the database falls silent, for one node and for all (G6, G12). */
import { prompt } from '../../support/client.ts';
import { CarefulClient } from '../carefulClient.ts';
import type { Lab } from '../lab.ts';
import { Load } from '../load.ts';
import { Network } from '../network.ts';
import { measureHealing, measureOutage } from '../outage.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';

/** The promise, with a lease of six seconds; here it is mostly shorter. */
const GOES_ON_LIMIT_MS = 20_000;

export const silences: Scenario = {
  name: 'silences',
  says: 'the network to the database falls silent: nothing is refused, nothing arrives',
  async run(lab, random) {
    lab.database_is_disturbed = true;
    await lab.open();
    const networks = await Promise.all([1, 2].map(() => Network.open(lab.owner, lab.url)));
    for (const { url } of networks) await lab.addNodes(1, { database_url: url });
    for (let round = 1; round <= lab.amount(1, 4); round++) {
      const load = new Load(lab, random.fork(`load ${round}`));
      await load.more(10);
      await silenceOne(lab, random, networks[round % 2]!, round);
      await load.finish();
      // All of them: nobody can be served, and everybody must be told so in time.
      const late = random.chance(0.5);
      for (const network of networks) network.silence();
      await Promise.all(lab.nodes.map((node) => measureOutage(lab, node)));
      for (const network of networks) network.heal({ late });
      await Promise.all(lab.nodes.map((node) => measureHealing(lab, node)));
    }
  },
};

/** One node cannot reach the database: what it executed goes on elsewhere. */
async function silenceOne(lab: Lab, random: Random, network: Network, round: number) {
  const client = new CarefulClient(lab, random.fork(`held ${round}`));
  const held = await Promise.all(Array.from({ length: 8 }, async (_, index) =>
    client.createRun(`held-${round}-${index}`, await client.createSession(),
      prompt(lab.longPrompt(3_000, 10)))));
  await lab.whenBegun(held);
  const before = await runningOn(lab, held);
  network.silence();
  lab.journal.count('silences of one node');
  const moved = await lab.eventually(lab.patience.limit_ms(GOES_ON_LIMIT_MS), async () => {
    const cut_off = (await lab.sql<{ id: string }[]>`
      select id from workers where lease_until < clock_timestamp()`).map(({ id }) => id);
    const now = await runningOn(lab, held);
    return cut_off.length > 0 && [...now.values()].every((worker_id) =>
      worker_id !== '' && !cut_off.includes(worker_id));
  });
  if (!moved) {
    lab.journal.violation('runs of a node without a database did not go on in 20 s: '
      + JSON.stringify([[...before], [...await runningOn(lab, held)]]));
  }
  network.heal({ late: random.chance(0.5) });
}

/** Which worker executes each of these runs that are running; '': it waits for one. */
async function runningOn(lab: Lab, ids: string[]): Promise<Map<string, string>> {
  const rows = await lab.sql<{ id: string; worker_id: string }[]>`
    select id, worker_id from runs where id = any(${ids}::text[]) and status = 'running'`;
  return new Map(rows.map(({ id, worker_id }) => [id, worker_id]));
}
