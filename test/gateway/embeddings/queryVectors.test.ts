import t from 'tap';
import type { Embedder } from '../../../src/gateway/embeddings/embedder.ts';
import { QueryVectors } from '../../../src/gateway/embeddings/queryVectors.ts';
import { createLog } from '../../../src/log.ts';
import { NO_METERS } from '../../../src/telemetry/metrics.ts';

/** A model whose answers a test gives one by one. */
function slowModel() {
  const asked: { text: string; answer: PromiseWithResolvers<number[]> }[] = [];
  const embedder: Embedder = {
    key: 'slow',
    async embed([text], _purpose, signal) {
      const answer = Promise.withResolvers<number[]>();
      signal.addEventListener('abort', () => answer.reject(signal.reason));
      asked.push({ text: text!, answer });
      return { vectors: [await answer.promise], tokens: 1 };
    },
  };
  return { asked, embedder };
}

const queries = (embedder: Embedder, wait_ms: number) =>
  new QueryVectors({ embedder, meters: NO_METERS, log: createLog('silent'), wait_ms });
const LONG_MS = 600_000;

t.test('a search waits no longer than it may, and no other one meanwhile', async (t) => {
  const { asked, embedder } = slowModel();
  const vectors = queries(embedder, 1);
  t.equal(await vectors.of('one'), 'late');
  t.equal(await vectors.of('two'), 'resting');
  t.equal(asked.length, 1, 'the other is not even asked for');
  asked[0]!.answer.resolve([1, -1]);
  await asked[0]!.answer.promise;
  await new Promise((resolve) => { setImmediate(resolve); });
  t.same(await vectors.of('one'), new Int8Array([127, -127]), 'the late answer is kept');
  t.equal(asked.length, 1);
  vectors.close();
});

t.test('those who ask the same at once share a request', async (t) => {
  const { asked, embedder } = slowModel();
  const vectors = queries(embedder, LONG_MS);
  const both = [vectors.of('one'), vectors.of('one')];
  t.equal(asked.length, 1);
  asked[0]!.answer.resolve([0.5, 0.25]);
  t.same(await Promise.all(both), [new Int8Array([127, 64]), new Int8Array([127, 64])]);
  const crowd = Array.from({ length: 20 }, (_, i) => vectors.of(`query ${i}`));
  t.same(await Promise.all(crowd.slice(16)), Array(4).fill('resting'), 'no more than 16 at once');
  vectors.close();
  t.same(await Promise.all(crowd.slice(0, 16)), Array(16).fill('failed'), 'the end gives them up');
  t.equal(await vectors.of('after the end'), 'resting');
});

t.test('a query that is refused takes the vectors of no other one', async (t) => {
  const { asked, embedder } = slowModel();
  const vectors = queries(embedder, LONG_MS);
  const odd = vectors.of('odd');
  asked[0]!.answer.reject(Object.assign(new Error('odd'), { reason: 'input_refused' }));
  t.equal(await odd, 'failed');
  const sound = vectors.of('sound');
  t.equal(asked.length, 2);
  asked[1]!.answer.resolve([1]);
  t.same(await sound, new Int8Array([127]));
  t.equal(await vectors.of(''), 'resting', 'nothing is not asked for');
  t.equal(asked.length, 2);
});

t.test('after a failure the provider is left alone for a while', async (t) => {
  const { asked, embedder } = slowModel();
  const vectors = queries(embedder, LONG_MS);
  const first = vectors.of('one');
  asked[0]!.answer.reject(new Error('gone'));
  t.equal(await first, 'failed');
  t.equal(await vectors.of('one'), 'resting');
  t.equal(asked.length, 1);
});
