import { readFileSync } from 'node:fs';
import t from 'tap';
import type { ActionDescription } from '../../../src/gateway/action/action.ts';
import { createBuiltinSource } from '../../../src/gateway/builtin/builtin.ts';
import { createSelfSource, readSelfActions } from '../../../src/gateway/builtin/self.ts';
import { rank } from '../../../src/gateway/catalogue/search.ts';
import { readQuery } from '../../../src/gateway/catalogue/searchQuery.ts';
import { soundness } from '../../support/soundness.ts';
import { definition, searched } from '../support.ts';

const self_actions = readSelfActions(JSON.parse(
  readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')));
const never = () => { throw new Error('search performs nothing'); };
const actions: ActionDescription[] = [
  ...createSelfSource(self_actions, never).actions, ...createBuiltinSource(never).actions];
const find = (query: string, among = actions) =>
  rank(readQuery(query, [searched(among)]), 50, (action) => action);

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
});

t.test('nothing fits, nothing is found', async (t) => {
  t.same(find('xyzzy'), []);
  t.same(find('the of my'), []);
  t.same(find('constructor __proto__'), []);
});

const named = (name: string, effect: 'read' | 'write' = 'read', rest: object = {}) =>
  definition({ name, effect, title: name, description: 'x', source_key: 'x', ...rest });

t.test('at equal score reading comes first, then the shorter name', async (t) => {
  const ranked = find('parcel', [named('g.ccc.parcel', 'write'), named('g.bbbb.parcel'),
    named('g.aaa.parcel')]);
  t.same(ranked.map(({ action }) => action.name),
    ['g.aaa.parcel', 'g.bbbb.parcel', 'g.ccc.parcel']);
  t.equal(ranked[0]!.score, ranked[2]!.score);
});

t.test('what is said behind an article, or with an s, is read as elsewhere', async (t) => {
  const first = (query: string, among: ActionDescription[]) => find(query, among)[0]?.action.name;
  const orders = ['get', 'list'].map((verb) =>
    named(`x.orders.${verb}`, 'read', { title: `${verb} orders` }));
  for (const query of ['order details', 'order of James', 'order costs', 'order news']) {
    t.equal(first(query, orders), 'x.orders.get', query);
  }
  const posts = [named('x.messages.send', 'write', { title: 'Send message' }),
    named('x.page.publish', 'write', { title: 'Publish' })];
  t.equal(first('post a post', posts), 'x.page.publish');
  const runs = [named('x.executions.start', 'write', { title: 'Start an execution' })];
  t.equal(first('cancel the run', runs), 'x.executions.start');
});

t.test('a question finds what reads, an order what changes something', async (t) => {
  const actions = [named('g.parcels.track', 'write'), named('g.parcels.trace')];
  const first = (query: string) => find(query, actions)[0]?.action.name;
  t.equal(first('which parcels'), 'g.parcels.trace');
  t.equal(first('show the parcel'), 'g.parcels.trace');
  t.equal(first('move a parcel'), 'g.parcels.track');
});

t.test('a write that reads by its name suits a question, and no order', async (t) => {
  const actions = [named('g.parcels.search', 'write', { title: 'Parcels' }),
    named('g.parcels.list_parcel_labels', 'read', { title: 'Parcels' })];
  const score = (query: string) => find(query, actions)
    .find(({ action }) => action.name === 'g.parcels.search')!.score;
  t.equal(score('query the parcel'), score('take the parcel'));
  t.ok(score('move a parcel') < score('take a parcel'));
  const either = [named('g.parcels.find_or_create', 'write', { title: 'Parcels' })];
  t.equal(find('move a parcel', either)[0]!.score, find('take a parcel', either)[0]!.score);
});

t.test('a noun that is a verb as well asks for no change', async (t) => {
  const reads = (query: string) => readQuery(query, [searched(actions)]).reads;
  t.equal(reads('sales report'), undefined);
  t.equal(reads('report an abuse'), false);
  t.equal(reads('reports'), undefined, 'nobody orders in the plural');
  t.equal(find('runs')[0]!.action.effect, 'read');
  for (const query of ['invites of a team', 'invites I have', 'Reports.', 'runs that failed']) {
    t.equal(reads(query), undefined, query);
  }
  for (const query of ['creates an issue', 'removes member', 'tool that creates webhooks']) {
    t.equal(reads(query), false, query);
  }
  t.equal(reads('book'), false);
  t.equal(reads('please cancel the report'), false);
  for (const query of ['please book a room', 'gatehouse post to the board', 'book a room']) {
    t.equal(reads(query), false, query);
  }
});

t.test('who asks who they are finds what an address calls so', async (t) => {
  for (const source_key of ['GET /me', 'GET /users/@me', 'GET /rest/myself', 'GET /v1/users/me/']) {
    const actions = [named('g.users.get_current', 'read', { source_key }),
      named('g.media.list', 'read', { source_key: 'GET /media/meta' })];
    t.same(find('who am i', actions).map(({ action }) => action.name), ['g.users.get_current']);
  }
});

t.test('what destroys comes first only for who asks for that', async (t) => {
  const actions = [definition({ name: 'g.rules.delete', effect: 'destructive',
    title: 'Delete a firewall', description: 'Firewalls.' }),
    definition({ name: 'g.rules.replace', effect: 'write',
      title: 'Replace rules of a firewall', description: 'Firewalls.' })];
  const first = (query: string) => find(query, actions)[0]?.action.name;
  for (const query of ['open port 443 in the firewall', 'a firewall has dropped a packet']) {
    t.equal(first(query), 'g.rules.replace', query);
  }
  for (const query of ['drop a firewall', 'I want to get rid of that firewall']) {
    t.equal(first(query), 'g.rules.delete', query);
  }
});

t.test('words of a family, of one meaning, and of a phrase find each other', async (t) => {
  const actions = [named('g.invitations.create'), named('g.issues.list'),
    named('g.deployments.restart'), named('g.refunds.make'), named('g.addresses.list')];
  const first = (query: string) => find(query, actions)[0]?.action.name;
  t.equal(first('invite her'), 'g.invitations.create');
  t.equal(first('invited'), 'g.invitations.create');
  t.equal(first('tickets'), 'g.issues.list');
  t.equal(first('rebooting what was deployed'), 'g.deployments.restart');
  t.equal(first('I want my money back'), 'g.refunds.make');
  t.equal(first('address'), 'g.addresses.list');
  t.equal(find('run garbage collection', [...actions, named('g.gc.schedule')])[0]?.action.name,
    'g.gc.schedule');
});

t.test('a word in the title says more than one in the description', async (t) => {
  const actions = [named('g.a.b', 'read', { description: 'Parcels and what else there is.' }),
    named('g.a.c', 'read', { title: 'Parcels' })];
  t.same(find('parcel', actions).map(({ action }) => action.name), ['g.a.c', 'g.a.b']);
});

t.test('rare words count more than frequent ones, and saying little else helps', async (t) => {
  const actions = [named('g.users.list'), named('g.teams.list'), named('g.orgs.list'),
    named('g.gists.remove'), named('g.users.list_gists_of_team')];
  t.equal(find('list gists', actions)[0]?.action.name, 'g.users.list_gists_of_team');
  t.equal(find('list users', actions)[0]?.action.name, 'g.users.list');
});

t.test('a word that is nowhere finds those spelled like it', async (t) => {
  const actions = [named('g.invoices.list'), named('g.customers.list')];
  t.equal(find('invoces', actions)[0]?.action.name, 'g.invoices.list');
  t.same(find('zzz', actions), []);
});

t.test('who names an integration gets its actions first', async (t) => {
  const jira = searched([named('jira.issues.create_issue', 'write', { integration: 'jira' })]);
  const github = searched([named('github.issues.create', 'write', { integration: 'github' })]);
  const first = (query: string) =>
    rank(readQuery(query, [jira, github]), 1, ({ name }) => name)[0]?.action;
  t.equal(first('create a jira issue'), 'jira.issues.create_issue');
  t.equal(first('create a github issue'), 'github.issues.create');
  t.equal(first('create a GitHub issue'), 'github.issues.create', 'as it writes itself');
});

t.test('what may not be seen is not found, though its source is', async (t) => {
  soundness(t, 'a permission exceeded');
  const source = searched([named('g.a.find'), named('g.b.find')]);
  const seen = ({ name }: { name: string }) => name === 'g.b.find' ? name : undefined;
  t.same(rank(readQuery('find', [source]), 1, seen).map(({ action }) => action), ['g.b.find']);
  t.equal(rank(readQuery('find', [source]), 1, ({ name }) => name).length, 1);
  t.same(rank(readQuery('find', []), 10, ({ name }) => name), []);
});

t.test('a query may be anything', async (t) => {
  for (const query of ['', ' ', '…', 'x'.repeat(100_000), 'a b '.repeat(10_000), '\0', 'hasOwn']) {
    t.ok(Array.isArray(find(query)));
  }
});
