/** What a request looks at among 20,000 actions, for a key that 300 grants speak of. */
import t from 'tap';
import { readPage } from '../../support/pages.ts';
import { testServer } from '../../support/server.ts';
import { definition } from '../support.ts';

const SLUG = 'many';
let looks = 0;

/** An action that counts how often somebody asks for its name. */
function counted(nth: number) {
  const name = `${SLUG}.resource${String(nth % 500).padStart(3, '0')}.verb${Math.floor(nth / 500)}`;
  return Object.defineProperty(
    definition({ integration: SLUG, title: `word${nth}`, description: 'x', source_key: 'x' }),
    'name', { enumerable: true, get: () => { looks += 1; return name; } });
}

const server = await testServer(t, { sources: [{
  integration: { slug: SLUG, title: 'Many' },
  actions: Array.from({ length: 20_000 }, (_, nth) => counted(nth)),
}] });
const { client, sql, workspace_id } = server;
await sql`insert into connections (workspace_id, id, integration, name, status)
  values (${workspace_id}, 'con_many', ${SLUG}, ${SLUG}, 'connected')`;
await sql`insert into grants (workspace_id, id, actions, decision)
  select ${workspace_id}, 'grt_' || nth, 'many.resource' || nth || '.*', 'allow'
  from generate_series(100, 399) nth`;
const page = () => readPage(client, 'listActions', { integration: SLUG, limit: 100 });

async function looksOf(work: () => Promise<unknown>): Promise<number> {
  await work(); // what is made once
  looks = 0;
  await work();
  return looks;
}

t.test('a page of the list looks at the actions of the page', async (t) => {
  const second = (await page()).next_cursor!;
  const queries: Record<string, string | boolean>[] =
    [{}, { cursor: second }, { integration: SLUG }, { read_only: true }];
  for (const query of queries) {
    const seen = await looksOf(() => readPage(client, 'listActions', { limit: 100, ...query }));
    t.ok(seen < 2_000, `${JSON.stringify(query)}: ${seen} looks`);
  }
});

t.test('a search looks at what it finds, and so does a name that is none', async (t) => {
  const seen = await looksOf(() =>
    client.expect(200, 'searchActions', { body: { query: 'word7', limit: 10 } }));
  t.ok(seen < 2_000, `${seen} looks`);
  const missed = await looksOf(() => client.expect(404, 'createActionInvocation',
    { body: { action: 'many.word7' } }));
  t.ok(missed < 2_000, `${missed} looks`);
});

t.test('a grant that changes is seen by the next request', async (t) => {
  const before = (await page()).ids;
  t.equal(before.length, 100);
  const { id } = await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'many.resource000.*', decision: 'deny' } });
  const denied = (await page()).ids;
  t.notOk(denied.some((name) => name.startsWith('many.resource000.')));
  const search = { body: { query: 'word0', integration: SLUG } };
  t.strictSame((await client.expect(200, 'searchActions', search)).data, []);
  await client.expect(204, 'deleteGrant', { path: { grant_id: id } });
  t.strictSame((await page()).ids, before);
  t.match((await client.expect(200, 'searchActions', search)).data,
    [{ name: 'many.resource000.verb0' }]);
});
