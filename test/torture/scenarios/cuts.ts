/** The network to the database breaks connections, loses answers and is slow (G1, G12, G14). */
import { setTimeout as delay } from 'node:timers/promises';
import { Load } from '../load.ts';
import { Network } from '../network.ts';
import type { Scenario } from '../scenario.ts';

export const cuts: Scenario = {
  name: 'cuts',
  says: 'the network to the database breaks, loses answers to what was done, and is slow',
  async run(lab, random) {
    lab.database_is_disturbed = true;
    await lab.open();
    const networks = await Promise.all([1, 2].map(() => Network.open(lab.owner, lab.url)));
    await Promise.all(networks.map(({ url }) => lab.addNodes(1, { database_url: url })));
    const load = new Load(lab, random);
    const weather = random.fork('weather');
    for (let change = 0; change < lab.amount(12, 200); change++) {
      const network = weather.pick(networks);
      switch (weather.pick(['cut', 'close', 'lose', 'slow'] as const)) {
        case 'cut': network.cut(weather.next(), weather); break;
        case 'close': network.close(); break;
        case 'lose': network.loseAnswers(0.05, weather.fork(String(network.broken))); break;
        case 'slow': network.delay(weather.between(1, 40)); break;
      }
      await delay(weather.between(50, 400));
      network.heal();
      await delay(weather.between(20, 200));
      // On a slow machine the good weather now and then lasts until something was done in it.
      if (change % 4 === 3) await load.more(1);
    }
    await load.finish();
    lab.journal.measure('connections broken',
      networks.reduce((sum, network) => sum + network.broken, 0), 'connections');
  },
};
