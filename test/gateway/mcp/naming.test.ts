import fc from 'fast-check';
import t from 'tap';
import { nameTools } from '../../../src/gateway/mcp/naming.ts';

const names = (tools: string[], taken: string[] = []) =>
  Object.fromEntries(nameTools('s', tools, new Set(taken)));

t.test('names are in snake case below tools', async (t) => {
  t.same(names(['getUser', 'list-issues', 'a.b', 'XMLParse', '日本', '—', 'Üñï tool']), {
    getUser: 's.tools.get_user', 'list-issues': 's.tools.list_issues', 'a.b': 's.tools.a_b',
    XMLParse: 's.tools.xml_parse', 日本: 's.tools.tool_cf2abf0c', '—': 's.tools.tool',
    'Üñï tool': 's.tools.uni_tool',
  });
});

t.test('tools of one name all get another, whatever their order', async (t) => {
  const found = names(['get_user', 'getUser', 'other']);
  t.same(found, { get_user: 's.tools.get_user_bf1e2a', getUser: 's.tools.get_user_e28ebf',
    other: 's.tools.other' });
  t.same(names(['other', 'getUser', 'get_user']), found);
});

t.test('a name that is taken is not given again', async (t) => {
  t.same(names(['getUser'], ['s.tools.get_user']), { getUser: 's.tools.get_user_e28ebf' });
});

t.test('names are unique, bounded and well formed for any tools', async (t) => {
  const tool = fc.oneof(fc.string({ minLength: 1, maxLength: 200 }),
    fc.constantFrom('a', 'A', 'a_', '-a', 'tool', '…', 'x'.repeat(150), 'x'.repeat(151)));
  fc.assert(fc.property(fc.uniqueArray(tool), fc.array(tool), (tools, earlier) => {
    const taken = new Set(nameTools('s', earlier, new Set()).values());
    const found = nameTools('s', tools, taken);
    const given = [...found.values()];
    return found.size === tools.length && new Set(given).size === given.length
      && given.every((name) => !taken.has(name) && /^s\.tools\.[a-z0-9_]{1,165}$/.test(name));
  }));
  t.pass('fast-check found nothing');
});
