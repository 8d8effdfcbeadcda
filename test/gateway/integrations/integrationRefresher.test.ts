import t from 'tap';
import {
  IntegrationRefresher, type IntegrationRefresherOptions,
} from '../../../src/gateway/integrations/integrationRefresher.ts';
import { createLog } from '../../../src/log.ts';
import { Patience, patience } from '../../../src/patience.ts';
import { until } from '../../support/until.ts';

/** A refresher whose refreshes and waits end when a test says so. */
function refresherOf(options: Partial<IntegrationRefresherOptions> = {}) {
  const begun: string[] = [];
  const ends: ((outcome: 'done' | 'overtaken' | Error) => void)[] = [];
  const waits: (() => void)[] = [];
  const lines: string[] = [];
  const refresher = new IntegrationRefresher({
    interval_ms: 1_234,
    log: createLog('warn', { destination: { write: (line: string) => void lines.push(line) } }),
    refresh: (slug, signal) => new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      begun.push(slug);
      ends.push((outcome) => outcome instanceof Error ? reject(outcome) : resolve(outcome));
    }),
    wait: (interval_ms, signal) => new Promise((resolve, reject) => {
      if (interval_ms !== 1_234) throw new Error('not the interval');
      waits.push(() => resolve(undefined));
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    }),
    ...options,
  });
  return { refresher, begun, ends, waits, lines };
}

t.test('at once; many who ask meanwhile get one more, after the interval', async (t) => {
  const { refresher, begun, ends, waits } = refresherOf();
  for (let count = 0; count < 5; count++) refresher.request('a');
  t.same(begun, ['a']);
  ends[0]!('done');
  await until(async () => waits.length === 1);
  for (let count = 0; count < 5; count++) refresher.request('a');
  t.same(begun, ['a'], 'not before the interval is over');
  waits[0]!();
  await until(async () => begun.length === 2);
  ends[1]!('done');
  await until(async () => waits.length === 2);
  waits[1]!();
  await new Promise(setImmediate);
  t.same(begun, ['a', 'a'], 'nobody asked since');
  refresher.request('a');
  t.same(begun, ['a', 'a', 'a'], 'and whoever asks then has it at once');
  await refresher.close();
});

t.test('who asks while it goes on is not served by what has begun', async (t) => {
  const { refresher, begun, ends, waits } = refresherOf();
  refresher.request('a');
  refresher.request('b');
  t.same(begun, ['a', 'b'], 'integrations do not wait for each other');
  refresher.request('a');
  for (const end of ends) end('done');
  await until(async () => waits.length === 2);
  for (const end of waits) end();
  await until(async () => begun.length === 3);
  t.same(begun, ['a', 'b', 'a']);
  await refresher.close();
});

t.test('one that was overtaken is repeated, one that failed is not', async (t) => {
  const { refresher, begun, ends, waits, lines } = refresherOf();
  refresher.request('a');
  ends[0]!('overtaken');
  await until(async () => waits.length === 1);
  t.equal(begun.length, 1);
  waits[0]!();
  await until(async () => begun.length === 2);
  t.same(lines, []);
  ends[1]!(new Error('the server is away'));
  await until(async () => waits.length === 2);
  t.match(lines, [/"integration":"a".*could not be refreshed/]);
  waits[1]!();
  await new Promise(setImmediate);
  t.equal(begun.length, 2);
  await refresher.close();
});

t.test('closing gives up what is under way, and takes no more', async (t) => {
  const aborted: string[] = [];
  const { refresher, lines } = refresherOf({
    refresh: (slug, signal) => new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push(slug);
        reject(signal.reason as Error);
      });
    }),
  });
  refresher.request('a');
  refresher.request('a');
  await refresher.close();
  t.same(aborted, ['a'], 'and it is not begun again');
  refresher.request('a');
  await refresher.close();
  t.same(aborted, ['a']);
  t.same(lines, []);
});

t.test('it is done for all who ask, without the patience of the first', async (t) => {
  const patient: boolean[] = [];
  const { refresher } = refresherOf({
    refresh: async () => {
      patient.push(patience() !== undefined);
      return 'done';
    } });
  await new Patience('createConnection').during(() => refresher.request('a'));
  t.same(patient, [false]);
  await refresher.close();
});
