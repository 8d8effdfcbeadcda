/** What services of tests need to start MCP servers as processes. */
import { rmSync } from 'node:fs';
import { execPath } from 'node:process';
import { ownFolder } from '../../scripts/leftovers.ts';

/** The data directory of the services of a test file: their MCP servers are at home below it. */
export const DATA_DIR = ownFolder('data');
process.on('exit', () => rmSync(DATA_DIR, { recursive: true, force: true }));

/** Variables that tests give to servers. */
const VARIABLES = ['TOKEN', 'UPSTREAM_TOKEN', 'MEMORY_FILE_PATH', 'LANG', 'OTHER'];

/** GATEHOUSE_MCP_STDIO of tests: Node.js with any program, and one that does not exist. */
export const SERVER_COMMANDS = JSON.stringify([
  [...VARIABLES.map((name) => `${name}=`), execPath, '*'], ['/no/such/program'],
]);
