/**
 * The one place that says what a caller may see and do. Listing, search, description, suggestions
 * and calls all ask it, so none of them tells more than the others.
 */
import type { Caller } from '../../caller.ts';
import type { Connection } from '../../store/connections.ts';
import type { Grant } from '../../store/grants.ts';
import type { ActionSource, ActionSummary, Integration, SourceAction } from '../action/action.ts';
import type { Inventory } from './inventory.ts';
import { Permissions, type Judgement } from './permissions.ts';

/** An action with what the caller's workspace adds to it. */
export interface VisibleAction {
  definition: SourceAction;
  integration: Integration;
  /** Connections that can be used now. */
  connected: Connection[];
  /** Connections that would be usable if someone reconnected them. */
  broken: Connection[];
  /** Connections that somebody has to consent to yet, and those that an operator has disabled. */
  unused: Connection[];
  /** What holds for a connection. Never `deny`: denied actions do not exist for the caller. */
  judge(connection_id: string | null): Judgement;
}

/** What a workspace has, as the database says at this moment. */
export interface Access {
  connections: readonly Connection[];
  grants: readonly Grant[];
}

/**
 * The actions that exist for a caller. Actions offered to the workspace exist even while their
 * integration is not connected, because a call must be able to report that; lists and searches show
 * those that are `isListed`. Each action is judged when it is asked for: a call asks for one of
 * thousands, a search for those that it has found, a list for those of its page.
 */
export class VisibleActions {
  readonly workspace_id: string;
  readonly #inventory: Inventory;
  readonly #permissions: Permissions;
  readonly #connections: Map<string, Connection[]>;

  constructor(caller: Caller, inventory: Inventory, access: Access) {
    this.#inventory = inventory;
    this.workspace_id = caller.workspace_id;
    this.#permissions = new Permissions(caller, access.grants);
    this.#connections = Map.groupBy(access.connections, ({ integration }) => integration);
  }

  get(name: string): VisibleAction | undefined {
    const action = this.#inventory.get(name);
    return action && this.#offers(action.source.integration)
      ? this.#view(action.definition, action.source) : undefined;
  }

  /** All of them, or those of one integration, in no particular order. */
  *values(slug?: string): Generator<VisibleAction> {
    for (const source of this.#inventory.sources) {
      const { integration } = source;
      if (slug !== undefined && slug !== integration.slug) continue;
      if (this.#offers(integration)) yield* this.#viewsOf(source);
    }
  }

  /**
   * Those of connected integrations whose names come after this one, by name. What does not fit is
   * not even judged.
   */
  *listedAfter(
    name: string, fits: (action: ActionSummary) => boolean): Generator<VisibleAction> {
    for (const { definition, source } of this.#inventory.after(name)) {
      if (!fits(definition) || !this.#isConnected(source)) continue;
      const action = this.#view(definition, source);
      if (action && isListed(action)) yield action;
    }
  }

  /** The action of this name if it is listed. */
  listed(name: string): VisibleAction | undefined {
    const action = this.get(name);
    return action && isListed(action) ? action : undefined;
  }

  /**
   * The integrations with at least one listed action, with all their actions. An integration whose
   * actions are all denied does not exist for the caller either.
   */
  *connected(): Generator<ActionSource> {
    for (const source of this.#inventory.sources) {
      if (this.#isConnected(source) && this.#viewsOf(source).some(isListed)) yield source;
    }
  }

  /** The integrations of which nothing is listed until somebody reconnects an account of them. */
  *broken(): Generator<Integration> {
    for (const source of this.#inventory.sources) {
      const { integration } = source;
      const own = this.#connections.get(integration.slug) ?? [];
      if (!this.#offers(integration)
        || !own.some(({ status }) => status === 'needs_reconnect')) continue;
      if (this.#viewsOf(source).some(isListed)) continue;
      if (this.#viewsOf(source).some(({ broken }) => broken.length > 0)) yield integration;
    }
  }

  /** The slugs of `broken`, sorted. */
  brokenSlugs(): string[] {
    return [...this.broken()].map(({ slug }) => slug).sort();
  }

  /** Connections to integrations of which at least one action exists for the caller, by id. */
  connections(): Connection[] {
    return this.#inventory.sources
      .filter((source) => this.#offers(source.integration)
        && this.#viewsOf(source).some(() => true))
      .flatMap(({ integration }) => this.#connections.get(integration.slug) ?? [])
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #isConnected({ integration }: ActionSource): boolean {
    const own = this.#connections.get(integration.slug);
    return this.#offers(integration) && own !== undefined
      && own.some(({ status }) => status === 'connected');
  }

  *#viewsOf(source: ActionSource): Generator<VisibleAction> {
    for (const definition of source.actions) {
      const action = this.#view(definition, source);
      if (action) yield action;
    }
  }

  #offers({ workspace_ids }: Integration): boolean {
    return workspace_ids == null || workspace_ids.includes(this.workspace_id);
  }

  #view(
    definition: SourceAction, { integration }: ActionSource): VisibleAction | undefined {
    const judge = this.#permissions.of(definition);
    if (judge(null).permission === 'deny') return undefined;
    const own = this.#connections.get(integration.slug) ?? [];
    const usable = own.filter(({ id }) => judge(id).permission !== 'deny');
    // Grants deny every connection.
    if (own.length > 0 && usable.length === 0) return undefined;
    return {
      definition, integration, judge,
      connected: usable.filter(({ status }) => status === 'connected'),
      broken: usable.filter(({ status }) => status === 'needs_reconnect'),
      unused: usable.filter(({ status }) => status === 'pending' || status === 'disabled'),
    };
  }
}

/** Lists, searches and suggestions hold actions of connected integrations alone. */
export function isListed(action: VisibleAction): boolean {
  return action.connected.length > 0;
}
