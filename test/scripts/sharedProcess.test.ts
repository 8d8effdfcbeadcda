/** Test files one after the other in one process, on small files as in testing.test.ts. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ownProcess } from '../../scripts/testing/ownProcess.ts';
import { SharedProcesses } from '../../scripts/testing/sharedProcess.ts';
import { testEnvironment } from '../../scripts/testing/testEnvironment.ts';

const SAYS = `console.log('process ' + process.pid);`;

/** Runs test files with these bodies, and answers how each ended and what was said. */
async function outcomesOf(t: Test, bodies: Record<string, string>, limit_ms = 600_000) {
  const folder = t.testdir(Object.fromEntries(Object.entries(bodies)
    .map(([name, body]) => [`${name}.test.js`, `import t from 'tap';\n${SAYS}\n${body}`])));
  let output = '';
  const shared = new SharedProcesses({ cwd: folder, limit_ms,
    env: testEnvironment(process.env, {}), write: (text) => { output += text; } });
  const outcomes = [];
  for (const name of Object.keys(bodies)) {
    outcomes.push(await shared.run(join(folder, `${name}.test.js`)));
  }
  await shared.end();
  const pids = [...output.matchAll(/^process (\d+)$/gm)].map(([, pid]) => pid);
  return { outcomes, output, pids };
}

t.test('files share a process, and none of what tap keeps of them', async (t) => {
  const { outcomes, output, pids } = await outcomesOf(t, {
    one: `t.teardown(() => console.log('torn down'));
      t.test('inner', async (t) => { t.pass(); t.ok(true); });
      t.test('not', { skip: 'no disk' }, async () => {});`,
    two: `t.comment('measured: 3 apples'); t.pass();
      const begun = process.cpuUsage();
      while (process.cpuUsage(begun).user < 100_000);`,
    three: `t.test('inner', async (t) => { t.pass(); });`,
  });
  t.match(outcomes, [
    { ok: true, failures: [], tally: { passed: 2, failed: 0, skipped: 1 } },
    { ok: true, failures: [], tally: { passed: 1, failed: 0, skipped: 0 } },
    { ok: true, failures: [], tally: { passed: 1, failed: 0, skipped: 0 } },
  ]);
  t.equal(new Set(pids).size, 1);
  t.equal(pids.length, 3);
  t.ok(outcomes[1]!.cpu_ms >= 80, 'the CPU of each is known');
  t.match(output, /^measured: 3 apples$/m);
  t.ok(output.indexOf('torn down') < output.lastIndexOf('process '), 'before the next begins');
});

t.test('what failed is told as of a file by itself, and ends the process', async (t) => {
  const { outcomes: [failed, next], pids } = await outcomesOf(t, {
    one: `t.equal(1, 2, 'as many');
      t.comment('soundness: a log');
      t.test('outer', async (t) => {
        await t.test('inner', async (t) => { t.same([1], [], 'the list is empty'); });
        throw new Error('no bread');
      });`,
    two: 't.pass();',
  });
  t.match(failed, { ok: false, tally: { passed: 0, failed: 3 }, failures: [
    { test: 'as many', message: 'as many' },
    { test: 'outer > inner', message: 'the list is empty', unsound: 'a log' },
    { test: 'outer', message: 'no bread' },
  ] });
  t.ok(next!.ok);
  t.equal(new Set(pids).size, 2);
});

t.test('a file that ends the process has failed, and no other', async (t) => {
  const { outcomes } = await outcomesOf(t, {
    one: 't.pass();',
    two: `t.pass('early');
      t.test('late', async () => { console.error('out of ink'); process.kill(process.pid, 9); });`,
    three: 't.pass();',
    stray: `t.test('outer', async () => {
      setTimeout(() => { throw new Error('nobody awaits this'); });
      await new Promise(() => {});
    });`,
  });
  t.strictSame(outcomes.map(({ ok }) => ok), [true, false, true, false]);
  const [, killed, , stray] = outcomes;
  t.equal(killed!.tally.passed, 1);
  t.match(killed!.failures.at(-1),
    { message: 'ended with SIGKILL', details: /out of ink\nbefore it, .*one\.test\.js$/ });
  t.match(stray!.failures.map(({ message, details }) => message + details).join(''),
    'nobody awaits this');
});

t.test('a file that hangs tells which test it was at', async (t) => {
  const { outcomes: [hung, next] } = await outcomesOf(t, {
    one: `t.test('long', async () => {
      await new Promise(() => { setInterval(() => {}, 1_000); });
    });`,
    two: 't.pass();',
  }, 6_000);
  t.match(hung, { ok: false, failures: [{ message: /timeout!/ }] });
  t.match(hung!.failures[0]!.test + hung!.failures[0]!.message, 'long');
  t.ok(next!.ok);
});

t.test('what a file leaves open is its failure', async (t) => {
  const { outcomes: [left, next] } = await outcomesOf(t, {
    one: `import { createServer } from 'node:net';
      await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve));
      t.pass();`,
    two: 't.pass();',
  }, 10_000);
  t.match(left, { ok: false, failures: [
    { test: 'the whole file', message: 'left open: TCPServerWrap' }] });
  t.ok(next!.ok);
});

t.test('what belongs to a process has its own', async (t) => {
  const root = t.testdir({ test: {
    'plain.test.ts': "import { a } from './a.ts';",
    'child.test.ts': "import { b } from './b.ts';",
    'heap.test.ts': 'process.memoryUsage();',
    'a.ts': "import type { b } from './b.ts';\nprocess.on('exit', () => {});",
    'b.ts': "import { fork } from 'node:child_process';",
  } });
  t.strictSame(['plain', 'child', 'heap'].map((name) => `test/${name}.test.ts`)
    .map(ownProcess(root)), [false, true, true]);
});
