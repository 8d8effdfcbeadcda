/** A node of test/bench/definitions.ts in a process of its own; says where it is once ready. */
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/service.ts';
import { until } from '../support/until.ts';
import { UNREACHED } from './bench.ts';

const config = readConfig({}, {
  port: 0, database_url: process.argv[2]!, role: 'api', database_connections: 4,
  log_level: 'error', ...UNREACHED,
});
const service = await startService({ config, log: createLog('error') });
await until(async () => (await fetch(new URL('/readyz', service.base_url))).status === 200);
process.send!(service.base_url);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  process.send!({ cpu_ms: (user + system) / 1_000, rss_mb: rss / 1_048_576,
    heap_mb: heapUsed / 1_048_576 });
});
const stop = async () => {
  await service.stop();
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());
