/**
 * Search by words and by meaning over the 10,109 actions of 34 real services, with the embedding
 * model that the environment names: whether it finds what is meant and refuses what nobody does, as
 * the service does it, and how long that takes without the provider's time. Half of the intents may
 * be tuned with, and tells what other parts of words and meaning find; the other half is held back.
 * The aims: of those held back 65 of 100 among the first five, 75 among the first ten, a median of
 * at most 25 ms; of both halves four of five intents outside of all refused, and at most 3 of 100
 * others refused wrongly. Is left out loudly without an embedding model. Vectors are computed anew
 * each time.
 *
 * Usage: node test/bench/searchByMeaning.ts
 */
import { readConfig } from '../../src/config.ts';
import type { ActionDescription } from '../../src/gateway/action/action.ts';
import { rank } from '../../src/gateway/catalogue/search.ts';
import { fitOf } from '../../src/gateway/catalogue/searchFit.ts';
import type { IndexedAction } from '../../src/gateway/catalogue/searchIndex.ts';
import { readQuery } from '../../src/gateway/catalogue/searchQuery.ts';
import { Embeddings, type Nearness } from '../../src/gateway/embeddings/embeddings.ts';
import { openEmbedder, type ProviderEmbedder } from '../../src/models/embedder.ts';
import { connect } from '../../src/store/database.ts';
import { NO_METERS } from '../../src/telemetry/metrics.ts';
import { untilSeen } from '../support/until.ts';
import { Bench, column, median, quantile, runBench } from './bench.ts';
import {
  catalogueIntents, catalogueSources, keyOf, type CatalogueIntent,
} from './catalogueIntents.ts';
import type { RealSource } from './realDocuments.ts';

const LIMIT = 10;
const ROUNDS = 5;
/** Of the score: by meaning. */
const PARTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** Vectors may take an hour on a small machine; as long as they come, they are waited for. */
const PATIENCE = { quiet_ms: 120_000, whole_ms: 3_600_000 };

await runBench(async (bench) => {
  const embedder = openEmbedder(readConfig());
  if (embedder === null) {
    bench.say('SKIPPED: EMBEDDING_MODEL names no model (docs/models.md).');
    return;
  }
  const sources = await catalogueSources();
  const lists = sources.map(({ actions }) => actions);
  const embeddings = await computed(bench, embedder, lists);
  const { tuned, held_back, outside } = catalogueIntents(lists.flat());
  await sayParts(bench, tuned, sources, embeddings);
  bench.say('                      first   of 5  of 10 refused     of   p50 ms   p99 ms');
  const known = await measure(bench, 'tuned, blended', tuned, sources, embeddings);
  await measure(bench, 'held back, words', held_back, sources);
  const held = await measure(bench, 'held back, blended', held_back, sources, embeddings);
  const strangers = await measure(bench, 'outside, blended', outside, sources, embeddings);
  bench.figure({ name: 'search by meaning, right among the first 5, against 65 of 100',
    value: held.hits[1]! / held_back.length / 0.65, unit: '×', at_least: 1 });
  bench.figure({ name: '… among the first 10, against 75 of 100',
    value: held.hits[2]! / held_back.length / 0.75, unit: '×', at_least: 1 });
  bench.figure({ name: '… what is outside of all refused, against 4 of 5',
    value: strangers.refused / outside.length / 0.8, unit: '×', at_least: 1 });
  bench.figure({ name: '… refused wrongly, against 3 of 100', unit: '×', at_most: 1,
    value: (known.refused + held.refused) / (tuned.length + held_back.length) / 0.03 });
  bench.figure({ name: '… median without the provider', value: held.p50_ms, unit: 'ms',
    at_most: 25 });
});

/** What the tuned half finds if more or less of the score is by meaning. */
async function sayParts(
  bench: Bench, intents: readonly CatalogueIntent[], sources: readonly RealSource[],
  embeddings: Embeddings): Promise<void> {
  const asked = await Array.fromAsync(intents, async ({ query, right }) => ({
    right, near: await embeddings.near(query), parsed: readQuery(query, sources),
  }));
  bench.say('  tuned, by meaning   first   of 5  of 10     of');
  for (const part of PARTS) {
    const places = asked.map(({ right, near, parsed }) =>
      rank(parsed, LIMIT, (action) => action, near, part)
        .findIndex(({ action }) => right.has(keyOf(action))));
    bench.say(`  ${column(part, 1, 18)}${[...hitsOf(places), intents.length]
      .map((count) => column(count, 0, 7)).join('')}`);
  }
}

async function computed(
  bench: Bench, embedder: ProviderEmbedder, lists: readonly (readonly ActionDescription[])[],
): Promise<Embeddings> {
  const sql = connect(await bench.database('meaning'), { max: 4 });
  bench.teardown(() => sql.end());
  const begun_ms = performance.now();
  const open = async () => {
    const embeddings = new Embeddings({ sql, log: bench.log, meters: NO_METERS, embedder,
      lists: async () => lists, interval_ms: 100, wait_ms: 60_000 });
    bench.teardown(() => embeddings.close());
    embeddings.open();
    await untilSeen('the vectors', () => embeddings.progress(),
      ({ computed, pending }) => computed > 0 && pending === 0, PATIENCE);
    return embeddings;
  };
  const first = await open();
  const { refused, computed: actions } = first.progress();
  bench.say(`${embedder.key}: ${actions} actions computed, ${refused} refused, in`
    + ` ${((performance.now() - begun_ms) / 1_000).toFixed(0)} s`);
  await first.close();
  const [size] = await sql<{ bytes: number; dimensions: number }[]>`
    select pg_total_relation_size('embeddings')::int as bytes, max(length(vector)) as dimensions
    from embeddings`;
  const restarted_ms = performance.now();
  const before = process.memoryUsage();
  const again = await open();
  const after = process.memoryUsage();
  bench.say(`  ${size!.dimensions} numbers each; ${mb(size!.bytes)} MB of the database; read`
    + ` again in ${(performance.now() - restarted_ms).toFixed(0)} ms, ${mb(after.arrayBuffers
      - before.arrayBuffers)} MB of vectors`);
  return again;
}

function mb(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}

/** What is refused counts as not found. */
async function measure(
  bench: Bench, name: string, intents: readonly CatalogueIntent[],
  sources: readonly RealSource[], embeddings?: Embeddings,
): Promise<{ hits: number[]; p50_ms: number; refused: number }> {
  const times_ms: number[] = [];
  const places: number[] = [];
  let refused = 0;
  for (const { query, right } of intents) {
    await embeddings?.near(query); // the provider's time, which is not measured
    let found: IndexedAction[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begun_ms = performance.now();
      const near: Nearness | undefined = await embeddings?.near(query);
      const asked = readQuery(query, sources);
      found = fitOf(asked).is_outside ? []
        : rank(asked, LIMIT, (action) => action, near).map(({ action }) => action);
      times_ms.push(performance.now() - begun_ms);
    }
    places.push(found.findIndex((action) => right.has(keyOf(action))));
    if (found.length === 0) refused += 1;
  }
  const hits = hitsOf(places);
  const p50_ms = median(times_ms);
  bench.say(`  ${name.padEnd(18)}${[...hits, refused, intents.length]
    .map((count) => column(count, 0, 7)).join('')}`
    + `${column(p50_ms)}${column(quantile(times_ms, 0.99))}`);
  return { hits, p50_ms, refused };
}

/** How many are first, among the first five, and among the first ten; -1: not found. */
function hitsOf(places: readonly number[]): number[] {
  return [1, 5, LIMIT].map((first) =>
    places.filter((place) => place >= 0 && place < first).length);
}
