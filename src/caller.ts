/** On whose behalf something is done. Comes from the credential alone, never from arguments. */
export interface Caller {
  workspace_id: string;
  /** The api key; for an agent, the key that created its run. */
  api_key_id: string;
  /** The agent that acts with the key; null: an application does so itself. */
  agent: Agent | null;
  /** Who acts with the key in the dashboard; left out of an application's and an agent's. */
  operator?: Operator;
  /** For whom the key stands, who asks with an access token; left out where the key itself came. */
  person?: string;
}

/** Whoever is signed in to the dashboard may do as much as those before, and more. */
export const DASHBOARD_ROLES = ['viewer', 'operator', 'admin'] as const;
export type DashboardRole = typeof DASHBOARD_ROLES[number];

/** Who operates the service. */
export interface Operator {
  /** As the audit log names them; the admin token of the configuration has no id. */
  actor: { type: 'admin'; id: string | null } | { type: 'person'; id: string };
  /** The session of the dashboard; null: the request came with an admin token itself. */
  session: { id: string; role: DashboardRole } | null;
}

/** An agent, as the service's own actions know it. */
export interface Agent {
  /** The attempt of a run that it acts in; null: it is in no run, and no session is its own. */
  run: { id: string; attempt: number; session_id: string } | null;
  /** Whether it sees its own session alone: so it is unless a grant covers what it calls. */
  confined: boolean;
}

/** Whose sessions, runs and calls a reading shows: a workspace's, or those of one session. */
export interface Scope {
  workspace_id: string;
  /** Null: all sessions of the workspace. */
  session_id: string | null;
}

/** No session has this id. */
const NO_SESSION = '';

/** What the caller may see. */
export function scopeOf({ workspace_id, agent }: Caller): Scope {
  return { workspace_id, session_id: agent?.confined ? agent.run?.session_id ?? NO_SESSION : null };
}

/** The whole workspace: for what is not read on behalf of a caller. */
export function wholeWorkspace(workspace_id: string): Scope {
  return { workspace_id, session_id: null };
}
