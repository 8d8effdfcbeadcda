/** `/metrics`, however many ask for it, and however often. */
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config.ts';
import { openMetrics } from '../../src/http/metricsPage.ts';
import { LoopTurns } from '../../src/http/turns.ts';
import { createLog } from '../../src/log.ts';
import { deferred, room } from './support.ts';

/** A room with the page beside its API, and when its texts were made. */
async function metricsRoom(t: Test, ready: Promise<void>, turns = new LoopTurns()) {
  const made_ms: number[] = [];
  const { beside } = await openMetrics({ config: readConfig({}), log: createLog('silent') },
    async () => {
      const text = `made ${made_ms.push(performance.now())}\n`;
      await ready;
      return text;
    });
  const { fetch } = await room(t, { metrics: beside!, turns });
  const ask = async () => await (await fetch('/metrics')).text();
  return { ask, fetch, made_ms };
}

t.test('all who ask at that time share one text, and who asks later has a new one', async (t) => {
  const { promise: ready, resolve: finish } = deferred();
  const { ask, fetch, made_ms } = await metricsRoom(t, ready);
  const answers = Array.from({ length: 20 }, ask);
  for (let i = 0; i < 20; i++) await fetch('/healthz'); // those before have arrived by then
  finish();
  const texts = new Set(await Promise.all(answers));
  t.equal(texts.size, made_ms.length, 'none is made for nobody');
  t.ok(texts.size < 20, `made ${texts.size} times`);
  t.notOk(texts.has(await ask()));
});

t.test('texts are made so seldom that others have the loop meanwhile', async (t) => {
  const { ask, made_ms } = await metricsRoom(t, Promise.resolve());
  for (const number of [1, 2, 3, 4]) t.equal(await ask(), `made ${number}\n`);
  // A timer may fire a millisecond before its time.
  t.ok(made_ms.every((ms, i) => i === 0 || ms - made_ms[i - 1]! >= 99), made_ms.join(' '));
});

t.test('it takes its turn as all do who show no key; what probes ask for does not', async (t) => {
  const asked: string[] = [];
  class NotedTurns extends LoopTurns {
    override take(share: string) {
      asked.push(share);
      return super.take(share);
    }
  }
  const { fetch } = await metricsRoom(t, Promise.resolve(), new NotedTurns());
  for (const path of ['/healthz', '/readyz']) t.equal((await fetch(path)).status, 200);
  t.strictSame(asked, []);
  t.equal((await fetch('/metrics')).status, 200);
  t.strictSame(asked, ['address 127.0.0.1']);
});
