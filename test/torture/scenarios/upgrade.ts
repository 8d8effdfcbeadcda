/**
 * Nodes of an earlier version are replaced by these under load, with open runs: for a while both
 * are at work on one database, which the first of these migrates (docs/operating.md, "Upgrades").
 * FROM names the folder of the earlier version, with its packages.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from '../../../scripts/leftovers.ts';
import type { FirstCredentials } from '../../../src/accounts/accounts.ts';
import { emptyDatabase } from '../../support/database.ts';
import type { Lab } from '../lab.ts';
import { Load } from '../load.ts';
import type { Scenario } from '../scenario.ts';

const { FROM } = process.env;
/** What was a setting of earlier versions, whose defaults the load may exceed. */
const FORMER_ENV = {
  GATEHOUSE_STREAMS_PER_KEY: '2000', GATEHOUSE_STREAMS_PER_WORKSPACE: '0',
  GATEHOUSE_RATE_PER_WORKSPACE: '0',
};

export const upgrade: Scenario = {
  name: 'upgrade',
  says: `nodes of ${FROM ?? 'an earlier version'} are replaced by these under load`,
  async impossible() {
    return FROM ? null : 'FROM names no folder of an earlier version, with its packages';
  },
  async run(lab, random) {
    await openAsFormerVersion(lab, FROM!);
    await lab.addNodes(2, { folder: FROM!, env: FORMER_ENV });
    const runs = lab.amount(10, 60);
    const load = new Load(lab, random);
    await load.more(runs);
    // What writes to a table waits while an index of it is built.
    lab.database_is_disturbed = true;
    for (const former of [...lab.nodes]) {
      await lab.addNodes(1);
      await load.more(runs);
      lab.database_is_disturbed = false;
      lab.nodes.splice(lab.nodes.indexOf(former), 1);
      const { code, signal } = await former.terminate();
      if (code !== 0) {
        lab.journal.violation(`SIGTERM: ${signal ?? code} of a former node\n${former.logTail()}`);
      }
      await load.more(runs);
    }
    await load.finish();
    lab.journal.measure('taken over from a former node', await takenOver(lab), 'runs');
  },
};

/** A database that the earlier version has made, with its first credentials. */
async function openAsFormerVersion(lab: Lab, folder: string): Promise<void> {
  const database = await emptyDatabase(lab.owner);
  const data_dir = await mkdtemp(ownFolder('upgrade-'));
  lab.owner.teardown(() => rm(data_dir, { recursive: true, force: true }));
  await promisify(execFile)(join(folder, 'bin', 'gatehouse'),
    ['setup', '--save', '--data-dir', data_dir],
    { env: { ...process.env, DATABASE_URL: database.url } });
  const text = await readFile(join(data_dir, 'credentials.json'), 'utf8');
  await lab.open(database, JSON.parse(text) as FirstCredentials);
}

/** How many runs went on with another worker than the first: what was open as a node ended. */
async function takenOver({ sql }: Lab): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from runs where attempt > 1`;
  return row!.n;
}
