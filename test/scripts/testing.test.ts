/** The runner of the tests, on small files that pass, fail, hang, die and leave something. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Outcome } from '../../scripts/testing/outcome.ts';
import { runAll } from '../../scripts/testing/runAll.ts';
import { summaryText } from '../../scripts/testing/summary.ts';
import { testEnvironment } from '../../scripts/testing/testEnvironment.ts';
import { runFile } from '../../scripts/testing/testFile.ts';
import { untilSeen } from '../support/until.ts';

const NEVER = 'await new Promise(() => { setInterval(() => {}, 1_000); });';

/** A test file with this body, run as the runner does. */
async function outcomeOf(t: Test, body: string, limit_ms = 600_000) {
  const folder = t.testdir({ 'one.test.js': `import t from 'tap';\n${body}` });
  let output = '';
  const outcome = await runFile(join(folder, 'one.test.js'), { cwd: folder, limit_ms,
    env: testEnvironment(process.env, {}), write: (text) => { output += text; } });
  return { outcome, output, text: summaryText(1, [outcome], [], outcome.took_ms) };
}

t.test('a file that passes', async (t) => {
  const { outcome, output, text } = await outcomeOf(t, `
    t.test('one', async (t) => { t.pass(); t.ok(true); });
    t.test('two', { skip: 'no disk' }, async (t) => { t.fail(); });
    t.comment('measured: 3 apples');
    const end_ms = performance.now() + 50;
    while (performance.now() < end_ms);`);
  t.match(outcome, { ok: true, failures: [], tally: { passed: 2, failed: 0, skipped: 1 } });
  t.ok(outcome.cpu_ms >= 50, 'its CPU is known');
  t.match(output, /^skipped: two.*no disk$/m);
  t.match(output, /^measured: 3 apples$/m);
  t.ok(text.endsWith('\n2 passed, 0 failed, 1 skipped\n'));
});

t.test('what failed stands at the end, with its place and 40 lines of difference', async (t) => {
  const { outcome, text } = await outcomeOf(t, `
    t.test('outer', async (t) => {
      await t.test('inner', async (t) => {
        t.same(Array.from({ length: 90 }, (_, i) => i), [], 'the list is empty');
      });
    });
    t.test('thrown', async () => { throw new Error('no bread'); });`);
  t.match(outcome.tally, { passed: 0, failed: 2 });
  const [listed, thrown] = text.split('\nnot ok: ').slice(1) as [string, string];
  t.match(listed, /one\.test\.js: outer > inner: the list is empty\n {4}at .*one\.test\.js:5:11/);
  t.match(listed, /\n {4}-Array \[\]\n {4}\+Array \[\n/);
  t.match(listed, /… \d+ more lines/);
  t.ok(listed.split('\n').length < 60);
  t.match(thrown, /one\.test\.js: thrown: no bread/);
  t.match(text, /\nNOT OK .*one\.test\.js\n0 passed, 2 failed\n$/);
});

t.test('a file that ends in the middle has failed, with its last words', async (t) => {
  const died = await outcomeOf(t, `
    t.test('one', async (t) => { t.pass(); });
    t.test('two', async () => { console.error('out of ink'); process.kill(process.pid, 9); });`);
  t.notOk(died.outcome.ok);
  t.match(died.text, /the whole file: ended with .*\n {4}out of ink/);
  const stray = await outcomeOf(t, `
    t.test('one', async (t) => {
      setTimeout(() => { throw new Error('nobody awaits this'); });
      await t.test('two', async () => { ${NEVER} });
    });`);
  t.notOk(stray.outcome.ok);
  t.match(stray.text, 'nobody awaits this');
  const nothing = await outcomeOf(t, 'process.exit(4);');
  t.match(nothing.text, /the whole file: .*\n/);
  t.notOk(nothing.outcome.ok);
});

t.test('a file that hangs is ended, and tells which test it was at', async (t) => {
  const { outcome, text } = await outcomeOf(t, `t.test('long', async () => { ${NEVER} });`, 6_000);
  t.notOk(outcome.ok);
  t.match(text, /not ok: .*long.*: timeout!/);
});

t.test('nothing that a file has started outlives it', async (t) => {
  const { outcome, output } = await outcomeOf(t, `
    import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { stdio: 'inherit' });
    child.unref();
    console.log('left ' + child.pid);
    t.pass();`);
  t.ok(outcome.ok);
  const pid = Number(/left (\d+)/.exec(output)?.[1]);
  await untilSeen('the end of what was left', () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return 'ended';
    }
  }, (seen) => seen === 'ended');
});

t.test('what holds the output of a file open does not hold up the run', async (t) => {
  const { outcome, output } = await outcomeOf(t, `
    import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'],
      { stdio: 'inherit', detached: true });
    child.unref();
    console.log('left ' + child.pid);
    t.pass();`);
  process.kill(Number(/left (\d+)/.exec(output)?.[1]), 'SIGKILL');
  t.ok(outcome.ok);
  t.ok(outcome.took_ms < 50_000);
});

t.test('a run without files, or that was interrupted, is not green', async (t) => {
  const options = { jobs: 1, second_tries: true, costs: {}, write: () => {},
    run: () => Promise.reject(new Error('nothing is run')), isInterrupted: () => true };
  t.notOk((await runAll([], { ...options, isInterrupted: () => false })).is_green);
  const { is_green, outcomes, tries } = await runAll(['a', 'b'], options);
  t.notOk(is_green);
  t.match(summaryText(2, outcomes, tries, 1), /\ninterrupted: 2 of 2 files were not run\n0 passed/);
});

t.test('a failed check of what may never happen is told apart', async (t) => {
  const unsound = async (body: string) =>
    (await outcomeOf(t, body)).outcome.failures.map((failure) => failure.unsound);
  t.strictSame(await unsound(`t.same([1], [], 'sound', { soundness: 'a log' }); t.ok(false);`),
    ['a log', undefined]);
  t.strictSame(await unsound(`t.comment('soundness: a secret in a text'); t.ok(false);
    t.test('late', async () => { throw new Error('waited in vain'); });`),
  ['a secret in a text', undefined], 'an error says nothing about it');
  t.strictSame(await unsound(`t.test('secret', async (t) => {
      t.comment('soundness: a secret in a text');
      await t.test('inner', async (t) => { t.ok(false); });
    });
    t.test('not', async (t) => { t.ok(false); });`),
  ['a secret in a text', undefined], 'of one test, and of those in it');
});

t.test('a test sees no setting of who runs it', async (t) => {
  t.strictSame(testEnvironment({ PATH: '/bin', HOME: '/root', LC_ALL: 'C', GATEHOUSE_DATA_DIR: '/x',
    GATEHOUSE_BASE_URL: 'http://127.0.0.1:1', PORT: '3000', DATABASE_URL: 'postgres://x',
    OPENAI_API_KEY: 'sk', GOOGLE_API_KEY: 'x', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x',
    PGHOST: 'x', NODE_OPTIONS: '--inspect', SEED: '7' }, { ADDED: 'yes' }),
  { PATH: '/bin', HOME: '/root', LC_ALL: 'C', SEED: '7', ADDED: 'yes' });
});

/** Runs made-up files: each name with the outcomes of its tries, true or what is unsound. */
async function runOf(tries: Record<string, (true | 'late' | 'unsound')[]>, second_tries = true) {
  const left = structuredClone(tries);
  let output = '';
  const order: string[] = [];
  const { outcomes, tries: again, is_green } = await runAll(Object.keys(tries), {
    jobs: 2, second_tries, costs: { long: 9, longer: 10 }, isInterrupted: () => false,
    write: (text) => { output += text; },
    run: async (file): Promise<Outcome> => {
      order.push(file);
      const how = left[file]!.shift()!;
      return { file, ok: how === true, took_ms: 1, cpu_ms: 1,
        tally: { passed: 1, failed: how === true ? 0 : 1, skipped: 0 },
        failures: how === true ? [] : [{ test: 'waits', message: 'in vain\nfor it', details: '',
          ...(how === 'unsound' && { unsound: 'a log' }) }] };
    },
  });
  const last = summaryText(outcomes.length, outcomes, again, 1).trimEnd().split('\n').slice(-2);
  return { output, order, last, is_green };
}

t.test('the longest begin first', async (t) => {
  const { order } = await runOf({ a: [true], long: [true], b: [true], longer: [true] });
  t.strictSame(order.slice(0, 2), ['longer', 'long']);
});

t.test('what failed is tried once more, and told at the end', async (t) => {
  const { is_green, last, order } = await runOf({ a: ['late', true], b: [true] });
  t.ok(is_green);
  t.strictSame(order, ['a', 'b', 'a']);
  t.strictSame(last, ['passed at the second try: a: waits: in vain', '2 passed, 0 failed']);
  const twice = await runOf({ a: ['late', 'late'], b: [true] });
  t.notOk(twice.is_green);
  t.strictSame(twice.last, ['NOT OK a', '2 passed, 1 failed']);
});

t.test('more than three that failed stay red, and so does what may never happen', async (t) => {
  const four = await runOf({ a: ['late'], b: ['late'], c: ['late'], d: ['late'] });
  t.notOk(four.is_green);
  t.match(four.output, '4 files failed, and no more than 3 have a second try');
  t.ok((await runOf({ a: ['late', true], b: ['late', true], c: ['late', true] })).is_green);
  const unsound = await runOf({ a: ['late', true], b: ['unsound', true] });
  t.notOk(unsound.is_green);
  t.match(unsound.output, 'no second try is given to a check of what may never happen: b (a log)');
});

t.test('a run without second tries has none', async (t) => {
  const { is_green, order } = await runOf({ a: ['late', true] }, false);
  t.notOk(is_green);
  t.strictSame(order, ['a']);
});
