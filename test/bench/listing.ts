/**
 * Listing and searching among 20,000 actions, for a key that 300 grants speak of: what one request
 * takes of this process, from the rows in the database to the answer's JSON. While it lasts, the
 * process answers nobody else. The aim: a page of the list takes no longer than a search whose
 * words are in every action.
 *
 * Usage: node test/bench/listing.ts [rounds]
 */
import type { ActionDefinition, ActionSource } from '../../src/gateway/action/action.ts';
import { Catalogue } from '../../src/gateway/catalogue/catalogue.ts';
import { Inventory } from '../../src/gateway/catalogue/inventory.ts';
import { listActions } from '../../src/operations/listActions.ts';
import { searchActions } from '../../src/operations/searchActions.ts';
import { connect } from '../../src/store/database.ts';
import { Bench, column, median, quantile, runBench } from './bench.ts';

const ROUNDS = Number(process.argv[2] ?? 20);
const INTEGRATIONS = 20;
const RESOURCES = 100;
const VERBS = ['list', 'get', 'create', 'update', 'delete', 'archive', 'export', 'import', 'share',
  'merge'];
const GRANTS = 300;
const CALLER = { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null };
const SLUGS = Array.from({ length: INTEGRATIONS }, (_, nth) => `system${nth}`);

await runBench(async (bench) => {
  const sql = connect(await bench.database('listing'), { max: 4 });
  bench.teardown(() => sql.end());
  await sql`insert into workspaces (id, name) values (${CALLER.workspace_id}, 'bench')`;
  await sql`
    insert into connections (workspace_id, id, integration, name, status)
    select ${CALLER.workspace_id}, 'con_' || slug, slug, slug, 'connected'
    from unnest(${SLUGS}::text[]) slug`;
  await sql`
    insert into grants (workspace_id, id, actions, decision)
    select ${CALLER.workspace_id}, 'grt_' || nth, pattern, decision
    from unnest(${grants().map(([pattern]) => pattern)}::text[],
      ${grants().map(([, decision]) => decision)}::text[]) with ordinality
      as g (pattern, decision, nth)`;
  const inventory = new Inventory(SLUGS.map(sourceOf));
  const catalogue = new Catalogue(sql, async () => inventory);
  const services = { gateway: { catalogue } };
  const list = (query: object) => listActions(
    { caller: CALLER, services, params: { query: { limit: 100, ...query } } } as never);
  const search = (query: string) => searchActions(
    { caller: CALLER, services, body: { query, limit: 10 } } as never);
  const first = (await list({})).body as unknown as { next_cursor: string };
  bench.say(`${INTEGRATIONS * RESOURCES * VERBS.length} actions, ${GRANTS} grants`);
  bench.say('                                  p50 ms   p99 ms');
  await measure(bench, 'search, a rare word', () => search('resource7'));
  const all = await measure(bench, 'search, words of every action', () => search('list the items'));
  const listed = await measure(bench, 'list, the first page', () => list({}));
  await measure(bench, 'list, the second page', () => list({ cursor: first.next_cursor }));
  await measure(bench, 'list, one integration', () => list({ integration: SLUGS.at(-1) }));
  await measure(bench, 'list, what changes something', () => list({ read_only: false }));
  await measure(bench, 'the tool of an agent', () => catalogue.describeTool(CALLER));
  bench.figure({ name: 'a page of the list, against a search that matches all',
    value: listed / all, unit: '×', at_most: 1 });
  bench.figure({ name: 'a page of the list', value: listed, unit: 'ms' });
});

/** Patterns of all kinds, most of them of several parts. */
function grants(): [pattern: string, decision: string][] {
  const decisions = ['allow', 'require_approval', 'deny'];
  return Array.from({ length: GRANTS }, (_, nth) => {
    const slug = SLUGS[nth % INTEGRATIONS]!;
    const resource = `resource${nth % RESOURCES}`;
    const verb = VERBS[nth % VERBS.length]!;
    const pattern = [`${slug}.${resource}.*`, `${slug}.*.${verb}`, `*.${resource}.${verb}`,
      `${slug}.${resource}.${verb}`][nth % 4]!;
    return [pattern, decisions[nth % 3]!];
  });
}

function sourceOf(slug: string): ActionSource {
  const actions = Array.from({ length: RESOURCES }, (_, nth) => VERBS.map((verb) =>
    actionOf(slug, `resource${nth}`, verb))).flat();
  return { integration: { slug, title: slug, auth_methods: ['bearer'], egress_allow: [] },
    actions };
}

function actionOf(slug: string, resource: string, verb: string): ActionDefinition {
  return {
    name: `${slug}.${resource}.${verb}`, integration: slug, source_key: `POST /${resource}/${verb}`,
    title: `${verb} ${resource}`, description: `Does ${verb} with the items of ${resource}.`,
    effect: verb === 'list' || verb === 'get' ? 'read' : 'write',
    input_schema: { type: 'object', properties: { path: { type: 'object' } } },
    output_schema: null, paged: false,
    perform: async () => ({ result: null, source_cursor: null }),
  };
}

/** The median time of a request with its answer as JSON. */
async function measure(bench: Bench, name: string, ask: () => Promise<object>): Promise<number> {
  const times_ms: number[] = [];
  JSON.stringify(await ask()); // what is made once
  for (let round = 0; round < ROUNDS; round++) {
    const start_ms = performance.now();
    JSON.stringify(await ask());
    times_ms.push(performance.now() - start_ms);
  }
  const p50_ms = median(times_ms);
  bench.say(`  ${name.padEnd(30)}${column(p50_ms)}${column(quantile(times_ms, 0.99))}`);
  return p50_ms;
}
