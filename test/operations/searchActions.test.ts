/** POST /actions/search */
import t from 'tap';
import { createLab, connectLab, LAB_SLUG } from '../support/lab.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

const server = await testServer(t, { sources: [createLab().source] });
const { client, sql } = server;
await connectLab(sql, server.workspace_id);
const search = (body: object, who = client) => who.expect(200, 'searchActions', { body });

t.test('the best first, with scores', async (t) => {
  const { object, data, has_more, next_cursor } = await search({ query: 'list my sessions' });
  t.strictSame([object, has_more, next_cursor], ['list', false, null]);
  t.equal(data[0]!.name, 'gatehouse.sessions.list');
  const scores = data.map(({ score }) => score);
  t.strictSame(scores, scores.toSorted((a, b) => b - a));
  t.ok(data.length <= 10, 'ten if nothing else is said');
  const { score: _, ...action } = data[0]!;
  t.strictSame(action, await client.expect(200, 'getAction', { path: { action: action.name } }));
});

t.test('filters and limit', async (t) => {
  const names = async (body: object) => (await search(body)).data.map(({ name }) => name);
  t.equal((await names({ query: 'list sessions runs', limit: 2 })).length, 2);
  t.strictSame(await names({ query: 'lab item', read_only: false, integration: LAB_SLUG }),
    ['lab.item.delete']);
  t.ok((await search({ query: 'create a session', read_only: true })).data
    .every(({ read_only }) => read_only));
});

t.test('where nothing fits, no strangers are found, and it says what to do', async (t) => {
  const { data, unknown_words, hint } = await search({ query: 'Bake a pizza with mushrooms' });
  t.strictSame([data, unknown_words], [[], ['bake', 'pizza', 'mushrooms']]);
  t.match(hint, /^Nothing fits\. .*other words/);
  t.match(await search({ query: 'of the' }), { data: [], unknown_words: [], hint });
  for (const [filter, told] of [
    [{ read_only: true }, /^Nothing fits within read_only\. .*without that, or/],
    [{ read_only: true, integration: LAB_SLUG }, /within integration and read_only\./],
    [{ integration: 'nix' }, /^No integration "nix" is connected here\./],
  ] as const) {
    t.match(await search({ query: 'delete', ...filter }), { data: [], hint: told });
  }
  const known = await search({ query: 'list my frobnicated sessions' });
  t.equal(known.data[0]!.name, 'gatehouse.sessions.list', 'one strange word is no reason');
  t.match(known, { unknown_words: ['frobnicated'], hint: null });
});

t.test('what a workspace is not connected to is not found by it', async (t) => {
  const other = await otherWorkspace(server);
  const found = await search({ query: 'lab echo' }, other);
  t.notOk(found.data.some(({ integration }) => integration === LAB_SLUG));
});

t.test('limits of the body', async (t) => {
  const bad: [body: unknown, param: string][] = [
    [{}, '/query'], [{ query: '' }, '/query'], [{ query: 'x'.repeat(1001) }, '/query'],
    [{ query: 'x', limit: 0 }, '/limit'], [{ query: 'x', limit: 51 }, '/limit'],
    [{ query: 'x', integration: 'No Slug' }, '/integration'],
    [{ query: 'x', cursor: 'x' }, '/cursor'],
  ];
  for (const [body, param] of bad) {
    t.match(await client.expect(400, 'searchActions', { body }),
      { code: 'invalid_request', param });
  }
});
