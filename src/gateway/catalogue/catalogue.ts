/** What there is to call, as a caller sees it. */
import type { components } from '../../../generated/types.ts';
import type { Caller } from '../../caller.ts';
import { RevokedError } from '../../errors.ts';
import { readAccess, type AccessRow } from '../../store/access.ts';
import type { Connection } from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import type { Inventory } from './inventory.ts';
import { PatternTree } from './patterns.ts';
import { rank } from './search.ts';
import type { IndexedAction } from './searchIndex.ts';
import { describeTool, type ToolDescription } from './tool.ts';
import { VisibleActions, type VisibleAction } from './visibility.ts';

export type Action = components['schemas']['Action'];
export type ScoredAction = components['schemas']['ScoredAction'];

export type ActionSearch = components['schemas']['SearchActionsRequest'];
export type ActionFilter = Pick<ActionSearch, 'integration' | 'read_only'>;

const SEARCH_LIMIT = 10;

export class Catalogue {
  readonly #sql: Sql;
  readonly #inventoryAt: (version: number) => Promise<Inventory>;

  /** `inventoryAt`: the inventory as of a version of the integrations, or later. */
  constructor(sql: Sql, inventoryAt: (version: number) => Promise<Inventory>) {
    this.#sql = sql;
    this.#inventoryAt = inventoryAt;
  }

  /**
   * Everything that exists for the caller, by name; including integrations not connected. Throws
   * RevokedError if the caller's key is not good any more.
   */
  async visible(caller: Caller): Promise<VisibleActions> {
    const { version, ...access } = await this.#access(caller);
    return new VisibleActions(caller, await this.#inventoryAt(version), access);
  }

  /** So many actions of connected integrations whose names come after this one, by name. */
  async list(
    caller: Caller, filter: ActionFilter, after: string, limit: number): Promise<Action[]> {
    return (await this.visible(caller)).listedAfter(after, fitsTo(filter))
      .take(limit).map(toAction).toArray();
  }

  /** Those that fit the query, best first; read-only ones first at equal score. */
  async search(
    caller: Caller, { query, limit = SEARCH_LIMIT, ...filter }: ActionSearch,
  ): Promise<ScoredAction[]> {
    const visible = await this.visible(caller);
    const fits = fitsTo(filter);
    const sources = visible.connected().map(({ actions }) => actions)
      .filter((actions) => actions.some(fits));
    return rank(sources, query, limit,
      (action) => fits(action) ? visible.listed(action.name) : undefined)
      .map(({ action, score }) => ({ ...toAction(action), score }));
  }

  /** How many actions there are for a workspace that a grant's pattern matches. */
  async matching(workspace_id: string, pattern: string): Promise<number> {
    const { version } = await readAccess(this.#sql, workspace_id, '');
    const tree = new PatternTree<true>();
    tree.of(pattern, () => true);
    // Without the grants of the workspace: actions that one of them denies count, too.
    const all = new VisibleActions({ workspace_id, api_key_id: '', agent: null },
      await this.#inventoryAt(version), { connections: [], grants: [] });
    return [...all.values()]
      .filter(({ definition }) => tree.matching(definition.name).length > 0).length;
  }

  /** Connections of the caller's workspace to integrations that exist for the caller. */
  async connections(caller: Caller): Promise<Connection[]> {
    return (await this.visible(caller)).connections();
  }

  /** The one tool that an agent acting for the caller sees. */
  async describeTool(caller: Caller): Promise<ToolDescription> {
    return describeTool(await this.visible(caller));
  }

  /** Read for each list, step and call, so that the next one sees a change: also a revocation. */
  async #access({ workspace_id, api_key_id }: Caller): Promise<AccessRow> {
    const access = await readAccess(this.#sql, workspace_id, api_key_id);
    if (access.ended !== null) throw new RevokedError(access.ended);
    return access;
  }
}

function fitsTo({ integration, read_only }: ActionFilter) {
  return (action: IndexedAction) =>
    (integration === undefined || action.integration === integration)
    && (read_only === undefined || (action.effect === 'read') === read_only);
}

/** The wire's form of an action. */
export function toAction({ definition, connected }: VisibleAction): Action {
  const { name, integration, title, description, effect, input_schema, output_schema } = definition;
  return {
    object: 'action',
    name,
    integration,
    title,
    description,
    read_only: effect === 'read',
    effect,
    input_schema,
    output_schema,
    connections: connected.map(({ id, account_label }) => ({ connection_id: id, account_label })),
  };
}
