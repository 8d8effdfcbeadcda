/** The service of test/bench/wholeRuns.ts, in a process of its own, as `gatehouse serve` is. */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { createServiceLog, startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import { UNREACHED } from './bench.ts';

const database_url = process.argv[2]!;
const sql = connect(database_url, { max: 1 });
const { api_key } = await createFirstCredentials(sql);
await sql.end();
const config = readConfig({}, { port: 0, database_url, log_level: 'warn', ...UNREACHED });
const service = await startService({ config, ...createServiceLog(config.log_level) });
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpu_ms: (user + system) / 1_000 });
});
process.send!({ port: service.port, api_key });
