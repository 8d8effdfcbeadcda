/**
 * What an agent has to read before it can call an action: the results of gateway.actions.search and
 * gateway.actions.describe, in tokens (four characters of JSON are one, as the rehearsal model
 * counts). Once for "create an issue" on GitHub; the searches of all intents of the catalogue over
 * 10,109 actions, and the description of the action that each is for; and the description of every
 * action of 41 real documents. The aims: at most 1,300 tokens from the search to the call on
 * GitHub, and no search or description longer than what a model sees of a result, so that none is
 * cut. Needs the registry once, and is left out loudly without it.
 *
 * Usage: node test/bench/tokens.ts
 */
import { describeForModel } from '../../src/gateway/builtin/describe.ts';
import { searchAnswer } from '../../src/gateway/builtin/found.ts';
import type { ActionDescription } from '../../src/gateway/action/action.ts';
import { rank } from '../../src/gateway/catalogue/search.ts';
import { readQuery } from '../../src/gateway/catalogue/searchQuery.ts';
import type { VisibleAction } from '../../src/gateway/catalogue/visibility.ts';
import { Bench, column, median, quantile, runBench } from './bench.ts';
import { catalogueIntents, catalogueSources, keyOf } from './catalogueIntents.ts';

/** Documents with long descriptions and deep inputs, beside those of the catalogue. */
const MORE = {
  zuora: 'zuora.com', vimeo: 'vimeo.com', gitea: 'gitea.io', bungie: 'bungie.net',
  dfareporting: 'googleapis.com/dfareporting', adyen: 'adyen.com/CheckoutService',
  crm: 'apideck.com/crm',
};
/** What a model sees of a result at most, if its operator says nothing else. */
const RESULT_TOKENS = 4_000;
const LIMIT = 10;
const CONNECTED = [
  { id: 'con_01m7ykkynhnacwxg00ar18w3ze', account_label: 'octocat' },
] as VisibleAction['connected'];

await runBench(async (bench) => {
  const sources = await catalogueSources();
  const actions = (await catalogueSources(MORE)).flatMap((source) => source.actions);
  const searched = sources.flatMap((source) => source.actions);
  const search = (query: string) => searchAnswer({
    data: rank(readQuery(query, sources), LIMIT, (action) => action)
      .map(({ action, score }) => ({ ...action as ActionDescription, score })) });
  const describe = (action: ActionDescription) => describeForModel(action, CONNECTED, {});
  bench.say(`${searched.length} actions are searched, ${actions.length} described`);

  const issue = 'github.issues.create';
  const [list, told] = [search('create an issue on github'),
    describe(actions.find(({ name }) => name === issue)!)];
  bench.say(`  search ${tokens(list)}, describe ${issue} ${tokens(told)} tokens`);
  bench.figure({ name: `from the search to a call of ${issue}`,
    value: tokens(list) + tokens(told), unit: 'tokens', at_most: 1_300 });

  const byKey = new Map(searched.map((action) => [keyOf(action), action]));
  const { tuned, held_back, outside } = catalogueIntents(searched);
  const ways = [...tuned, ...held_back].map(({ query, right: [right] }) => {
    const search_tokens = tokens(search(query));
    return { search_tokens, all_tokens: search_tokens + tokens(describe(byKey.get(right!)!)) };
  });
  const searches = [...ways.map(({ search_tokens }) => search_tokens),
    ...outside.map(({ query }) => tokens(search(query)))];
  row(bench, 'search', searches);
  row(bench, 'search and describe', ways.map(({ all_tokens }) => all_tokens));
  bench.figure({ name: `the longest of ${searches.length} searches`, unit: 'tokens',
    value: Math.max(...searches), at_most: RESULT_TOKENS });

  const all = actions.map((action) => tokens(describe(action)));
  row(bench, 'describe, every action', all);
  const longest = actions.map((action) => tokens(
    describeForModel(action, CONNECTED, { output: true, whole_description: true })));
  row(bench, 'with all that can be asked', longest);
  bench.figure({ name: `the longest of ${all.length} descriptions`, unit: 'tokens',
    value: Math.max(...all, ...longest), at_most: RESULT_TOKENS });
});

function tokens(result: unknown): number {
  return Math.ceil(JSON.stringify(result).length / 4);
}

function row(bench: Bench, name: string, values: readonly number[]): void {
  bench.say(`  ${name.padEnd(26)} median${column(median(values), 0, 7)}  p99`
    + `${column(quantile(values, 0.99), 0, 7)}  most${column(Math.max(...values), 0, 7)} tokens`);
}
