import t from 'tap';
import { rank } from '../../../src/gateway/catalogue/search.ts';
import { makeIndexes } from '../../../src/gateway/catalogue/searchIndexes.ts';
import { readQuery } from '../../../src/gateway/catalogue/searchQuery.ts';
import { unknownAction } from '../../../src/gateway/catalogue/unknownAction.ts';
import { turnsDuring } from '../../support/turns.ts';
import { connection, definition, searched, source, visibleOf } from '../support.ts';

const VERBS = ['read', 'delete', 'rename', 'archive'];
const many = () => searched(Array.from({ length: 1_000 }, (_, i) => definition({
  name: `desk.things${i}.${VERBS[i % 4]}`, title: `Thing ${i}`, description: `The ${i}th of all`,
})));

t.test('indexes that are made in steps find what those made at once find', async (t) => {
  const [stepwise, at_once] = [many(), many()];
  const turns = await turnsDuring(makeIndexes([stepwise]));
  t.ok(turns >= 20, `others had ${turns} turns`);
  for (const query of ['rename things7', 'thing 12', 'archiv', 'thinks', 'delet']) {
    const [found, wanted] = [stepwise, at_once].map((source) =>
      rank(readQuery(query, [source]), 20, ({ name }) => name));
    t.ok(found!.length > 0, query);
    t.same(found, wanted, query);
  }
});

t.test('an index is made once, for all who wait for it', async (t) => {
  const alone = await turnsDuring(makeIndexes([many(), many()]));
  const [one, other] = [many(), many()];
  const together = await turnsDuring(Promise.all([
    makeIndexes([one, other]), makeIndexes([other, one])]));
  t.ok(together < 1.5 * alone, `${together} turns for two, ${alone} for one`);
  t.ok(await turnsDuring(makeIndexes([one, other])) <= 1, 'there is nothing left to do');
});

t.test('a name that nothing has makes them in steps, too', async (t) => {
  const visible = visibleOf([source(many().actions.map((action) => definition(action)))],
    [connection()]);
  const turns = await turnsDuring(unknownAction('github.things', visible));
  t.ok(turns >= 20, `others had ${turns} turns`);
});
