import t from 'tap';
import { projectFields } from '../../../src/gateway/calls/fields.ts';

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

t.test('a path to nowhere adds nothing', async (t) => {
  t.same(projectFields(list, ['nope', 'total.deeper', 'constructor', '__proto__.x']), {});
  t.equal(projectFields('text', ['a']), null);
  t.same(projectFields({ a: null }, ['a']), { a: null }, 'null is a value');
});
