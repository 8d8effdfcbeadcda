/** The shapes of the contract on plain `prism mock` of the document, as anybody may start it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { contractSuite } from './suite.ts';

const require = createRequire(import.meta.url);
const command = require.resolve('@stoplight/prism-cli/dist/index.js');
const document = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url));
const prism = spawn(process.execPath, [command, 'mock', '--port', '0', document],
  { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(prism, 'exit');
t.teardown(async () => {
  prism.kill('SIGTERM');
  await ended;
});
const { promise: ready, resolve } = Promise.withResolvers<string>();
let said = '';
prism.stdout.on('data', (chunk: Buffer) => {
  said += String(chunk);
  const [, address] = /listening on (http:\S+)/.exec(said) ?? [];
  if (address !== undefined) resolve(address);
});
const base_url = await Promise.race([ready, ended.then(() => {
  throw new Error(`prism has ended: ${said}`);
})]);
contractSuite(t, { kind: 'mock', base_url, api_key: 'any' });
