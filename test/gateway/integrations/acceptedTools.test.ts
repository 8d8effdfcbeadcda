/** What of a server's tools is in use, and what waits, whatever the server does. */
import t from 'tap';
import {
  acceptedTools, toolRows, waitingTools,
} from '../../../src/gateway/integrations/acceptedTools.ts';
import type { McpAction } from '../../../src/gateway/mcp/integration.ts';
import { toActions } from '../../../src/gateway/mcp/toActions.ts';
import type { ImportedRow, StoredAction } from '../../../src/store/integrations.ts';

const tools = (...listed: object[]) => toActions(
  { slug: 's', title: 'S', mcp: { url: 'https://example.com' } },
  listed.map((rest) => ({ name: 'x', inputSchema: { type: 'object' }, ...rest })),
  (text) => text).actions;
const stored = (rows: ImportedRow[], rest: Partial<StoredAction> = {}): StoredAction[] =>
  rows.map(({ quarantined, ...row }) => ({ integration: 's', removed_at: null, missing_since: null,
    former_names: [], former_keys: [],
    quarantined_at: quarantined ? '2026-01-01T00:00:00.000Z' : null, ...row, ...rest }));

const A = tools({ description: 'A' });
const B = tools({ description: 'B' });
const WIDE = tools({ description: 'A', inputSchema: { type: 'object', required: ['all'] } });
const accepted = stored(toolRows(A, [], false));

/** What models read, what waits, and whether the tool is withdrawn. */
function state(rows: ImportedRow[]) {
  const [{ definition, proposed, quarantined }] = rows as [ImportedRow];
  return [(definition as McpAction | null)?.description ?? null,
    (proposed as McpAction | null)?.description ?? null, quarantined];
}

t.test('other words wait, and the tool goes on by the old ones', async (t) => {
  const rows = toolRows(B, accepted, false);
  t.same(state(rows), ['A', 'B', false]);
  t.match(waitingTools(rows), [{ offered: true, before: { description: 'A' },
    after: { description: 'B' } }]);
  t.same(state(toolRows(B, stored(rows), false)), ['A', 'B', false], 'asking again is no yes');
  t.same(state(toolRows(B, acceptedTools(stored(rows)), false)), ['B', null, false]);
  t.same(state(toolRows(A, stored(rows), false)), ['A', null, false], 'as it was is accepted');
});

t.test('a tool that writes, was gone and is back waits for an operator', async (t) => {
  const gone = stored(toolRows(A, [], false), { removed_at: 'then' });
  for (const by_service of [true, false]) {
    const rows = toolRows(A, gone, by_service);
    t.same(state(rows), [null, 'A', true], 'as it was, too');
    t.match(waitingTools(rows), [{ offered: false, before: null, after: { description: 'A' } }]);
    t.same(state(toolRows(A, stored(rows), by_service)), [null, 'A', true], 'asking is no yes');
    t.same(state(toolRows(A, acceptedTools(stored(rows)), false)), ['A', null, false]);
  }
  t.same(state(toolRows(B, stored(toolRows(A, [], false), { removed_at: 'then', hidden: true }),
    false)), ['A', 'B', false], 'what an operator has hidden was not gone');
  const reading = (from: McpAction[]) => from.map((one) => ({ ...one, effect: 'read' as const }));
  const read = stored(toolRows(reading(A), [], false), { removed_at: 'then' });
  t.same(state(toolRows(reading(B), read, false)), ['A', 'B', false], 'one that reads is known');
});

t.test('another schema withdraws the tool, and what was accepted is kept', async (t) => {
  const rows = toolRows(WIDE, accepted, false);
  t.same(state(rows), ['A', 'A', true]);
  t.equal(rows[0]!.schema_hash, A[0]!.schema_hash);
  t.same(state(toolRows(B, stored(rows), false)), ['A', 'B', false],
    'words are compared with those that were accepted, not with those of the meantime');
  const taken = toolRows(WIDE, acceptedTools(stored(rows)), false);
  t.same([...state(taken), taken[0]!.schema_hash], ['A', null, false, WIDE[0]!.schema_hash]);
});

t.test('what is accepted is what was shown', async (t) => {
  const shown = stored(toolRows(B, accepted, false));
  const C = tools({ description: 'C' });
  t.same(state(toolRows(C, acceptedTools(shown), false)), ['B', 'C', false],
    'not what the server says by then');
  t.same(state(toolRows(WIDE, acceptedTools(shown), false)), ['B', 'A', true]);
  for (const now of [A, C]) {
    t.same(state(toolRows(now, shown, true)), ['A', 'B', false],
      'nor does the service replace by itself what an operator may be looking at');
  }
  t.same(state(toolRows(WIDE, shown, true)), ['A', 'B', true], 'but it withdraws the tool');
});
