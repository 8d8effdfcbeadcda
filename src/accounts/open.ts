/** The accounts of a running service: who asks, and for how long that holds. */
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { AccessTokens } from './accessTokens.ts';
import { Authenticator } from './authenticator.ts';
import { DashboardSessions } from './dashboardSessions.ts';
import { KnownWorkspaces } from './knownWorkspaces.ts';
import { Oidc } from './oidc.ts';
import { bothWatches, type Watch } from './openAnswers.ts';
import { checkStorage, keepAddingUp } from './storage.ts';

export interface AccountsOptions {
  sql: Sql;
  config: Config;
  log: Log;
  /** Tells this node and the others that this was revoked, which is committed. */
  announce(id: string): void;
  /** Where people come back to from the identity provider. */
  redirectUri(): string;
  /** What access tokens of the provider are for: the address of the MCP door. */
  resource(): string;
}

export function openAccounts(options: AccountsOptions) {
  const { sql, config, log } = options;
  const credentials = new Authenticator(sql, config, log);
  const authenticateAdmin = credentials.authenticateAdmin.bind(credentials);
  const dashboard = new DashboardSessions({ ...options, authenticateAdmin });
  const oidc = config.oidc_issuer === null ? null : new Oidc({ ...options, sessions: dashboard });
  const noteUse = credentials.noteUse.bind(credentials);
  const accessTokens = oidc && new AccessTokens({ ...options, oidc, noteUse });
  const all = [credentials, dashboard];
  for (const each of all) each.open();
  const adding = keepAddingUp(sql, log);
  return {
    /** What operations need of it. */
    services: {
      dashboard, oidc, accessTokens, authenticateAdmin, workspaces: new KnownWorkspaces(),
      checkStorage: (workspace_id: string) => checkStorage(sql, config, workspace_id),
      authenticate: credentials.authenticate.bind(credentials),
      authenticateDashboard: credentials.authenticateDashboard.bind(credentials),
      reviewKeys: credentials.review.bind(credentials),
      whileValid: (caller: Caller): Watch => bothWatches(credentials.whileValid(caller),
        caller.operator ? dashboard.whileValid(caller.operator) : null),
    },
    revoked(id: string): void {
      for (const each of all) each.revoked(id);
    },
    doubt(): void {
      for (const each of all) each.doubt();
    },
    async close(): Promise<void> {
      await Promise.all([adding, ...all].map((each) => each.close()));
    },
  };
}
