/**
 * Another gatehouse process, as far as the embedded database goes: starts it for the data directory
 * given, prints what came of it as one line of JSON, then answers `query` and `stop` on stdin.
 */
import { createInterface } from 'node:readline';
import { connect } from '../../src/store/database.ts';
import { startLogged } from './embedded.ts';

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
const database = await startLogged(process.argv[2]!, {
  onProgress: (progress) => say({ progress }),
});
const { url, adopted, first_start } = database;
say({ url, adopted, first_start });

for await (const command of createInterface({ input: process.stdin })) {
  if (command === 'query') {
    const sql = connect(url, { max: 1 });
    const [row] = await sql`select 1 as one`;
    await sql.end();
    say(row!);
  } else break;
}
await database.stop();
say({ stopped: true });
process.exit(0);
