/** Nodes are stopped by SIGTERM and replaced, one after the other, under load (G11). */
import { Load } from '../load.ts';
import type { Scenario } from '../scenario.ts';

/** The promise, for nodes that have no long requests to wait for. */
const EXIT_LIMIT_MS = 10_000;

export const rolling: Scenario = {
  name: 'rolling',
  says: 'nodes are restarted by SIGTERM under load, one after the other',
  async run(lab, random) {
    await lab.open();
    const options = lab.scale === 'short' ? { env: { GATEHOUSE_DRAIN_MS: '2000' } } : {};
    await lab.addNodes(3, options);
    const stops = lab.amount(3, 30);
    const load = new Load(lab, random);
    for (let stop = 1; stop <= stops; stop++) {
      await load.more(10);
      const node = lab.nodes[stop % 3]!;
      // As in a rolling update: the successor is there before the predecessor goes.
      await lab.replace(node, options);
      const { code, signal, took_ms } = await node.terminate();
      lab.journal.measure('stopped by SIGTERM in', took_ms, 'ms', 'exit 0 ≤ 10 s');
      if (code !== 0 || took_ms > lab.patience.limit_ms(EXIT_LIMIT_MS)) {
        lab.journal.violation(`SIGTERM: ${signal ?? code} after ${Math.round(took_ms)} ms\n`
          + node.logTail());
      }
    }
    await load.finish();
  },
};
