/** Nodes lose their database one after the other, and each is blamed on the same run (G6). */
import { setTimeout as delay } from 'node:timers/promises';
import { prompt } from '../../support/client.ts';
import { CarefulClient } from '../carefulClient.ts';
import type { Lab } from '../lab.ts';
import { Network } from '../network.ts';
import type { Scenario } from '../scenario.ts';

/** Below the minute for which a database may be away without a run being given up for it. */
const LONGEST_ABSENCE_MS = 50_000;
/** The usual one: a slow machine may be late for a shorter one, and lose the run of a live node. */
const LEASE_MS = 6_000;

export const absences: Scenario = {
  name: 'absences',
  says: 'two nodes that execute a run are cut off one after the other, and come back',
  async run(lab, random) {
    lab.database_is_disturbed = true;
    await lab.open();
    const networks = new Map<string, Network>();
    for (let node = 0; node < 3; node++) {
      const network = await Network.open(lab.owner, lab.url);
      await lab.addNodes(1,
        { database_url: network.url, env: { GATEHOUSE_LEASE_MS: String(LEASE_MS) } });
      const [worker] = await lab.sql<{ id: string }[]>`
        select id from workers where id <> all (${[...networks.keys()]}::text[])`;
      networks.set(worker!.id, network);
    }
    const client = new CarefulClient(lab, random.fork('client'));
    for (let round = 1; round <= lab.amount(1, 6); round++) {
      // One step that goes on until it is cancelled: it never gets any further.
      const id = await client.createRun(`held-${round}`, await client.createSession(),
        prompt('@rehearsal words=20000 delay_ms=20'));
      const cut = new Map<string, Network>();
      while (cut.size < 2) {
        const worker_id = await executorOf(lab, id, cut);
        const network = networks.get(worker_id)!;
        if (random.chance(0.5)) network.silence();
        else network.close();
        cut.set(worker_id, network);
        lab.journal.count('nodes cut off');
      }
      const { seen: lost, held } = await lab.whileItMoves(() => lookAt(lab, id), (run) =>
        run.condemned);
      if (!held) {
        lab.journal.violation(`${id} was lost with two workers, and is not blamed:`
          + ` ${JSON.stringify(lost)}`);
      }
      await delay(lab.amount(0, random.between(0, LONGEST_ABSENCE_MS)));
      for (const network of cut.values()) network.heal({ late: random.chance(0.5) });
      const { seen } = await lab.whileItMoves(() => lookAt(lab, id), (run) =>
        run.status !== 'running' || run.worker_id !== '');
      if (seen.worker_id === '') lab.journal.violation(`${id} was not offered again`);
      await client.cancel(id);
    }
  },
};

async function lookAt({ sql }: Lab, id: string) {
  const [run] = await sql<{
    status: string; worker_id: string | null; losses: number; condemned: boolean; events: number;
  }[]>`
    select status, worker_id, losses, condemned, last_seq as events from runs where id = ${id}`;
  return run!;
}

/**
 * The worker that executes the run now that these are cut off. How often it was lost is not asked
 * for: a live one that was held up for too long may have lost it, too.
 */
async function executorOf(
  lab: Lab, id: string, cut: ReadonlyMap<string, unknown>): Promise<string> {
  const { seen, held } = await lab.whileItMoves(() => lookAt(lab, id), ({ status, worker_id }) =>
    status === 'running' && worker_id !== null && worker_id !== '' && !cut.has(worker_id));
  if (!held) throw new Error(`${id} is executed by none: ${JSON.stringify(seen)}`);
  return seen.worker_id!;
}
