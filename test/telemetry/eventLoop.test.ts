/** A process that hangs says so while it lasts; metrics.test.ts has what it says afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const HANGS = fileURLToPath(new URL('./hangingProcess.ts', import.meta.url));

t.test('a process that hangs for good says so all the same', async (t) => {
  const child = spawn(process.execPath, [HANGS]);
  const exited = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const said: { level: string, msg: string, duration_ms: number }[] = [];
  for await (const line of createInterface(child.stderr)) {
    if (said.push(JSON.parse(line)) === 2) break;
  }
  t.match(said, [{ level: 'error', msg: /^the event loop hangs/ }, { level: 'error' }]);
  t.ok(said[0]!.duration_ms >= 1_000 && said[1]!.duration_ms >= said[0]!.duration_ms + 2_000);
});
