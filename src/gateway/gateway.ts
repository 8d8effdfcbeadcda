/** The gateway: what may be called, by whom, and the one way to call it. */
import { AuditLog, type AuditEvent } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import type { ActionCall, ActionOutcome, CallContext } from './action/outcome.ts';
import { BUILTIN_SLUG } from './builtin/builtin.ts';
import { SELF_SLUG } from './builtin/self.ts';
import { InputValidators } from './calls/inputValidators.ts';
import { invoke } from './calls/invoke.ts';
import type { CredentialSource } from './calls/perform.ts';
import {
  createCatalogue, type Action, type ActionFilter, type ActionSearch, type Catalogue,
  type ScoredAction,
} from './catalogue/catalogue.ts';
import { describeTool, type ToolDescription } from './catalogue/tool.ts';
import type { Registry } from './integrations/registry.ts';

export type { ActionSource } from './action/action.ts';
export type { Action, ActionFilter, ActionSearch, ScoredAction } from './catalogue/catalogue.ts';
export type { ActionCall, ActionOutcome, CallContext, Missing } from './action/outcome.ts';
export type { ToolDescription } from './catalogue/tool.ts';

/** Integrations that every workspace is connected to from its creation. */
export const BUILTIN_SLUGS: readonly string[] = [SELF_SLUG, BUILTIN_SLUG];

export interface Gateway {
  /** What there is to call, as a caller sees it. */
  catalogue: Catalogue;
  /** The actions that the caller may see, sorted by name. */
  listActions(caller: Caller, filter: ActionFilter): Promise<Action[]>;
  /** Those that fit the query, best first; read-only ones first at equal score. */
  searchActions(caller: Caller, request: ActionSearch): Promise<ScoredAction[]>;
  /**
   * Performs one call. Never throws for what a caller can cause: the outcome says it. Records the
   * attempt whatever came of it, and throws if it cannot (`isUnavailable`: try again).
   */
  perform(caller: Caller, call: ActionCall, context: CallContext): Promise<ActionOutcome>;
  /** The one tool that an agent acting for the caller sees. */
  describeTool(caller: Caller): Promise<ToolDescription>;
}

export interface GatewayOptions {
  sql: Sql;
  config: Pick<Config,
    'action_timeout_ms' | 'action_result_limit_bytes' | 'approval_lifetime_s'>;
  log: Log;
  registry: Registry;
  credentials: CredentialSource;
  meters?: Meters;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { sql, config, log, registry, credentials, meters = NO_METERS } = options;
  const catalogue = createCatalogue(sql, (version) => registry.at(version));
  const validators = new InputValidators();
  const entries = new AuditLog(sql);
  const audit = async (event: AuditEvent | null) => {
    if (event !== null) await entries.append(event);
  };
  return {
    catalogue,
    listActions: (caller, filter) => catalogue.list(caller, filter),
    searchActions: (caller, request) => catalogue.search(caller, request),
    perform: (caller, call, context) => invoke(
      { sql, config, log, meters, catalogue, validators, credentials, audit },
      caller, call, context),
    describeTool: async (caller) => describeTool(await catalogue.visible(caller)),
  };
}
