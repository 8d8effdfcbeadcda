/**
 * Which description of a tool is in use: the one that an operator accepted. A server may show one
 * to the operator, and another one to the model later. So a changed description is kept as
 * `proposed` until an operator accepts it. If only its words have changed, the tool goes on with
 * the accepted ones, for honest servers put dates and folders into theirs. If its schema or a hint
 * has changed, the tool is quarantined: it would be called otherwise than the server says. One that
 * writes, was gone and is back counts as new: what was granted for it was for what is no more.
 */
import type { ImportedRow, StoredAction } from '../../store/integrations.ts';
import type { McpAction } from '../mcp/integration.ts';
import type { WaitingChange } from './changes.ts';

/**
 * The rows of what a server lists. `keep_shown`: a change that an operator could see already stays
 * as it was shown, even if the server has changed again, so that nobody accepts what they have not
 * seen. `isSetAside`: whether a tool that is new has to be accepted first, too.
 */
export function toolRows(
  actions: readonly McpAction[], stored: readonly StoredAction[], keep_shown: boolean,
  isSetAside: (action: McpAction) => boolean = () => false): ImportedRow[] {
  const known = new Map(stored.map((one) => [one.source_key, one]));
  return actions.map((action) => {
    const before = known.get(action.source_key);
    const is_back = before !== undefined && isGone(before) && action.effect !== 'read';
    if (before !== undefined && !is_back) return changedRow(action, before, keep_shown);
    return is_back || isSetAside(action)
      ? { ...rowOf(action, null), proposed: action, quarantined: true } : rowOf(action, action);
  });
}

function isGone({ removed_at, hidden }: StoredAction): boolean {
  return removed_at !== null && !hidden;
}

function changedRow(action: McpAction, before: StoredAction, keep_shown: boolean): ImportedRow {
  const accepted = before.definition as McpAction | null;
  const same_schema = before.schema_hash === action.schema_hash;
  if (keep_shown && before.proposed !== null) {
    return { ...before, known_key: null, hidden: false,
      quarantined: before.quarantined_at !== null || !same_schema };
  }
  if (accepted === null || !same_schema) {
    return { ...rowOf(action, accepted), schema_hash: before.schema_hash, proposed: action,
      quarantined: true };
  }
  const { title, description } = accepted;
  if (title === action.title && description === action.description) return rowOf(action, action);
  return { ...rowOf(action, { ...action, title, description }), proposed: action };
}

function rowOf(
  { source_key, name, effect, schema_hash }: McpAction, definition: McpAction | null): ImportedRow {
  return { source_key, name, effect, schema_hash, definition, proposed: null, quarantined: false,
    hidden: false, operation_id: null, known_key: null };
}

/** What an operator who accepts takes: all that was set aside, as it was shown. */
export function acceptedTools(stored: readonly StoredAction[]): StoredAction[] {
  return stored.map((one) => {
    if (one.proposed === null) return one;
    const { schema_hash } = one.proposed as McpAction;
    return { ...one, definition: one.proposed, schema_hash, proposed: null, quarantined_at: null };
  });
}

/** The changes of tools that wait for an operator. */
export function waitingTools(rows: readonly ImportedRow[]): WaitingChange[] {
  return rows.filter(({ proposed }) => proposed !== null).map((row) => ({
    name: row.name, source_key: row.source_key, offered: !row.quarantined,
    before: row.definition as McpAction | null, after: row.proposed as McpAction,
  }));
}
