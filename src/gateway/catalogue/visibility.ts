/**
 * The one place that says what a caller may see and do. Listing, search, description, suggestions
 * and calls all ask it, so none of them tells more than the others.
 */
import type { Caller } from '../../caller.ts';
import type { Connection } from '../../store/connections.ts';
import type { Grant } from '../../store/grants.ts';
import type { ActionDefinition, ActionSource, Integration } from '../action/action.ts';
import type { Inventory } from './inventory.ts';
import { Permissions, type Permission } from './permissions.ts';

/** An action with what the caller's workspace adds to it. */
export interface VisibleAction {
  definition: ActionDefinition;
  /** The actions of its source: the list that is searched. */
  source: readonly ActionDefinition[];
  integration: Integration;
  /** Connections that can be used now. */
  connected: Connection[];
  /** Connections that would be usable if someone reconnected them. */
  broken: Connection[];
  /** Connections that an operator has switched off. */
  disabled: Connection[];
  /** Never `deny`: denied actions do not exist for the caller. */
  permission(connection_id: string | null): Permission;
  /** Whether a grant covers it, and not only that reading needs none. */
  isGranted(connection_id: string): boolean;
  /** Who may use an approval of its calls. */
  approvalScope(connection_id: string): Grant['approval_scope'];
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
 * thousands.
 */
export class VisibleActions {
  readonly #inventory: Inventory;
  readonly #workspace_id: string;
  readonly #permissions: Permissions;
  readonly #connections: Map<string, Connection[]>;

  constructor(caller: Caller, inventory: Inventory, access: Access, now_ms = Date.now()) {
    this.#inventory = inventory;
    this.#workspace_id = caller.workspace_id;
    this.#permissions = new Permissions(caller, access.grants, now_ms);
    this.#connections = Map.groupBy(access.connections, ({ integration }) => integration);
  }

  get(name: string): VisibleAction | undefined {
    const action = this.#inventory.get(name);
    return action && this.#offers(action.source.integration)
      ? this.#view(action.definition, action.source) : undefined;
  }

  /** All of them, in no particular order. */
  *values(): Generator<VisibleAction> {
    for (const source of this.#inventory.sources) {
      if (this.#offers(source.integration)) yield* this.#viewsOf(source);
    }
  }

  /** Those of connected integrations. */
  *listed(): Generator<VisibleAction> {
    for (const source of this.connected()) yield* this.#viewsOf(source).filter(isListed);
  }

  /**
   * The integrations with at least one listed action, with all their actions. An integration whose
   * actions are all denied does not exist for the caller either.
   */
  *connected(): Generator<ActionSource> {
    for (const source of this.#inventory.sources) {
      const own = this.#connections.get(source.integration.slug);
      if (!this.#offers(source.integration)) continue;
      if (!own?.some(({ status }) => status === 'connected')) continue;
      if (this.#viewsOf(source).some(isListed)) yield source;
    }
  }

  *#viewsOf(source: ActionSource): Generator<VisibleAction> {
    for (const definition of source.actions) {
      const action = this.#view(definition, source);
      if (action) yield action;
    }
  }

  #offers({ workspace_ids }: Integration): boolean {
    return workspace_ids == null || workspace_ids.includes(this.#workspace_id);
  }

  #view(
    definition: ActionDefinition, { integration, actions }: ActionSource,
  ): VisibleAction | undefined {
    const permission = (connection_id: string | null) =>
      this.#permissions.of(definition, connection_id);
    if (permission(null) === 'deny') return undefined;
    const own = this.#connections.get(integration.slug) ?? [];
    const usable = own.filter(({ id }) => permission(id) !== 'deny');
    // Grants deny every connection.
    if (own.length > 0 && usable.length === 0) return undefined;
    return {
      definition, source: actions, integration, permission,
      isGranted: (connection_id) =>
        this.#permissions.isGranted(definition.name, connection_id),
      approvalScope: (connection_id) =>
        this.#permissions.approvalScope(definition.name, connection_id),
      connected: usable.filter(({ status }) => status === 'connected'),
      broken: usable.filter(({ status }) => status === 'needs_reconnect'),
      disabled: usable.filter(({ status }) => status === 'disabled'),
    };
  }
}

/** Lists, searches and suggestions hold actions of connected integrations alone. */
export function isListed(action: VisibleAction): boolean {
  return action.connected.length > 0;
}
