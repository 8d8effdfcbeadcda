/** The database is killed with -9, and started again by the nodes it belongs to (G1, G12). */
import { folder } from '../../support/embedded.ts';
import type { Owner } from '../lab.ts';
import { Load } from '../load.ts';
import { measureHealing } from '../outage.ts';
import { openOnOwnServer } from '../ownServer.ts';
import type { Scenario } from '../scenario.ts';

const BACK_LIMIT_MS = 20_000;

export const databaseCrash: Scenario = {
  name: 'databaseCrash',
  says: 'the embedded database is killed with -9 under load',
  async run(lab, random) {
    lab.database_is_disturbed = true;
    const { env, postmaster } = await openOnOwnServer(lab, await folder(lab.owner as Owner));
    await lab.addNodes(2, { env, database_url: '' });
    const crashes = lab.amount(2, 12);
    const load = new Load(lab, random);
    for (let crash = 1; crash <= crashes; crash++) {
      await load.more(15);
      process.kill(await postmaster(), 'SIGKILL');
      lab.journal.count('crashes');
      const begun_ms = performance.now();
      const answers = () => lab.sql`select 1`.then(() => true, () => false);
      await lab.eventually(1_000, async () => !await answers());
      if (!await lab.eventually(lab.patience.limit_ms(BACK_LIMIT_MS), answers)) {
        lab.journal.violation('the nodes did not start their database again');
      }
      lab.journal.measure('the database is back', performance.now() - begun_ms);
      await Promise.all(lab.nodes.map((node) => measureHealing(lab, node)));
    }
    await load.finish();
  },
};
