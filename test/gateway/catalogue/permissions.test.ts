/** What grants say of an action: which of them match, and which of those holds. */
import t from 'tap';
import { PatternTree } from '../../../src/gateway/action/patterns.ts';
import { Permissions, type Permission } from '../../../src/gateway/catalogue/permissions.ts';
import { describeTool } from '../../../src/gateway/catalogue/tool.ts';
import type { Grant } from '../../../src/store/grants.ts';
import { caller, connection, definition, grant, source, visibleOf } from '../support.ts';

const WRITE = { name: 'acme.notes.create', effect: 'write' as const };
const READ = { name: 'acme.notes.list', effect: 'read' as const };

/** What the grants say of a write, as if they were all that there are. */
function ofWrite(grants: Partial<Grant>[], connection_id: string | null = 'con_1'): Permission {
  return new Permissions(caller, grants.map(grant)).of(WRITE)(connection_id).permission;
}

function matches(pattern: string, name: string): boolean {
  const tree = new PatternTree<true>();
  tree.of(pattern, () => true);
  return tree.matching(name).length > 0;
}

t.test('patterns', async (t) => {
  const names = ['a', 'a.b', 'a.b.c', 'b.a', 'my-api.b'];
  const expected: Record<string, string[]> = {
    '*': names,
    'a.*': ['a.b', 'a.b.c'],
    'a.*.c': ['a.b.c'],
    'a.b.*': ['a.b.c'],
    '*.a': ['b.a'],
    '*.*': ['a.b', 'a.b.c', 'b.a', 'my-api.b'],
    '*.*.*': ['a.b.c'],
    'a.b': ['a.b'],
    'my-api.*': ['my-api.b'],
  };
  for (const [pattern, found] of Object.entries(expected)) {
    t.strictSame(names.filter((name) => matches(pattern, name)), found, pattern);
  }
  const others = { 'a.b': 'axb', 'a.*': 'a', 'a*': 'abc', 'a.b ': 'a.b', b: 'a.b.c' };
  for (const [pattern, name] of Object.entries(others)) {
    t.notOk(matches(pattern, name), `${pattern} is not ${name}`);
  }
});

t.test('many patterns together match as each by itself', async (t) => {
  const all = (depth: number): string[] => depth === 0 ? [''] : all(depth - 1).flatMap((before) =>
    ['a', 'b', '*'].map((part) => before === '' ? part : `${before}.${part}`));
  const patterns = [1, 2, 3, 4].flatMap(all);
  const names = patterns.filter((pattern) => !pattern.includes('*'));
  const tree = new PatternTree<string>();
  for (const pattern of patterns) tree.of(pattern, () => pattern);
  for (const name of names) {
    const expected = patterns.filter((pattern) => new RegExp(`^${pattern
      .replaceAll('.', '\\.').replace(/\*$/, '.+').replace(/\*/g, '[^.]+')}$`).test(name));
    t.strictSame(tree.matching(name).sort(), expected.sort(), name);
  }
  t.equal(tree.of('a.*', () => 'another'), 'a.*', 'each pattern is kept once');
});

t.test('with no grant reading is allowed, and nothing else', async (t) => {
  const none = new Permissions(caller, []);
  t.equal(none.of(READ)('con_1').permission, 'allow');
  for (const effect of ['write', 'destructive'] as const) {
    t.equal(none.of({ ...WRITE, effect })('con_1').permission, 'not_permitted');
  }
  const other = new Permissions(caller, [grant({ actions: 'other.*' })]);
  t.equal(other.of(WRITE)('con_1').permission, 'not_permitted',
    'nor with one for something else');
});

t.test('the most restrictive that matches wins, in whatever order they stand', async (t) => {
  const decisions = ['allow', 'require_approval', 'deny'] as const;
  const worst = (some: readonly Grant['decision'][]) =>
    decisions[Math.max(...some.map((one) => decisions.indexOf(one)))];
  for (const first of decisions) {
    for (const second of decisions) {
      const grants = [{ decision: first, actions: WRITE.name }, { decision: second, actions: '*' }];
      t.equal(ofWrite(grants), worst([first, second]), `${first}, ${second}`);
    }
  }
  const reading = new Permissions(caller, [grant({ decision: 'require_approval' })]);
  t.equal(reading.of(READ)('con_1').permission, 'require_approval',
    'a grant restricts reading, too');
});

t.test('a grant for one api key says nothing of another', async (t) => {
  t.equal(ofWrite([{ api_key_id: caller.api_key_id }]), 'allow');
  t.equal(ofWrite([{ api_key_id: 'key_2' }]), 'not_permitted');
  t.equal(ofWrite([{ api_key_id: 'key_2', decision: 'deny' }, {}]), 'allow');
});

t.test('a grant for one connection says nothing of another, nor of none', async (t) => {
  const grants = [{ connection_id: 'con_1' }];
  t.equal(ofWrite(grants, 'con_1'), 'allow');
  t.equal(ofWrite(grants, 'con_2'), 'not_permitted');
  t.equal(ofWrite(grants, null), 'not_permitted');
  t.equal(ofWrite([{}, { connection_id: 'con_1', decision: 'deny' }], null), 'allow');
});

t.test('an integration of which everything is denied is not named to the agent', async (t) => {
  for (const status of ['connected', 'needs_reconnect'] as const) {
    const told = (actions: string) => describeTool(visibleOf([source([definition()])],
      [connection({ status })], [grant({ actions, decision: 'deny' })])).description;
    t.match(told('slack.*'), 'github (GITHUB)');
    t.notMatch(told('github.*'), /github/i);
  }
});
