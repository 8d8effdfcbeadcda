/** A call on its way: it is planned, cleared to leave, performed and recorded. */
import type { AuditLog } from '../../audit/audit.ts';
import type { Caller } from '../../caller.ts';
import type { Config } from '../../config.ts';
import type { JsonObject } from '../../json.ts';
import type { Log } from '../../log.ts';
import type { NewActionInvocation } from '../../store/actionInvocations.ts';
import type { Sql } from '../../store/database.ts';
import type { Grant } from '../../store/grants.ts';
import type { RunOfWorker } from '../../store/runs.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import type { ActionDefinition, Integration, PerformRequest } from '../action/action.ts';
import type { ActionCall, CallContext, Outcome } from '../action/outcome.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { VisibleActions } from '../catalogue/visibility.ts';
import type { CredentialSource } from '../credentials/withCredentials.ts';
import type { Departure } from '../egress/departure.ts';
import type { InputValidators } from './inputValidators.ts';

/** How large an input or a result is, is counted no further. */
export const LARGE_CHARS = 65_536;

/** What every call needs of the service. */
export interface CallServices {
  sql: Sql;
  config: Pick<Config, 'action_timeout_ms' | 'action_result_limit_bytes' | 'approval_lifetime_s'
    | 'pending_approvals' | 'key_pending_approvals'>;
  audit: AuditLog;
  log: Log;
  meters: Meters;
  catalogue: Catalogue;
  validators: InputValidators;
  credentials: CredentialSource;
  /** Whether this attempt of a run may still act, for calls of it that are about to leave. */
  isExecuting: (run: RunOfWorker) => Promise<boolean>;
  /** Records an attempt as insertInvocation does; the other one, a write that has left. */
  record: (invocation: NewActionInvocation) => Promise<boolean>;
  recordWrite: CallServices['record'];
}

/** A call as it is asked for. */
export interface CallRequest {
  caller: Caller;
  call: ActionCall;
  context: CallContext;
  visible: VisibleActions;
  /** The attempt that this is. */
  invocation_id: string;
  /** Whether it may leave, and whether anything of it has. */
  departure: Departure;
  /** When it was asked for, by `performance.now()`. */
  since_ms: number;
}

/** A call that lacks nothing. */
export interface PlannedCall {
  definition: ActionDefinition;
  integration: Integration;
  /** The input as the action takes it, and as it is recorded. */
  input: JsonObject;
  /** What is performed: its input may be that of a later page. */
  request: Pick<PerformRequest, 'input' | 'source_cursor' | 'connection'>;
  /** Which page is asked for, as the caller says it; null: the first. */
  cursor: string | null;
  /** Who may use the approval that exactly this call needs first; null: it needs none. */
  approval_scope: Grant['approval_scope'] | null;
  /** Whether a grant covers the action: an agent then sees more than its own session by it. */
  granted: boolean;
  /** What to keep of the result; null: all. */
  fields: string[] | null;
}

/** How far a call got, and what came of it. */
export interface Attempt {
  /** Null if it lacked something. */
  plan: PlannedCall | null;
  outcome: Outcome;
}
