/** A PostgreSQL of a scenario's own, to be killed or starved: that of the tests serves others. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endServersIn } from '../../scripts/leftovers.ts';
import { createLog } from '../../src/log.ts';
import { connect } from '../../src/store/database.ts';
import { startEmbedded } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrate.ts';
import { ensurePartitions } from '../../src/store/partitions.ts';
import type { Lab } from './lab.ts';

export interface OwnServer {
  /** For nodes that use it as their embedded database, and start it again when it has died. */
  env: Record<string, string>;
  /** The process that all others of the server end with. */
  postmaster(): Promise<number>;
}

/** Starts the embedded PostgreSQL in a folder that everybody may pass, and opens the lab on it. */
export async function openOnOwnServer(lab: Lab, data_dir: string): Promise<OwnServer> {
  // What is torn down last stands first. A server that another process uses is left running by
  // `stop`: so the nodes end before it, and what they may have started meanwhile ends after it.
  lab.owner.teardown(() => endServersIn(data_dir));
  const server = await startEmbedded({ data_dir, log: createLog('silent') });
  // An owner leaves out the rest of its teardown when a part of it fails.
  lab.owner.teardown(() => server.stop().catch((error: unknown) =>
    lab.journal.say(`the server did not stop by itself: ${String(error)}`)));
  const sql = connect(server.url, { max: 5, application_name: 'gatehouse test' });
  lab.owner.teardown(() => sql.end());
  lab.owner.teardown(() => lab.end());
  await migrate(sql);
  await ensurePartitions(sql);
  await lab.open({ url: server.url, sql });
  return {
    env: { GATEHOUSE_DATA_DIR: data_dir },
    postmaster: async () => {
      const text = await readFile(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8');
      return Number(text.split('\n')[0]);
    },
  };
}
