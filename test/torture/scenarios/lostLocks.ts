/** Workers lose the connection that holds their lock, and nothing else, again and again (G6). */
import { setTimeout as delay } from 'node:timers/promises';
import { prompt } from '../../support/client.ts';
import { CarefulClient } from '../carefulClient.ts';
import { Load } from '../load.ts';
import { expectNoLoss, rememberLosses } from '../losses.ts';
import type { Scenario } from '../scenario.ts';

export const lostLocks: Scenario = {
  name: 'lostLocks',
  says: 'the connections that hold the locks of live workers are terminated, again and again',
  async run(lab, random) {
    await lab.open();
    await rememberLosses(lab);
    // The usual lease: a slow machine may be late for a shorter one, and none may run out here.
    await lab.addNodes(3, { env: { GATEHOUSE_LEASE_MS: '6000' } });
    const client = new CarefulClient(lab, random.fork('client'));
    await Promise.all(Array.from({ length: 12 }, async (_, index) =>
      client.createRun(`held-${index}`, await client.createSession(),
        prompt(lab.longPrompt(lab.amount(4_000, 60_000), 50)))));
    const load = new Load(lab, random);
    const storm = random.fork('storm');
    for (let gust = 1; gust <= lab.amount(60, 1_000); gust++) {
      await delay(storm.between(5, 120));
      const share = storm.chance(0.5) ? 1 : storm.next();
      const [row] = await lab.sql<{ terminated: number }[]>`
        select count(pg_terminate_backend(pid))::int as terminated from pg_stat_activity
        where datname = current_database() and application_name = 'gatehouse worker'
          and random() < ${share}`;
      for (let n = 0; n < row!.terminated; n++) lab.journal.count('locks lost');
    }
    await load.finish();
    await expectNoLoss(lab);
    const again = await lab.sql<{ id: string; attempt: number }[]>`
      select id, attempt from runs where attempt > 1 and not exists (
        select from lab_losses where run_id = id and lease_is_over)`;
    for (const { id, attempt } of again) lab.journal.violation(`${id} took ${attempt} attempts`);
  },
};
