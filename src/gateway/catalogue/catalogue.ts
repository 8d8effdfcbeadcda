/** What there is to call, as a caller sees it. */
import type { components } from '../../../generated/types.ts';
import type { Caller } from '../../caller.ts';
import { readAccess } from '../../store/access.ts';
import type { Connection } from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import type { Inventory } from './inventory.ts';
import { patternOf } from './permissions.ts';
import { rank } from './search.ts';
import { describeTool, type ToolDescription } from './tool.ts';
import { VisibleActions, type VisibleAction } from './visibility.ts';

export type Action = components['schemas']['Action'];
export type ScoredAction = components['schemas']['ScoredAction'];

export interface ActionFilter {
  integration?: string;
  read_only?: boolean;
}

export interface ActionSearch extends ActionFilter {
  query: string;
  /** 1 to 50; 10 if it is left out. */
  limit?: number;
}

export interface Catalogue {
  /** Everything that exists for the caller, by name; including integrations not connected. */
  visible(caller: Caller): Promise<VisibleActions>;
  /** The actions of connected integrations, by name. */
  list(caller: Caller, filter: ActionFilter): Promise<Action[]>;
  /** Those that fit the query, best first; read-only ones first at equal score. */
  search(caller: Caller, request: ActionSearch): Promise<ScoredAction[]>;
  /** How many actions there are for a workspace that a grant's pattern matches. */
  matching(workspace_id: string, pattern: string): Promise<number>;
  /** Connections of the caller's workspace to integrations that there are. */
  connections(caller: Caller): Promise<Connection[]>;
  /** The one tool that an agent acting for the caller sees. */
  describeTool(caller: Caller): Promise<ToolDescription>;
}

const SEARCH_LIMIT = 10;

/** `inventoryAt`: the inventory as of a version of the integrations, or later. */
export function createCatalogue(
  sql: Sql, inventoryAt: (version: number) => Promise<Inventory>): Catalogue {
  const visible = async (caller: Caller) => {
    const { version, ...access } = await readAccess(sql, caller.workspace_id);
    return new VisibleActions(caller, await inventoryAt(version), access);
  };

  const listed = async (caller: Caller, { integration, read_only }: ActionFilter) =>
    [...(await visible(caller)).listed()].filter((action) =>
      (integration === undefined || action.integration.slug === integration)
      && (read_only === undefined || (action.definition.effect === 'read') === read_only));

  return {
    visible,
    async list(caller, filter) {
      const actions = (await listed(caller, filter)).map(toAction);
      return actions.sort((a, b) => a.name < b.name ? -1 : 1);
    },
    async search(caller, { query, limit = SEARCH_LIMIT, ...filter }) {
      return rank(await listed(caller, filter), query, limit)
        .map(({ action, score }) => ({ ...toAction(action), score }));
    },
    async matching(workspace_id, pattern) {
      const { version } = await readAccess(sql, workspace_id);
      const matches = patternOf(pattern);
      // Without the grants of the workspace: actions that one of them denies count, too.
      const all = new VisibleActions({ workspace_id, api_key_id: '' }, await inventoryAt(version),
        { connections: [], grants: [] });
      return [...all.values()].filter(({ definition }) => matches.test(definition.name)).length;
    },
    async connections(caller) {
      const { version, connections } = await readAccess(sql, caller.workspace_id);
      const inventory = await inventoryAt(version);
      return connections.filter(({ integration }) => inventory.has(integration));
    },
    describeTool: async (caller) => describeTool(await visible(caller)),
  };
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
