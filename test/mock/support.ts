/** A mock as a client team starts it. */
import type { ChildProcess } from 'node:child_process';
import type { Test } from 'tap';
import { startMock } from '../../src/mock/mock.ts';
import { killWhenSilent, start, type Ended } from '../cli/support.ts';
import { folder } from '../support/embedded.ts';

export interface MockProcess {
  base_url: string;
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Where it keeps what it throws away. */
  folder: string;
}

/** The mock in this process, which speaks without a pause; it ends at teardown. */
export async function testMock(t: Pick<Test, 'teardown'>): Promise<{ base_url: string }> {
  const mock = await startMock({
    host: '127.0.0.1', port: 0, pace_ms: 0, seed: null, log_level: 'silent',
    onExamplesOnly: (reason) => { throw new Error(reason); },
  });
  t.teardown(() => mock.close());
  return mock;
}

/** Starts `gatehouse mock` on a free port and waits until it is ready. */
export async function mockProcess(
  t: Pick<Test, 'teardown'>, args: string[] = [], given?: string): Promise<MockProcess> {
  const own = given ?? await folder(t);
  return {
    ...await readyProcess(t, ['mock', '--port', '0', ...args], { TMPDIR: own }), folder: own,
  };
}

/** Starts a command that serves until Ctrl-C, and waits until it says so; it ends at teardown. */
export async function readyProcess(
  t: Pick<Test, 'teardown'>, args: string[], env: Record<string, string>,
): Promise<Omit<MockProcess, 'folder'>> {
  const { child, ended } = start(args, { cwd: '/', env });
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  });
  const enough = killWhenSilent(child);
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    said += String(chunk);
    const [base_url] = /http:\S+\/v1/.exec(said) ?? [];
    if (base_url !== undefined && said.includes('Ctrl-C')) resolve(base_url);
  });
  const base_url = await Promise.race([ready, ended.then(({ code, err }) => {
    throw new Error(`gatehouse ${args[0]} has ended with ${code}: ${err}`);
  })]);
  enough();
  return { base_url, child, ended };
}
