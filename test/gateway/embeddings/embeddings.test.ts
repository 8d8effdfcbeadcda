import type { ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { readConfig } from '../../../src/config.ts';
import { Embeddings, type EmbeddingsOptions } from '../../../src/gateway/embeddings/embeddings.ts';
import { createLog } from '../../../src/log.ts';
import { openEmbedder } from '../../../src/models/embedder.ts';
import type { Sql } from '../../../src/store/database.ts';
import { keepHouse } from '../../../src/store/maintenance.ts';
import { NO_METERS } from '../../../src/telemetry/metrics.ts';
import { testDatabase } from '../../support/database.ts';
import {
  embeddingServer, hashed, refuse, type EmbeddingServer,
} from '../../support/embeddingServer.ts';
import { turnsDuring } from '../../support/turns.ts';
import { untilSeen } from '../../support/until.ts';
import { definition } from '../support.ts';

const LOG = createLog('silent');

const named = (name: string, title = name) => definition({ name, title, description: title });
const many = (count: number) => Array.from({ length: count }, (_, i) =>
  named(`desk.things${i}.read`, `Read the thing ${i}`));

interface Changes extends Partial<EmbeddingsOptions> {
  dimensions?: number;
  model?: string;
}

/** A node; `lists` are the actions that it has, which a test may change. */
async function node(
  t: Pick<Test, 'teardown'>, sql: Sql, provider: EmbeddingServer, actions = many(100),
  { dimensions, model, ...changes }: Changes = {}) {
  const lists = [actions];
  const config = readConfig({}, { ...provider.config,
    ...(dimensions !== undefined && { embedding_dimensions: dimensions }),
    ...(model !== undefined && { embedding_model: model }) });
  const embeddings = new Embeddings({
    sql, log: LOG, meters: NO_METERS, embedder: openEmbedder(config)!, interval_ms: 5, retry_ms: 1,
    lists: async () => lists, ...changes,
  });
  t.teardown(() => embeddings.close());
  embeddings.open();
  const reaches = (wanted: object) => untilSeen('the progress of the vectors',
    () => embeddings.progress(),
    (seen) => JSON.stringify({ ...seen, ...wanted }) === JSON.stringify(seen));
  return { embeddings, lists, reaches };
}

const work = async (sql: Sql) => (await sql<{ texts: number; computed: number; failures: number;
  failure: string | null; wait_s: number; node_id: string }[]>`
  select texts, computed, failures, failure, node_id,
    extract(epoch from retry_at - updated_at)::float8 as wait_s
  from embedding_work`)[0]!;

t.test('vectors are computed in batches, once for all nodes and starts', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  const actions = [...many(150), named('desk.users.delete', 'Delete users')];
  const nodes = await Promise.all([1, 2, 3].map(() => node(t, sql, provider, actions)));
  for (const { reaches } of nodes) await reaches({ computed: 151, pending: 0 });
  t.equal(new Set(provider.texts()).size, 151);
  t.equal(provider.texts().length, 151, 'no text was asked for twice');
  t.equal(provider.requests.length, 3, 'they were asked for together');
  for (const { embeddings } of nodes) await embeddings.close();
  t.match(await work(sql), { texts: 151, computed: 151, failure: null });

  provider.requests.length = 0;
  const again = await node(t, sql, provider, actions, { wait_ms: 60_000 });
  await again.reaches({ computed: 151 });
  t.same(provider.texts(), [], 'a restart computes nothing');
  const near = (await again.embeddings.near('terminate persons'))!(actions)!;
  t.equal(near.indexOf(Math.max(...near)), 150, 'it finds what means the same in other words');
  t.ok(near[150]! > 5, 'far above the others');
  t.equal((await again.embeddings.near('terminate persons'))!(many(1)), undefined,
    'of other lists it knows nothing');
  t.same(provider.texts(), ['terminate persons'], 'the same query is not asked for again');
});

t.test('thousands of numbers are compared in slices', async (t) => {
  const { sql } = await testDatabase(t);
  const actions = many(500);
  // Each text has a direction of its own, and so has the query for the thing 321.
  const direction = (text: string) => {
    const vector = new Array<number>(8_000).fill(1);
    vector[Number(/\d+/.exec(text))] = 1_000;
    return vector;
  };
  const embedder = { key: 'long', embed: async (texts: readonly string[]) =>
    ({ vectors: texts.map(direction), tokens: 0 }) };
  const embeddings = new Embeddings({ sql, log: LOG, meters: NO_METERS, embedder,
    interval_ms: 5, lists: async () => lists });
  t.teardown(() => embeddings.close());
  const lists = [actions.slice(0, 100), actions.slice(100)];
  embeddings.open();
  await untilSeen('the vectors', () => embeddings.progress(), ({ computed }) => computed === 500);
  await embeddings.near('321');
  const again = embeddings.near('321');
  const turns = await turnsDuring(again);
  t.ok(turns >= 4, `others had ${turns} turns`);
  const near = (await again)!(lists[1]!)!;
  t.equal(near.indexOf(Math.max(...near)), 221);
  t.equal(near.length, 400);
  t.ok([...(await again)!(lists[0]!)!, ...near].every(Number.isFinite));
});

t.test('only what has changed is computed anew', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  const { lists, reaches, embeddings } = await node(t, sql, provider);
  await reaches({ computed: 100 });
  provider.requests.length = 0;
  const changed = [...lists[0]!.slice(1), named('desk.things0.read', 'Read something new')];
  lists[0] = changed;
  await untilSeen('the new list', async () => (await embeddings.near('new'))?.(changed),
    (near) => near?.every((one) => !Number.isNaN(one)));
  t.same(provider.texts().filter((text) => text !== 'new'),
    ['desk: Read something new. things0 read.']);
  provider.requests.length = 0;
  const other = await node(t, sql, provider, changed, { model: 'compatible/others' });
  await other.reaches({ computed: 100 });
  t.equal(provider.texts().length, 100, 'another model computes all');
  const shorter = await node(t, sql, provider, changed, { dimensions: 32 });
  await shorter.reaches({ computed: 100 });
  t.equal(provider.texts().length, 200, 'and so do other dimensions');
  t.equal((await sql`select from embeddings where length(vector) = 32`).length, 100);
});

t.test('answers that are no vectors are refused, and asked for again', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  const vectors = (texts: string[]) => texts.map((one) => ({ embedding: hashed(one) }));
  const answers: [why: RegExp, answer: (texts: string[]) => unknown][] = [
    [/something else/, () => ({ data: 'none' })],
    [/99 vectors for 100 texts|63 vectors for 64/, (texts) => ({ data: vectors(texts).slice(1) })],
    [/of 3 numbers, not of 64/, (texts) => ({ data: [...vectors(texts).slice(1),
      { embedding: [1, 2, 3] }] })],
    [/points nowhere/, (texts) => ({ data: texts.map(() => ({ embedding: [0, 0, 0] })) })],
    [/something else|points nowhere/, (texts) => ({ data: texts.map(() =>
      ({ embedding: [NaN, 1, 2] })) })],
  ];
  const seen: string[] = [];
  provider.answer(async ({ input }) => {
    // A single text is asked for to learn whether the provider is there.
    if (input.length === 1) return { data: 'none' };
    const failure = seen.length === 0 ? undefined : (await work(sql)).failure;
    seen.push(failure ?? '');
    return answers[seen.length - 1]?.[1](input);
  });
  const { embeddings, reaches } = await node(t, sql, provider);
  await reaches({ computed: 100 });
  answers.forEach(([why], i) => t.match(seen[i + 1], why));
  await embeddings.close();
  t.match(await work(sql), { failures: 0, failure: null, computed: 100 });

  const another = { embedding: hashed('x', 16) };
  provider.answer(({ input }) => ({ data: input.map(() => another) }));
  const { reaches: reachesToo } = await node(t, sql, provider, many(101));
  await reachesToo({ computed: 100, pending: 1 });
  await untilSeen('the failure', () => work(sql), ({ failure }) =>
    /vectors of 16 numbers.* have 64: it is another model by the same name/.test(failure ?? ''));
});

t.test('no node asks before the time that the provider has named', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  provider.answer((_, response) =>
    refuse(response, 429, 'slow down', { 'retry-after': '600' }));
  const nodes = [await node(t, sql, provider), await node(t, sql, provider)];
  const { wait_s, failure } = await untilSeen(
    'the failure', () => work(sql), (row) => row?.failure);
  t.match(failure, /limits the rate/);
  t.ok(wait_s >= 599 && wait_s <= 601, `${wait_s} s`);
  t.equal(provider.requests.length, 1);
  provider.answer(() => undefined);
  await sql`update embedding_work set retry_at = now()`;
  for (const { reaches } of nodes) await reaches({ computed: 100 });
});

t.test('too many texts for a request are halved; one that is refused alone is left out',
  async (t) => {
    const { sql } = await testDatabase(t);
    const provider = await embeddingServer(t);
    provider.answer(({ input }, response) => {
      if (input.length > 8) refuse(response, 413, 'batch too large');
      else if (input.some((one) => one.includes('poison'))) refuse(response, 400, 'refused');
      return undefined;
    });
    const actions = many(40).with(20, named('desk.poison.read'));
    const { reaches } = await node(t, sql, provider, actions);
    await reaches({ computed: 39, pending: 0, refused: 1 });
    t.ok(provider.requests.length < 60, `${provider.requests.length} requests`);
  });

t.test('a text that breaks the provider is found and left out', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  const breaks: ((response: ServerResponse) => object | void)[] = [
    (response) => refuse(response, 500, 'worker died'),
    (response) => { response.destroy(); },
    () => ({ data: 'none' }),
  ];
  for (const [i, how] of breaks.entries()) {
    provider.answer(({ input }, response) =>
      input.some((one) => one.includes('poison')) ? how(response) : undefined);
    provider.requests.length = 0;
    const actions = many(100).with(20, named('desk.poison.read'));
    const { embeddings, reaches } = await node(
      t, sql, provider, actions, { model: `compatible/broken${i}` });
    await reaches({ computed: 99, pending: 0, refused: 1 });
    t.ok(provider.requests.length < 60, `${provider.requests.length} requests`);
    await embeddings.close();
  }
});

t.test('while the provider is away no text is blamed', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  provider.answer((_, response) => refuse(response, 503, 'away'));
  const { reaches } = await node(t, sql, provider);
  await untilSeen('failures', () => work(sql), (row) => row?.failures >= 5);
  t.ok(provider.requests.every(({ input }) => [1, 64].includes(input.length)),
    'as many are sent as before');
  provider.answer(() => undefined);
  await reaches({ computed: 100, refused: 0 });
});

t.test('a provider that refuses everything is asked less and less', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  provider.answer((_, response) => refuse(response, 400, 'no such dimensions'));
  await node(t, sql, provider);
  // Between a try and its failure the row tells of no wait, and some of it is over when seen.
  await untilSeen('a wait that has grown', () => work(sql),
    (row) => row?.failures >= 4 && row.wait_s >= 0.001 * 2 ** (row.failures - 3));
});

t.test('a node that is gone is followed by another', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  await sql`
    insert into embedding_work (model, node_id, lease_until, texts, computed)
    values ('compatible/words', 'gone', now() + interval '1 hour', 100, 0)`;
  const { embeddings, reaches } = await node(t, sql, provider);
  await reaches({ pending: 100 });
  t.equal(await embeddings.near('read'), undefined, 'no search waits for it');
  await sql`update embedding_work set lease_until = now()`;
  await reaches({ computed: 100 });
});

t.test('a failure and a lease of before the clock was set back keep nobody', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  await sql`
    insert into embedding_work (model, node_id, lease_until, texts, computed, retry_at, updated_at)
    select 'compatible/words', 'gone', ahead, 100, 0, ahead, ahead
    from (select now() + interval '1 year' as ahead) clock`;
  const { reaches } = await node(t, sql, provider);
  await reaches({ computed: 100 });
  t.ok((await sql`select from embedding_work
    where updated_at <= now() and retry_at <= now()`).length, 'nor the work of tomorrow');
});

t.test('vectors that no node uses are removed after a month', async (t) => {
  const { sql } = await testDatabase(t);
  const provider = await embeddingServer(t);
  const first = await node(t, sql, provider);
  await first.reaches({ computed: 100 });
  await first.embeddings.close();
  const old = () => sql`update embeddings set seen_on = current_date - 31`;
  await old();
  const second = await node(t, sql, provider, many(60));
  await second.reaches({ computed: 60 });
  await untilSeen('the note', () => sql`select from embeddings where seen_on = current_date`,
    (rows) => rows.length === 60);
  await keepHouse(sql, { event_retention_days: 30, log: LOG });
  t.equal((await sql`select from embeddings`).length, 60);
  await old();
  await sql`update embedding_work set updated_at = now() - interval '31 days'`;
  await keepHouse(sql, { event_retention_days: 30, log: LOG });
  t.equal((await sql`select from embeddings`).length, 0, 'also when the setting is gone');
  t.equal((await sql`select from embedding_work`).length, 0);
});
