/**
 * How often the name that a person would guess for an operation is the one that it has, and how
 * often it is at least among the five that are suggested in its place. Over documents of real
 * services; needs the registry once, and is left out loudly without it.
 *
 * Usage: node test/bench/names.ts [all]; with `all` it prints each guess that is not right.
 */
import { rank } from '../../src/gateway/catalogue/search.ts';
import { readQuery } from '../../src/gateway/catalogue/searchQuery.ts';
import { runBench, type Bench } from './bench.ts';
import { GUESSED_DOCUMENTS, HELD_BACK, TUNED, type NameGuess } from './nameGuesses.ts';
import { realSources, type RealSource } from './realDocuments.ts';

/** As many as a call of an unknown action is told. */
const SUGGESTIONS = 5;
const EXACT_AIM = 40;

await runBench(async (bench) => {
  const services = new Map((await realSources(GUESSED_DOCUMENTS)).map((source) =>
    [source.integration.slug, source]));
  bench.say('                 exact  of five     of');
  const halves = [measure(bench, 'tuned', TUNED, services),
    measure(bench, 'held back', HELD_BACK, services)];
  const sum = (key: 'exact' | 'suggested') => halves.reduce((all, half) => all + half[key], 0);
  bench.figure({ name: `names as guessed, against ${EXACT_AIM} of 60`,
    value: sum('exact') / EXACT_AIM, unit: '×', at_least: 1 });
  bench.figure({ name: 'guesses found among the five suggestions, of 60',
    value: sum('suggested') / 60, unit: '×', at_least: 1 });
});

function measure(
  bench: Bench, half: string, guesses: readonly NameGuess[],
  services: ReadonlyMap<string, RealSource>): { exact: number, suggested: number } {
  let [exact, suggested] = [0, 0];
  for (const { slug, guess, operations } of guesses) {
    const service = services.get(slug)!;
    const meant = service.actions.filter(({ source_key }) => operations.includes(source_key));
    const names = meant.map(({ name }) => name);
    const is_exact = names.includes(guess);
    const found = rank(readQuery(guess, [service]), SUGGESTIONS, ({ name }) => name)
      .some(({ action }) => names.includes(action));
    exact += Number(is_exact);
    suggested += Number(is_exact || found);
    if (!is_exact && process.argv[2] === 'all') {
      bench.say(`    ${guess} is ${names.join(', ')}${found ? '' : ', and not suggested'}`);
    }
  }
  bench.say(`  ${half.padEnd(14)}${[exact, suggested, guesses.length]
    .map((count) => String(count).padStart(7)).join('')}`);
  return { exact, suggested };
}
