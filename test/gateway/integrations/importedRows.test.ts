/** What is stored of an import: hidden tools, keys that two claim, overrides that follow. */
import t from 'tap';
import {
  followingOverrides, operationRows,
} from '../../../src/gateway/integrations/operationRows.ts';
import { importUnlisted } from '../../../src/gateway/integrations/unlisted.ts';
import { inUse } from '../../../src/gateway/openapi/acceptedDocument.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { knownOperations } from '../../../src/gateway/openapi/openapiSource.ts';
import type { StoredAction } from '../../../src/store/integrations.ts';

const stored = (source_key: string, rest: Partial<StoredAction> = {}): StoredAction => ({
  integration: 's', source_key, name: `s.tools.${source_key}`, effect: 'read', schema_hash: 'h',
  definition: { effect: 'read' }, proposed: null, quarantined_at: null, removed_at: null,
  operation_id: null, hidden: false, missing_since: null, former_names: [], former_keys: [],
  ...rest,
});

const WAYS = { auth_methods: ['none'], unknown: null };

t.test('hiding, showing and restricting hold while a server does not list its tools', async (t) => {
  const { rows } = importUnlisted({ title: 'S', overrides: {
    hide: { hidden: true }, strict: { effect: 'destructive' }, loose: { effect: 'read' } } }, [
    stored('hide'), stored('show', { hidden: true, removed_at: 'then' }), stored('strict'),
    stored('loose', { effect: 'write', definition: { effect: 'write' } }),
    stored('gone', { removed_at: 'then' })], WAYS, null);
  t.strictSame(rows.map(({ source_key, hidden, effect, definition }) =>
    [source_key, hidden, effect, definition]), [
    ['hide', true, 'read', { effect: 'read' }], ['show', false, 'read', { effect: 'read' }],
    ['strict', false, 'destructive', { effect: 'destructive' }],
    ['loose', false, 'write', { effect: 'write' }]]);
});

t.test('an override goes along, whatever its tool is called', async (t) => {
  const overrides = JSON.parse('{"__proto__": {"hidden": true}, "GET /a": {"effect": "write"}}');
  const [row] = importUnlisted({ title: 'S', overrides: {} }, [stored('GET /b')], WAYS, null).rows;
  t.equal(JSON.stringify(followingOverrides(overrides, [{ ...row!, known_key: 'GET /a' }])),
    '{"__proto__":{"hidden":true},"GET /b":{"effect":"write"}}');
});

const importOf = (paths: Record<string, object>, all: readonly StoredAction[]) =>
  importOpenapi({ openapi: '3.1.0', paths }, { slug: 's', known: knownOperations(all) });
const op = (operationId: string, summary = '') => ({ operationId, summary, responses: {} });

t.test('what is new where another one goes on has no row before it is accepted', async (t) => {
  const all = [stored('GET /r', { name: 's.p.a', operation_id: 'a' })];
  const accepted = importOf({ '/p': { get: op('a') } }, all).actions;
  const now = importOf({ '/r/delete': { get: op('a') }, '/p': { get: op('c') } }, all);
  const used = inUse(now.actions, accepted);
  t.equal(used.held.length, 1);
  const { rows, waiting } = operationRows(
    { used, hidden: [], accepted, stored: all, new_waits: false,
      reachesRestricted: () => false });
  t.match(rows, [{ source_key: 'GET /p', known_key: 'GET /r', name: 's.p.a' }]);
  t.equal(rows.length, 1);
  t.match(waiting.find(({ before }) => before === null), { source_key: 'GET /p', offered: false });
});

t.test('nothing gets a name that another one had before it was renamed', async (t) => {
  const paths = { '/pets': { get: op('listPets') } };
  const [first] = importOf(paths, []).actions;
  const renamed = stored('GET /animals', { name: 's.animals.list', former_names: [first!.name] });
  t.not(importOf(paths, [renamed]).actions[0]!.name, first!.name);
});
