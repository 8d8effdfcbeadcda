/** What operations are given to work with. src/service.ts makes it; tests make smaller ones. */
import type { DashboardSessions } from '../accounts/dashboardSessions.ts';
import type { KnownWorkspaces } from '../accounts/knownWorkspaces.ts';
import type { AccessTokens } from '../accounts/accessTokens.ts';
import type { Oidc } from '../accounts/oidc.ts';
import type { Caller, Operator } from '../caller.ts';
import type { Config } from '../config.ts';
import type { Administration, ConnectionAdministration, Gateway } from '../gateway/face.ts';
import type { Log } from '../log.ts';
import type { Models } from '../models/models.ts';
import type { Overviews } from '../overview/overviews.ts';
import type { Runs } from '../runs/lifecycle.ts';
import type { Sessions } from '../runs/sessions.ts';
import type { AuditVerification } from '../store/auditEntries.ts';
import type { Sql } from '../store/database.ts';

export interface Services {
  config: Config;
  log: Log;
  sql: Sql;
  runs: Runs;
  sessions: Sessions;
  gateway: Gateway;
  models: Models;
  /** What operators do with integrations and connections. */
  integrations: Administration;
  connections: ConnectionAdministration;
  overviews: Overviews;
  workspaces: KnownWorkspaces;
  /** Throws storage_full if the workspace has stored all that it may. */
  checkStorage(workspace_id: string): Promise<void>;
  /**
   * Aborts as the caller's key is revoked, or their session of the dashboard ends; for answers that
   * stay open. Its reason is the error.
   */
  whileValid(caller: Caller): { signal: AbortSignal; release(): void };
  /** Looks at once whether the keys of answers that stay open are good, and ends the others. */
  reviewKeys(): Promise<void>;
  /**
   * This key or admin token was revoked, or this workspace archived: holds here at once, and
   * elsewhere soon.
   */
  announceRevoked(id: string): void;
  /**
   * The caller whose api key this is. Throws `invalid_api_key` if it is not a valid one, and what
   * `beforeLookup` throws: it is called before one is looked up that never was valid here.
   */
  authenticate(token: string, beforeLookup: () => void): Promise<Caller>;
  /** The id of this admin token; null for that of the configuration. Throws as the other does. */
  authenticateAdmin(token: string, beforeLookup: () => void): Promise<string | null>;
  /** Who is signed in to the dashboard, and how they come in. */
  dashboard: DashboardSessions;
  /** Signing in by an identity provider; null if none is configured. */
  oidc: Oidc | null;
  /** Access tokens of that provider; null likewise. */
  accessTokens: AccessTokens | null;
  /** As whom the dashboard asks for something of a workspace. Throws `invalid_request`. */
  authenticateDashboard(workspace_id: string, operator: Operator): Promise<Caller>;
  /** Where browsers find this service: GATEHOUSE_PUBLIC_URL, or where it listens. */
  publicUrl(): string;
  /** Walks the audit log and its anchors. Throws `invalid_request` if `anchor` is none. */
  verifyAudit(anchor: string | undefined, limit_ms: number): Promise<AuditVerification>;
  /** Why the service cannot serve now, in short names ("database", "schema"); [] if it can. */
  readiness(): Promise<string[]>;
  /** True for an error that says that the database is away, full or overloaded: it becomes 503. */
  isUnavailable(error: unknown): boolean;
  /** True for one of those that says that the workspace itself has asked for too much. */
  isShareUsedUp(error: unknown): boolean;
  /** True if what was asked for may have been done nevertheless. */
  isInDoubt(error: unknown): boolean;
}
