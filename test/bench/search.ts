/**
 * Search over the 4,018 actions of 13 real services: whether it finds what is meant (the share of
 * queries whose action is the first, among the first five, among the first ten) and how long it
 * takes. The aims: 13, 17 and 20 of the 20 known intents, which is what coverage with pg_trgm had
 * on as many actions, and a median of at most 5 ms. Held-out intents, with which nothing was
 * chosen, are for information. Needs the registry once, and is left out loudly without it.
 *
 * Usage: node test/bench/search.ts [rounds]
 */
import { rank } from '../../src/gateway/catalogue/search.ts';
import { readQuery } from '../../src/gateway/catalogue/searchQuery.ts';
import { Bench, column, median, quantile, runBench } from './bench.ts';
import { realSources, type RealSource } from './realDocuments.ts';
import { DIRECTORY, HELD_OUT, KNOWN, type Intent } from './searchIntents.ts';

const ROUNDS = Number(process.argv[2] ?? 50);
const LIMIT = 10;

await runBench(async (bench) => {
  const searched = await realSources(DIRECTORY);
  const begun_ms = performance.now();
  found(searched, 'anything');
  const index_ms = performance.now() - begun_ms;
  const { length } = searched.flatMap(({ actions }) => actions);
  bench.say(`${length} actions, indexed in ${index_ms.toFixed(0)} ms`);
  bench.say('                  first   of 5  of 10     of   p50 ms   p99 ms');
  const known = measure(bench, 'known', KNOWN, searched);
  measure(bench, 'held out', HELD_OUT, searched);
  bench.figure({ name: 'search, median', value: known.p50_ms, unit: 'ms', at_most: 5 });
  [13, 17, 20].forEach((aim, i) => bench.figure({
    name: `search, right among the first ${[1, 5, 10][i]}, against ${aim} of 20`,
    value: known.hits[i]! / aim, unit: '×', at_least: 1,
  }));
});

function measure(
  bench: Bench, name: string, intents: readonly Intent[], searched: readonly RealSource[],
): { hits: number[], p50_ms: number } {
  const times_ms: number[] = [];
  const places = intents.map(([query, ...right]) => {
    let names: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start_ms = performance.now();
      names = found(searched, query);
      times_ms.push(performance.now() - start_ms);
    }
    return names.findIndex((name) => right.includes(name));
  });
  const hits = [1, 5, LIMIT].map((first) =>
    places.filter((place) => place >= 0 && place < first).length);
  const p50_ms = median(times_ms);
  bench.say(`  ${name.padEnd(14)}${hits.map((hit) => column(hit, 0, 7)).join('')}`
    + `${column(intents.length, 0, 7)}${column(p50_ms)}${column(quantile(times_ms, 0.99))}`);
  intents.forEach(([query], i) => {
    const place = places[i]!;
    if (place !== 0) {
      bench.say(`    "${query}" is ${place < 0 ? `not among the first ${LIMIT}`
        : `at place ${place + 1}`}`);
    }
  });
  return { hits, p50_ms };
}

function found(searched: readonly RealSource[], query: string): string[] {
  return rank(readQuery(query, searched), LIMIT, ({ name }) => name).map(({ action }) => action);
}
