/** The clocks of two nodes are an hour off, one each way (G13). */
import { Load } from '../load.ts';
import type { Scenario } from '../scenario.ts';

const HOUR_MS = 60 * 60 * 1_000;
const PRELOAD = new URL('../skewedClock.ts', import.meta.url).href;

export const clocks: Scenario = {
  name: 'clocks',
  says: 'the clocks of two nodes are an hour off, and nodes are killed',
  async run(lab, random) {
    await lab.open();
    const kills = lab.amount(3, 15);
    const skews = [0, HOUR_MS, -HOUR_MS].map((skew_ms) => ({
      env: { CLOCK_SKEW_MS: String(skew_ms) },
      node_options: [`--import=${PRELOAD}`, '--disable-warning=ExperimentalWarning'],
    }));
    for (const skew of skews) await lab.addNodes(1, skew);
    const load = new Load(lab, random);
    for (let kill = 1; kill <= kills; kill++) {
      await load.more(15);
      const index = kill % skews.length;
      await lab.nodes[index]!.kill();
      await lab.replace(lab.nodes[index]!, skews[index]);
      lab.journal.count('kills');
    }
    await load.finish();
  },
};
