/** A PostgreSQL of a scenario's own, to be killed or starved: that of the tests serves others. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const server = await startEmbedded({ data_dir, log: createLog('silent') });
  lab.owner.teardown(() => server.stop());
  const sql = connect(server.url, { max: 5, application_name: 'gatehouse test' });
  lab.owner.teardown(() => sql.end());
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
