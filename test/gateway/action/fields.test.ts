import t from 'tap';
import { projectFields, unknownFields } from '../../../src/gateway/action/fields.ts';

const list = { data: [{ id: 1, user: { name: 'a', mail: 'm' } }, { id: 2, user: null }], total: 2 };

t.test('paths go through lists and keep their length', async (t) => {
  t.same(projectFields(list, ['data.id', 'total']), { data: [{ id: 1 }, { id: 2 }], total: 2 });
  t.same(projectFields(list, ['data.user.name']),
    { data: [{ user: { name: 'a' } }, {}] });
  t.same(projectFields([[{ a: 1, b: 2 }], 3], ['a']), [[{ a: 1 }], null], 'also at the top');
});

t.test('a shorter path takes all, in any order', async (t) => {
  t.same(projectFields(list, ['data.user', 'data.user.name']), projectFields(list, ['data.user']));
  t.same(projectFields(list, ['data.user.name', 'data.user']), projectFields(list, ['data.user']));
});

t.test('fields that the result does not have are named', async (t) => {
  t.same(unknownFields(list, ['data.id', 'data.user.name', 'total']), []);
  t.same(unknownFields(list, ['nope', 'data.nope', 'total.deeper', 'constructor', 'data.user.x']),
    ['nope', 'data.nope', 'total.deeper', 'constructor', 'data.user.x']);
  t.same(unknownFields([{ a: 1 }, { b: 2 }], ['a', 'b', 'c']), ['c'], 'any item will do');
  t.same(unknownFields({ data: [], one: null }, ['data.id', 'one.id']), [], 'nobody can say');
  t.same(unknownFields(null, ['a']), []);
  t.same(unknownFields('text', ['a']), ['a']);
  t.same(unknownFields(Array(200_000).fill({ a: 1 }), ['b', 'a']), [], 'it does not look for ever');
});

t.test('what is null is looked at no more often than the rest', async (t) => {
  let looked = 0;
  const nulls = new Proxy(Array<null>(300_000).fill(null), { get: (list, key, self) => {
    looked++;
    return Reflect.get(list, key, self) as unknown;
  } });
  t.same(unknownFields(nulls, ['a', 'b', 'c']), []);
  t.ok(looked < 250_000, String(looked));
});

t.test('a path to nowhere adds nothing', async (t) => {
  t.same(projectFields(list, ['nope', 'total.deeper', 'constructor', '__proto__.x']), {});
  t.equal(projectFields('text', ['a']), null);
  t.same(projectFields({ a: null }, ['a']), { a: null }, 'null is a value');
});
