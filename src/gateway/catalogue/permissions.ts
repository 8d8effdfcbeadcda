/** What the grants of a workspace say of an action. */
import type { Caller } from '../../caller.ts';
import type { Grant } from '../../store/grants.ts';
import type { Effect } from '../action/action.ts';

/** `not_permitted`: no grant matches, and the action does more than read. */
export type Permission = 'allow' | 'require_approval' | 'not_permitted' | 'deny';

/** From the most restrictive on. */
const ORDER = ['deny', 'require_approval', 'allow'] as const;

/** The grants that hold for one caller now, ready to be asked of many actions. */
export class Permissions {
  readonly #grants: readonly { matches: RegExp; grant: Grant }[];

  /** `grants`: those of the caller's workspace. */
  constructor(caller: Caller, grants: readonly Grant[], now_ms: number) {
    this.#grants = grants
      .filter(({ api_key_id, expires_at }) =>
        (api_key_id === null || api_key_id === caller.api_key_id)
        && (expires_at === null || Date.parse(expires_at) > now_ms))
      .map((grant) => ({ matches: patternOf(grant.actions), grant }));
  }

  /**
   * The most restrictive matching grant decides. Without one, reading is allowed and the rest is
   * not. `connection_id` null: what holds whatever the connection.
   */
  of(action: { name: string; effect: Effect }, connection_id: string | null): Permission {
    return this.#decision(action.name, connection_id)
      ?? (action.effect === 'read' ? 'allow' : 'not_permitted');
  }

  /** Whether the operator has granted the action, be it with an approval of each call. */
  isGranted(name: string, connection_id: string): boolean {
    const decision = this.#decision(name, connection_id);
    return decision === 'allow' || decision === 'require_approval';
  }

  /** Who may use the approval that a call needs: its key alone, unless every grant says more. */
  approvalScope(name: string, connection_id: string): Grant['approval_scope'] {
    return this.#of(name, connection_id)
      .filter(({ decision }) => decision === 'require_approval')
      .every(({ approval_scope }) => approval_scope === 'workspace') ? 'workspace' : 'api_key';
  }

  #decision(name: string, connection_id: string | null): Grant['decision'] | undefined {
    const decisions = new Set(this.#of(name, connection_id).map(({ decision }) => decision));
    return ORDER.find((decision) => decisions.has(decision));
  }

  #of(name: string, connection_id: string | null): Grant[] {
    return this.#grants.filter(({ matches, grant }) => matches.test(name)
      && (grant.connection_id === null || grant.connection_id === connection_id))
      .map(({ grant }) => grant);
  }
}

/** `*` stands for one part of a name, and as the last part for any number of them. */
export function patternOf(pattern: string): RegExp {
  const parts = pattern.split('.');
  const last = parts.length - 1;
  const source = parts.map((part, index) => {
    if (part !== '*') return part.replace(/[^a-z0-9_]/g, '\\$&');
    return index === last ? '.+' : '[^.]+';
  }).join('\\.');
  return new RegExp(`^${source}$`);
}
