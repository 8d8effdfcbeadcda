import { readFileSync } from 'node:fs';
import t from 'tap';
import type { ActionDescription } from '../../src/gateway/action.ts';
import { rank } from '../../src/gateway/search.ts';
import { createBuiltinSource } from '../../src/gateway/sources/builtin.ts';
import { createSelfSource } from '../../src/gateway/sources/self.ts';
import { definition } from './support.ts';

const document = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'));
const never = () => { throw new Error('search performs nothing'); };
const actions: ActionDescription[] = [
  ...createSelfSource(document, never).actions, ...createBuiltinSource(never).actions];
const find = (query: string) => rank(actions, query, (action) => action);

const intents: [query: string, best: string][] = [
  ['list my sessions', 'gatehouse.sessions.list'],
  ['show the latest runs', 'gatehouse.runs.list'],
  ['cancel a run', 'gatehouse.runs.cancel'],
  ['start a run', 'gatehouse.runs.create'],
  ['events of a run', 'gatehouse.runs.stream_events'],
  ['which accounts are connected', 'gateway.connections.list'],
  ['get openapi document', 'gatehouse.description.get_openapi_document'],
  ['gatehouse.session.list', 'gatehouse.sessions.list'],
  ['listRuns', 'gatehouse.runs.list'],
  ['Add a session', 'gatehouse.sessions.create'],
];
for (const [query, best] of intents) {
  t.test(`"${query}" finds ${best}`, async (t) => {
    t.equal(find(query)[0]?.action.name, best);
  });
}

t.test('scores are within 0 and 1 and fall', async (t) => {
  const scores = find('list runs').map(({ score }) => score);
  t.ok(scores.length > 2);
  t.ok(scores.every((score, i) => score > 0 && score <= 1 && score <= (scores[i - 1] ?? 1)));
  t.equal(find('gatehouse.runs.list')[0]?.score, 1, 'a full name is a full hit');
});

t.test('nothing fits, nothing is found', async (t) => {
  t.same(find('xyzzy'), []);
  t.same(find('the of my'), []);
  t.same(find('constructor __proto__'), []);
});

t.test('at equal score reading comes first, then the shorter name', async (t) => {
  const named = (name: string, effect: 'read' | 'write') =>
    definition({ name, effect, title: 'x', description: 'x', source_key: 'x' });
  const ranked = rank([named('g.c.find', 'write'), named('g.b.find', 'read'),
    named('g.a.find', 'read')], 'find', (action) => action);
  t.same(ranked.map(({ action }) => action.name), ['g.a.find', 'g.b.find', 'g.c.find']);
  t.equal(ranked[0]!.score, ranked[2]!.score);
});
