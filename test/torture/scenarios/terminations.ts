/** Database connections are terminated by the server, in storms (G12). */
import { setTimeout as delay } from 'node:timers/promises';
import { Load } from '../load.ts';
import { expectNoLoss, rememberLosses } from '../losses.ts';
import type { Scenario } from '../scenario.ts';

export const terminations: Scenario = {
  name: 'terminations',
  says: 'the database terminates connections, some or all of them, again and again',
  async run(lab, random) {
    lab.database_is_disturbed = true;
    await lab.open();
    await rememberLosses(lab);
    await lab.addNodes(2);
    const load = new Load(lab, random);
    const storm = random.fork('storm');
    for (let gust = 1; gust <= lab.amount(16, 400); gust++) {
      // Gusts with calm between: a run that is interrupted ten times a second comes to nothing.
      const is_calm = gust % 4 === 0;
      await delay(is_calm ? storm.between(500, 1_500) : storm.between(5, 100));
      // A calm on a slow machine lasts until something was done in it.
      if (is_calm) await load.more(1);
      const share = storm.chance(0.3) ? 1 : storm.next();
      const [row] = await lab.sql<{ terminated: number }[]>`
        select count(pg_terminate_backend(pid))::int as terminated from pg_stat_activity
        where datname = current_database() and application_name <> 'gatehouse test'
          and backend_type = 'client backend' and random() < ${share}`;
      for (let n = 0; n < row!.terminated; n++) lab.journal.count('connections terminated');
    }
    await load.finish();
    await expectNoLoss(lab);
  },
};
