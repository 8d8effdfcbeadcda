import type { ImportedRow, IntegrationRow, StoredAction } from '../../store/integrations.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import type { McpAction } from '../mcp/integration.ts';
import { strictest } from '../openapi/effect.ts';
import type { Draft } from './draft.ts';
import type { MadeImport } from './reported.ts';

type Ruled = IntegrationRow['overrides'][string];

const UNLISTED = 'The server lists its tools only to who has an account. Connect one: then they'
  + ' are listed.';

/** How an account may be connected; `unknown`: why the server's OAuth is not, in a sentence. */
export interface Ways {
  auth_methods: string[];
  unknown: string | null;
}

/**
 * The tools as they are known already, because the server does not say what it has. `refused`: why
 * not, though an account is connected.
 */
export function importUnlisted(
  { title, overrides }: Pick<Draft, 'title' | 'overrides'>, stored: readonly StoredAction[],
  { auth_methods, unknown }: Ways, refused: string | null): MadeImport {
  const rules = new OverrideRules(overrides);
  const rulings = stored.map(({ name, source_key }) =>
    rules.of({ name, source_keys: [source_key] }));
  return {
    title, base_url: null, auth_methods,
    accepted_document: null, waiting: [], rulings,
    left: { is_restricted: false, restricted: [], report: {} },
    rows: stored.flatMap((one, at) => (one.removed_at === null || one.hidden
      ? [knownRow(one, rulings[at]!.override)] : [])),
    report: { operations: 0, imported: 0, skipped: [], warnings: [
      refused === null ? UNLISTED : `The server has not listed its tools. ${refused}`,
      ...unknown === null ? [] : [`Its OAuth cannot be used. ${unknown}`]] },
  };
}

/** What asks for less permission has to wait until the server says what the tool is. */
function knownRow(one: StoredAction, { hidden, effect = 'read' }: Ruled): ImportedRow {
  const definition = one.definition as McpAction | null;
  const stricter = strictest([one.effect, effect]);
  return {
    ...one, known_key: null, quarantined: one.quarantined_at !== null, hidden: hidden === true,
    effect: stricter, definition: definition && { ...definition, effect: stricter },
  };
}
