/** What operations are given to work with. main.ts makes it; tests make smaller ones. */
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Administration } from '../gateway/integrations/administration.ts';
import type { ConnectionAdministration } from '../gateway/integrations/connections.ts';
import type { Log } from '../log.ts';
import type { Models } from '../models/models.ts';
import type { Runs } from '../runs/lifecycle.ts';
import type { AuditVerification } from '../store/auditEntries.ts';
import type { Sql } from '../store/database.ts';

export interface Services {
  config: Config;
  log: Log;
  sql: Sql;
  runs: Runs;
  gateway: Gateway;
  models: Models;
  /** What operators do with integrations and connections. */
  integrations: Administration;
  connections: ConnectionAdministration;
  /** Aborts as the caller's key is revoked; for answers that stay open. Its reason is the error. */
  whileValid(caller: Caller): { signal: AbortSignal; release(): void };
  /** This key was revoked, or this workspace archived: holds here at once, and elsewhere soon. */
  announceRevoked(id: string): void;
  /**
   * The caller whose api key this is. Throws `invalid_api_key` if it is not a valid one, and what
   * `beforeLookup` throws: it is called before one is looked up that never was valid here.
   */
  authenticate(token: string, beforeLookup: () => void): Promise<Caller>;
  /** The id of this admin token; null for that of the configuration. Throws as the other does. */
  authenticateAdmin(token: string, beforeLookup: () => void): Promise<string | null>;
  /** Walks the audit log and its anchors. Throws `invalid_request` if `anchor` is none. */
  verifyAudit(anchor: string | undefined, limit_ms: number): Promise<AuditVerification>;
  /** Why the service cannot serve now, in short names ("database", "schema"); [] if it can. */
  readiness(): Promise<string[]>;
  /** True for an error that says that the database is away, full or overloaded: it becomes 503. */
  isUnavailable(error: unknown): boolean;
}
