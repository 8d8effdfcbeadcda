import t from 'tap';
import { toolChanges } from '../../../src/gateway/integrations/toolChanges.ts';
import type { ImportedRow, StoredAction } from '../../../src/store/integrations.ts';

const row = (name: string, rest: Partial<ImportedRow> = {}): ImportedRow => ({
  source_key: name, name: `s.tools.${name}`, effect: 'read', schema_hash: 'h',
  definition: { description: 'as it was', output_schema: undefined }, proposed: null,
  quarantined: false, operation_id: null, hidden: false, known_key: null, ...rest,
});
const stored = (name: string, rest: Partial<StoredAction> = {}): StoredAction => ({
  integration: 's', source_key: name, name: `s.tools.${name}`, effect: 'read', schema_hash: 'h',
  definition: { description: 'as it was' }, proposed: null,
  quarantined_at: null, removed_at: null, operation_id: null, hidden: false, missing_since: null,
  former_names: [], former_keys: [], ...rest,
});
const NONE = { added: [], removed: [], quarantined: [], reworded: [], changed: [] };
const at = '2026-01-01T00:00:00.000Z';

t.test('nothing is different', (t) => {
  t.same(toolChanges([row('a'), row('b', { quarantined: true })],
    [stored('b', { quarantined_at: at }), stored('a'), stored('c', { removed_at: at })]), NONE);
  t.end();
});

t.test('what is new, gone, or back', (t) => {
  t.same(toolChanges([row('new'), row('back')],
    [stored('back', { removed_at: at }), stored('gone')]),
  { ...NONE, added: ['s.tools.new', 's.tools.back'], removed: ['s.tools.gone'] });
  t.end();
});

t.test('what has changed', (t) => {
  t.same(toolChanges([row('schema', { quarantined: true }),
    row('words', { proposed: { description: 'another one' } }),
    row('other words', { proposed: { description: 'yet another one' } }),
    row('effect', { effect: 'write' }), row('accepted', { schema_hash: 'i' }), row('freed')],
  [stored('schema'), stored('words'),
    stored('other words', { proposed: { description: 'another one' } }),
    stored('effect'), stored('accepted'), stored('freed', { quarantined_at: at })]),
  { ...NONE, quarantined: ['s.tools.schema'], reworded: ['s.tools.words'],
    changed: ['other words', 'effect', 'accepted', 'freed'].map((name) => `s.tools.${name}`) });
  t.end();
});
