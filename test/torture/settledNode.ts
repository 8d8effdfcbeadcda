/**
 * A node with values that no variable sets, for what would take too long otherwise: `node
 * settledNode.ts JSON`. All else comes from the environment, as with `gatehouse serve`.
 */
import { once } from 'node:events';
import { readConfig } from '../../src/config.ts';
import { createServiceLog, startService } from '../../src/service.ts';

const config = readConfig(process.env, JSON.parse(process.argv[2]!));
const service = await startService(
  { config, ...createServiceLog(config.log_level), owns_process: true });
process.stdout.write(`${service.base_url} is ready\n`);
await once(process, 'SIGTERM');
await service.stop();
process.exit(0);
