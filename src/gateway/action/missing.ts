/** The report of what a call lacks: each gap says what, why, and who can supply it. */
import type { ApprovalRow } from '../../store/approvals.ts';
import type { Connection } from '../../store/connections.ts';
import type { ActionDefinition, Integration } from './action.ts';
import type { Missing, Violation } from './outcome.ts';

export function notReadOnly({ name, effect }: ActionDefinition): Missing {
  return {
    code: 'action_not_read_only',
    message: `${name} changes data. Only read-only actions can be called directly; let an agent`
      + ' call it in a run. The operator of this service has to grant that: `gatehouse grants add'
      + ` --actions ${name}\`.`,
    action: name,
    effect,
  };
}

export function notPermitted({ name, effect }: ActionDefinition): Missing {
  return {
    code: 'not_permitted',
    message: `${name} changes data and no grant allows it in this workspace. The operator of this`
      + ` service can grant it: \`gatehouse grants add --actions ${name}\`.`,
    action: name,
    effect,
    grant_needed: { actions: name, decision: 'allow' },
    who_can_grant: 'operator',
  };
}

/** `disabled`: connections that exist and that an operator has switched off. */
export function notConnected(
  { slug, title, auth_methods }: Integration, [disabled]: readonly Connection[]): Missing {
  const name = `the integration ${JSON.stringify(slug)} (${title})`;
  return {
    code: 'not_connected',
    message: disabled === undefined
      ? `The workspace has no connection to ${name}. The operator of this service can connect it:`
        + ` \`gatehouse connections add ${slug}\`.`
      : `The connection ${disabled.id}${accountOf(disabled)} to ${name} is disabled. The operator`
        + ` of this service can enable it: \`gatehouse connections update ${disabled.id}`
        + ' --enable`.',
    integration: slug,
    auth_methods: [...auth_methods ?? []],
    who_can_connect: 'operator',
  };
}

export function needsReconnect(connection: Connection): Missing {
  const { id, integration, account_label, status_reason, updated_at } = connection;
  const reason = status_reason === null ? '' : `: ${status_reason.replace(/\.$/, '')}`;
  return {
    code: 'needs_reconnect',
    message: `The connection ${id}${accountOf(connection)} to ${integration} must be`
      + ` reconnected${reason}. The operator of this service can do that: \`gatehouse connections`
      + ` reconnect ${id}\`.`,
    integration,
    connection_id: id,
    account_label,
    reason: status_reason,
    since: updated_at,
    who_can_reconnect: 'operator',
  };
}

function accountOf({ account_label }: Connection): string {
  return account_label === null ? '' : ` (${account_label})`;
}

export function connectionAmbiguous(integration: string, connections: Connection[]): Missing {
  return {
    code: 'connection_ambiguous',
    message: `The workspace has ${connections.length} connections to ${integration}. Say which one`
      + ' with connection_id.',
    integration,
    connections: connections.map(({ id, account_label }) => ({ connection_id: id, account_label })),
  };
}

/** `alternatives`: actions that only read and may be called at once. */
export function approvalRequired(
  approval: ApprovalRow, alternatives: readonly string[]): Missing {
  const { id, action, effect, connection_id, input, status, reason, expires_at } = approval;
  const why = reason === null ? '' : ` (${reason})`;
  const message = status === 'denied'
    ? `This call of ${action} was denied${why}. Do not repeat it as it is.`
    : `This call of ${action} has to be approved by the operator of this service:`
      + ` \`gatehouse approvals approve ${id}\`. Once it is approved, repeat exactly this call.`;
  return {
    code: 'approval_required',
    message,
    action,
    effect,
    approval_id: id,
    status: status === 'denied' ? 'denied' : 'pending',
    reason,
    call: { action, connection_id, input },
    expires_at,
    read_only_alternatives: [...alternatives],
    who_can_approve: 'operator',
  };
}

/** A call that has to be approved, and no more can be asked for. `most`: that may be pending. */
export function approvalsFull(
  { name, effect }: ActionDefinition, most: number, alternatives: readonly string[]): Missing {
  return {
    code: 'approvals_full',
    message: `This call of ${name} has to be approved, and was not even asked for: ${most} calls of`
      + ' the workspace wait for that already, which is the limit. The operator of this service has'
      + ' to decide some first: `gatehouse approvals list`. Repeating the call before that'
      + ' changes nothing.',
    action: name,
    effect,
    most_pending: most,
    read_only_alternatives: [...alternatives],
    who_can_approve: 'operator',
  };
}

/** What is wrong with an input; nothing if `violations` is empty. */
export interface CheckedInput {
  violations: Violation[];
  /** By path, the part of the schema that the failing field is held to. */
  schema: Record<string, unknown>;
}

/** `name`: the action; null if the call does not even name one. */
export function invalidInput(
  name: string | null, { violations, schema }: CheckedInput): Missing {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return {
    code: 'invalid_input',
    message: `The input of ${name ?? 'the call'} is not valid: ${first!.path} ${first!.message}`
      + `${more}.`,
    violations,
    schema,
  };
}
