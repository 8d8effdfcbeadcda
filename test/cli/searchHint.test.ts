/** What the command line asks a search for, and says of one that finds nothing. */
import t from 'tap';
import { against } from './operator.ts';
import { json } from './support.ts';

t.test('actions search: what to do where nothing fits', async (t) => {
  let hint: string | null = 'Nothing fits. Search once more.';
  const { call, requests } = await against(t, (_request, response) =>
    json(response, 200, { object: 'list', data: [], unknown_words: ['pizza'], hint }));
  const nothing = await call('actions', 'search', 'bake', 'a', 'pizza');
  t.strictSame([nothing.code, nothing.err], [0, `There are no such actions.\n${hint}\n`]);
  const asJson = await call('actions', 'search', 'bake', 'a', 'pizza', '--json');
  t.match(JSON.parse(asJson.out), { hint, unknown_words: ['pizza'] });
  t.equal(asJson.err, '', 'for programs it is in the answer');
  await call('actions', 'search', 'bake', '--integration', 'oven', '--read-only', '--limit', '3');
  t.same(requests.at(-1)!.body,
    { query: 'bake', integration: 'oven', read_only: true, limit: 3 });
  hint = null;
  t.equal((await call('actions', 'search', 'list')).err, 'There are no such actions.\n');
});
