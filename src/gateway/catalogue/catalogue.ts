/** What there is to call, as a caller sees it. */
import type { Schemas } from '../../../generated/types.ts';
import type { Caller } from '../../caller.ts';
import { GatehouseError, RevokedError } from '../../errors.ts';
import { gatherByName } from '../../gather.ts';
import { patiently } from '../../patience.ts';
import { readAccess, type AccessRow } from '../../store/access.ts';
import type { Sql } from '../../store/database.ts';
import { integrationsVersion } from '../../store/integrations.ts';
import { firstNamed } from '../../truncate.ts';
import {
  openIfThere, type ActionDefinition, type ActionSummary,
} from '../action/action.ts';
import type { Embeddings } from '../embeddings/embeddings.ts';
import type { Inventory } from './inventory.ts';
import { PatternTree } from '../action/patterns.ts';
import { rank, type Ranked } from './search.ts';
import { fitOf } from './searchFit.ts';
import type { IndexedAction } from './searchIndex.ts';
import { makeIndexes } from './searchIndexes.ts';
import { readQuery } from './searchQuery.ts';
import { describeTool, type ToolDescription } from './tool.ts';
import { toReconnect, unknownAction } from './unknownAction.ts';
import { VisibleActions, type VisibleAction } from './visibility.ts';

export type Action = Schemas['Action'];
export type ScoredAction = Schemas['ScoredAction'];

export type ActionSearch = Schemas['SearchActionsRequest'];
export type ActionFilter = Pick<ActionSearch, 'integration' | 'read_only'>;

type WholeAction = Schemas['WholeAction'];

/** What a search finds, and what to do if that is nothing. */
export type ActionsFound =
  Pick<Schemas['ScoredActionList'], 'data' | 'unknown_words' | 'hint'>;

const SEARCH_LIMIT = 10;
/** Of an action, which a workspace of thousands of accounts would make a megabyte. */
const CONNECTIONS_TOLD = 100;
/** Integrations that a hint names of those whose accounts have to be reconnected. */
const BROKEN_TOLD = 10;
const NOTHING_FITS = 'Nothing fits. Search once more in other words; if nothing fits then either,'
  + ' no connected integration can do this.';

export class Catalogue {
  readonly #sql: Sql;
  readonly #inventoryAt: (version: number) => Promise<Inventory>;
  readonly #embeddings: Pick<Embeddings, 'near'> | null;
  /** Runs of one key that begin together, or go on, read once. */
  readonly #read = gatherByName(
    ({ workspace_id, api_key_id }: Caller) => `${workspace_id} ${api_key_id}`,
    ({ workspace_id, api_key_id }) => readAccess(this.#sql, workspace_id, api_key_id));

  /**
   * `inventoryAt`: the inventory as of a version of the integrations, or later. `embeddings`: null
   * if search goes by words alone.
   */
  constructor(
    sql: Sql, inventoryAt: (version: number) => Promise<Inventory>,
    embeddings: Pick<Embeddings, 'near'> | null = null) {
    this.#sql = sql;
    this.#inventoryAt = inventoryAt;
    this.#embeddings = embeddings;
  }

  /**
   * Everything that exists for the caller, by name; including integrations not connected. It is
   * read for each list, step and call, so that the next one sees a change: also a revocation.
   * `read`: what was just read. Throws RevokedError if the caller's key is not good any more.
   */
  async visible(caller: Caller, read?: AccessRow): Promise<VisibleActions> {
    const { version, ended, ...access } = read ?? await patiently(this.#read(caller));
    if (ended !== null) throw new RevokedError(ended);
    return new VisibleActions(caller, await this.#inventoryAt(version), access);
  }

  /** So many actions of connected integrations whose names come after this one, by name. */
  async list(
    caller: Caller, { include_schemas, ...filter }: ActionFilter & { include_schemas?: boolean },
    after: string, limit: number): Promise<Action[]> {
    const listed = (await this.visible(caller)).listedAfter(after, fitsTo(filter)).take(limit);
    if (include_schemas !== true) return listed.map(toAction).toArray();
    return (await Promise.all(listed.map(toWholeAction))).filter((one) => one !== undefined);
  }

  /** The action of this name. Throws not_found, with similar ones, if the caller has none. */
  async get(caller: Caller, name: string): Promise<WholeAction> {
    const visible = await this.visible(caller);
    const action = visible.get(name);
    const whole = action && await toWholeAction(action);
    if (whole !== undefined) return whole;
    const { message, suggestions } = await unknownAction(name, visible);
    throw new GatehouseError('not_found', message, { details: { suggestions } });
  }

  /**
   * Those that fit the query, best first; read-only ones first at equal score. None if the query is
   * outside of all that the integrations do.
   */
  async search(caller: Caller, search: ActionSearch): Promise<ActionsFound> {
    const { ranked, ...told } = await this.ranked(caller, search);
    const found = await Promise.all(ranked.map(async ({ action, score }) => {
      const whole = await toWholeAction(action);
      return whole && { ...whole, score };
    }));
    return { ...told, data: found.filter((one) => one !== undefined) };
  }

  /** As `search`, without opening them. */
  async ranked(
    caller: Caller, { query, limit = SEARCH_LIMIT, ...filter }: ActionSearch,
  ): Promise<Omit<ActionsFound, 'data'> & { ranked: Ranked<VisibleAction>[] }> {
    const near = await this.#embeddings?.near(query);
    const visible = await this.visible(caller);
    const fits = fitsTo(filter);
    const connected = [...visible.connected()];
    const sources = connected.filter(({ actions }) => actions.some(fits));
    await makeIndexes(sources);
    const view = (action: IndexedAction) =>
      (fits(action) ? visible.listed(action.name) : undefined);
    const asked = readQuery(query, sources);
    const { unknown_words, is_outside } = fitOf(asked, (action) => view(action) !== undefined);
    const ranked = is_outside ? [] : rank(asked, limit, view, near);
    const hint = ranked.length > 0 ? null
      : hintOn(filter, connected.map(({ integration }) => integration.slug),
        visible.brokenSlugs());
    return { ranked, unknown_words, hint };
  }

  /** The action of this name, whoever may see it; undefined if there is none any more. */
  async find(name: string): Promise<ActionDefinition | undefined> {
    const inventory = await this.#inventoryAt(await integrationsVersion(this.#sql));
    const stocked = inventory.get(name);
    return stocked && await openIfThere(stocked.definition);
  }

  /** The actions that there are for a workspace and that a grant's pattern matches, by name. */
  async matching(workspace_id: string, pattern: string): Promise<ActionSummary[]> {
    const version = await integrationsVersion(this.#sql);
    const tree = new PatternTree<true>();
    tree.of(pattern, () => true);
    // Without the grants of the workspace: actions that one of them denies count, too.
    const all = new VisibleActions({ workspace_id, api_key_id: '', agent: null },
      await this.#inventoryAt(version), { connections: [], grants: [] });
    return [...all.values()].map(({ definition }) => definition)
      .filter(({ name }) => tree.matching(name).length > 0)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The one tool that an agent acting for the caller sees; by `access`, if it was just read. */
  async describeTool(caller: Caller, access?: AccessRow): Promise<ToolDescription> {
    return describeTool(await this.visible(caller, access));
  }
}

function fitsTo({ integration, read_only }: ActionFilter) {
  return (action: IndexedAction) =>
    (integration === undefined || action.integration === integration)
    && (read_only === undefined || (action.effect === 'read') === read_only);
}

/**
 * What to do if nothing is found: a filter may leave out what there is, and so does an account that
 * has to be reconnected.
 */
function hintOn(
  filter: ActionFilter, connected: readonly string[], broken: readonly string[]): string {
  const { integration, read_only } = filter;
  if (integration !== undefined && broken.includes(integration)) {
    return toReconnect(integration);
  }
  if (integration !== undefined && !connected.includes(integration)) {
    return `No integration ${JSON.stringify(integration)} is connected here. Search once more`
      + ' without integration.';
  }
  const filters = [...(integration === undefined ? [] : ['integration']),
    ...(read_only === undefined ? [] : ['read_only'])].join(' and ');
  const told = integration === undefined ? firstNamed(broken, BROKEN_TOLD) : '';
  return (filters === '' ? NOTHING_FITS
    : `Nothing fits within ${filters}. Search once more without that, or in other words.`)
    + (told && ` What has to be reconnected before its actions are found: ${told}.`);
}

/** The wire's form of an action with its schemas; undefined if it was removed just now. */
async function toWholeAction(action: VisibleAction): Promise<WholeAction | undefined> {
  const definition = await openIfThere(action.definition);
  if (definition === undefined) return undefined;
  const { input_schema, output_schema } = definition;
  return { ...toAction(action), input_schema, output_schema };
}

/** The wire's form of an action without its schemas, of which a page would be a megabyte. */
function toAction({ definition, connected }: VisibleAction): Action {
  const { name, integration, title, description, effect } = definition;
  return {
    object: 'action',
    name,
    integration,
    title,
    description,
    read_only: effect === 'read',
    effect,
    connections: connected.slice(0, CONNECTIONS_TOLD)
      .map(({ id, account_label }) => ({ connection_id: id, account_label })),
  };
}
