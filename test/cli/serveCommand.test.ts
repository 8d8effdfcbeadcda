/** What `serve` and `mock` say without being started, and how they end after a fault. */
import t from 'tap';
import { portInUse } from '../../src/cli/serveCommand.ts';
import { runScript } from './support.ts';

t.test('a port that is in use: there is another one beside it', async (t) => {
  const saidOf = (port: number) => portInUse('serve', 'gatehouse', '127.0.0.1', port).message;
  t.match(saidOf(3000), / --port 3001 \(0: any free one\)\.$/);
  t.match(saidOf(65_535), ' --port 65534 ');
});

t.test('what has failed is not waited for, if it does not stop', async (t) => {
  for (const command of ['mock', 'serve']) {
    // Times are a hundredth of what they are.
    const script = `import { syncBuiltinESMExports } from 'node:module';
      import timers from 'node:timers/promises';
      const { setTimeout: wait } = timers;
      timers.setTimeout = (ms, ...rest) => wait(ms / 100, ...rest);
      syncBuiltinESMExports();
      const start = async () => {
        setImmediate(() => { throw new Error('It failed.'); });
        return { base_url: 'http://127.0.0.1:1/v1', is_service: true, has_examples: true,
          credentials: null, credentials_file: null, master_key_file: null, embedded: true,
          close: () => new Promise(() => {}), stop: () => new Promise(() => {}) };
      };
      const log = { fatal() {}, isLevelEnabled: () => false };
      const load = async () => ({ startMock: start, startService: start,
        settingFaults: async () => [], createServiceLog: () => ({ log }) });
      setInterval(() => {}, 60_000);
      process.exit(await runProgram(['node', 'gatehouse', '${command}'], load, load));`;
    t.match(await runScript(script, { cwd: t.testdir({}) }),
      { code: 1, out: /Stopped\.\n$/ }, command);
  }
});
