/** Processes are killed with -9 under load, again and again (G1-G3, G6, G14). */
import { Load } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const kills: Scenario = {
  name: 'kills',
  says: 'nodes are killed with -9 under load and started again',
  async run(lab, random) {
    const kills = lab.amount(6, 40);
    await lab.open();
    // One that only takes requests, so that runs are lost apart from answers.
    await lab.addNodes(2);
    await lab.addNodes(1, { env: { GATEHOUSE_CONCURRENCY: '0' } });
    const load = new Load(lab, random);
    for (let kill = 1; kill <= kills; kill++) {
      await load.more(10);
      const victim = random.chance(0.15) ? 2 : (kill % 2);
      await lab.nodes[victim]!.kill();
      await lab.replace(lab.nodes[victim]!,
        victim === 2 ? { env: { GATEHOUSE_CONCURRENCY: '0' } } : {});
      lab.journal.count('kills');
    }
    await load.finish();
  },
};
