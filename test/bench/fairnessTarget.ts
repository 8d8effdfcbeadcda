/** The service of test/bench/fairness.ts, with the settings that it has by default. */
import { randomBytes } from 'node:crypto';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { createServiceLog, startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';

const database_url = process.argv[2]!;
const sql = connect(database_url, { max: 1 });
const credentials = await createFirstCredentials(sql);
await sql.end();
const master_keys = `bench:${randomBytes(32).toString('base64')}`;
const config = readConfig({}, { port: 0, database_url, master_keys, log_level: 'error' });
const service = await startService({ config, ...createServiceLog(config.log_level) });
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
process.send!({ port: service.port, ...credentials });
