/** Work beside the thread that serves everybody: in turns, and ended when it is too much. */
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { SideThread } from '../../../src/gateway/threads/sideThread.ts';

type Asked = Record<string, string | number | true>;

function opened(t: Test, limit_ms = 60_000) {
  const thread = new SideThread<Asked, string>({
    module: new URL('./sideWork.ts', import.meta.url), limit_ms, memory_limit_mb: 64 });
  t.teardown(() => thread.close());
  return thread;
}

t.test('each gets what was made of its own, and an error is one of the asker', async (t) => {
  const thread = opened(t);
  const answers = await Promise.all(['a', 'b', 'c'].map((say) => thread.do(say, { say })));
  t.strictSame(answers, ['said a', 'said b', 'said c']);
  await t.rejects(thread.do('a', { fail: 'no' }), { name: 'RangeError', message: 'no' });
  t.equal(await thread.do('a', { say: 'more' }), 'said more');
  await thread.close();
  t.equal(await thread.do('a', { say: 'again' }), 'said again', 'it begins anew');
});

t.test('what takes too long, or too much memory, is given up, and others go on', async (t) => {
  const thread = opened(t, 1_000);
  const hanging = thread.do('a', { hang: true });
  await t.rejects(hanging, { name: 'TooMuchWork' });
  t.equal(await opened(t).do('b', { say: 'b' }), 'said b');
  const eating = opened(t);
  await t.rejects(eating.do('a', { eat: true }), { name: 'TooMuchWork' });
  t.equal(await eating.do('b', { say: 'b' }), 'said b', 'in a new one');
});

t.test('what is kept waiting for the processor has more time, but not for ever', async (t) => {
  const thread = opened(t, 2_000);
  await thread.do('a', { say: 'a' });
  t.equal(await thread.do('a', { wait_ms: 2_200, say: 'late' }), 'said late');
  const soon = opened(t, 200);
  await t.rejects(soon.do('a', { wait_ms: 600_000 }), { name: 'TooMuchWork' });
});

t.test('what a thread is at work on ends with it', async (t) => {
  const thread = opened(t, 3_000);
  await thread.do('a', { say: 'a' });
  const hanging = thread.do('a', { hang: true });
  const refused = t.rejects(hanging, { name: 'AbortError' });
  await turn();
  await thread.close();
  await refused;
});

t.test('a thread that fails while nobody waits for it ends alone', async (t) => {
  const thread = opened(t);
  const begun = once(process, 'worker');
  t.equal(await thread.do('a', { say: 'a' }), 'said a');
  const [worker] = await begun as [Worker];
  worker.ref();
  // (`once` of node:events would listen for the error itself.)
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  // Not with the piece before: its answer and the error come by two ways, in either order.
  worker.postMessage({ die: true });
  await ended;
  t.equal(await thread.do('a', { say: 'b' }), 'said b', 'another one takes its place');
});

t.test('it stands back while the processors are busy', {
  skip: process.platform !== 'linux' && 'a thread has no priority of its own here',
}, async (t) => {
  const before = getPriority();
  t.equal(Number(await opened(t).do('a', { say: 'priority' })), Math.min(19, before + 5));
  t.equal(getPriority(), before, 'the thread that serves everybody keeps its own');
});

t.test('who is aborted waits no more, at work or in the line', async (t) => {
  const thread = opened(t);
  const [first, second] = [new AbortController(), new AbortController()];
  const hanging = thread.do('a', { hang: true }, first.signal);
  const waiting = thread.do('a', { say: 'a' }, second.signal);
  const later = thread.do('b', { say: 'b' });
  second.abort(new Error('gone'));
  await t.rejects(waiting, { message: 'gone' });
  first.abort(new Error('cancelled'));
  await t.rejects(hanging, { message: 'cancelled' });
  t.equal(await later, 'said b', 'what is left behind does not go on');
  await t.rejects(thread.do('a', {}, first.signal), { message: 'cancelled' });
  t.equal(await thread.do('a', { say: 'end' }), 'said end');
});

t.test('who asks for much waits for itself', async (t) => {
  const thread = opened(t);
  const order: string[] = [];
  const all = Array.from({ length: 50 }, () => thread.do('a', { say: 'a' }).then(() => {
    order.push('a');
  }));
  all.push(thread.do('b', { say: 'b' }).then(() => void order.push('b')));
  await Promise.all(all);
  t.ok(order.indexOf('b') < 3, `it was number ${order.indexOf('b') + 1} of 51`);
});
