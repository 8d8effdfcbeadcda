/** On whose behalf something is done. Comes from the credential alone, never from arguments. */
export interface Caller {
  workspace_id: string;
  /** The api key; for an agent, the key that created its run. */
  api_key_id: string;
  /** The agent that acts with the key; null: an application does so itself. */
  agent: Agent | null;
}

/** An agent, as the service's own actions know it. */
export interface Agent {
  /** The session of its run. */
  session_id: string;
  /** Whether it sees its own session alone: so it is unless a grant covers what it calls. */
  confined: boolean;
}

/** Whose sessions, runs and calls a reading shows: a workspace's, or those of one session. */
export interface Scope {
  workspace_id: string;
  /** Null: all sessions of the workspace. */
  session_id: string | null;
}

/** What the caller may see. */
export function scopeOf({ workspace_id, agent }: Caller): Scope {
  return { workspace_id, session_id: agent?.confined ? agent.session_id : null };
}

/** The whole workspace: for what is not read on behalf of a caller. */
export function wholeWorkspace(workspace_id: string): Scope {
  return { workspace_id, session_id: null };
}
