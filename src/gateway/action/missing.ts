/** The report of what a call lacks: each gap says what, why, and who can supply it. */
import type { ApprovalRow, PendingLimit } from '../../store/approvals.ts';
import type { Connection } from '../../store/connections.ts';
import { firstNamed } from '../../truncate.ts';
import type { ActionDescription, ActionSummary, Integration, NeededScheme } from './action.ts';
import { MAY_HAVE_TAKEN_EFFECT, type Missing, type Question, type Violation } from './outcome.ts';

const CONNECTIONS_SHOWN = 10;
/** A workspace may have thousands, and each such call is recorded. */
const CONNECTIONS_LISTED = 100;

/** What is missing, as one error: the first gap names it, and each says what it is. */
export function errorOfMissing(missing: readonly Missing[]) {
  return { code: missing[0]!.code, message: missing.map(({ message }) => message).join(' ') };
}

type Unread = Pick<ActionDescription, 'name' | 'integration' | 'effect' | 'said_to_read'>;

/** `granted`: agents may call it already, perhaps with an approval. */
export function notReadOnly(
  action: Unread, granted: boolean, workspace_id: string): Missing {
  const { name, effect } = action;
  return {
    code: 'action_not_read_only',
    message: `${name} ${whatItDoes(action)}. Only read-only actions can be called directly; let an`
      + ` agent call it in a run${granted ? ', as a grant allows.'
        : `. The operator of this service has to grant that: ${howToGrant(name, workspace_id)}${
          orOverride(action)}.`}`,
    action: name,
    effect,
  };
}

export function notPermitted(action: Unread, workspace_id: string): Missing {
  const { name, effect } = action;
  return {
    code: 'not_permitted',
    message: `${name} ${whatItDoes(action)} and no grant allows it in this workspace. The operator`
      + ` of this service can grant it: ${howToGrant(name, workspace_id)}${orOverride(action)}.`,
    action: name,
    effect,
    grant_needed: { actions: name, decision: 'allow' },
    who_can_grant: 'operator',
  };
}

function whatItDoes({ said_to_read }: Unread): string {
  return said_to_read === true
    ? 'counts as changing data (its server says that it only reads, and is not trusted in that)'
    : 'changes data';
}

/**
 * For this tool alone: an untrusted server must not lead anybody to trust it in all. By the name of
 * the action, as a tool may be called `*`, which as an override is every one.
 */
function orOverride({ name, integration, said_to_read }: Unread): string {
  return said_to_read === true ? ', or, knowing that it only reads, say so: `gatehouse integrations'
    + ` update ${integration} --effect ${name}=read\`` : '';
}

/** The workspace is named because an operator's own may be another one. */
function howToGrant(name: string, workspace_id: string): string {
  return `\`gatehouse grants add --actions ${name} --workspace ${workspace_id}\``;
}

/** `unused`: connections that exist and are pending or disabled. */
export function notConnected(
  { slug, title, auth_methods, needed_together = [] }: Integration,
  [unused]: readonly Connection[], workspace_id: string): Missing {
  const together = needed_together.map(({ name, type, placement }) =>
    ({ scheme: name, type, ...placement }));
  const needed = needed_together.map(schemeInWords).join(', ');
  const name = `the integration ${JSON.stringify(slug)} (${title})`;
  return {
    code: 'not_connected',
    message: unused === undefined
      ? `The workspace has no connection to ${name}. The operator of this service can connect it:`
        + ` \`gatehouse connections add ${slug} --workspace ${workspace_id}\`.${
          needed === '' ? '' : ` It needs these credentials together: ${needed}.`}`
      : `The connection ${unused.id}${accountOf(unused)} to ${name} is ${unused.status}. The`
        + ` operator of this service can ${howToUse(unused)}`,
    integration: slug,
    auth_methods: [...auth_methods ?? []],
    ...(together.length > 0 && { needed_together: together }),
    who_can_connect: 'operator',
  };
}

/** What an operator does about a connection that is pending or disabled; ends the sentence. */
function howToUse({ id, status }: Pick<Connection, 'id' | 'status'>): string {
  return status === 'pending'
    ? `have somebody consent to it: \`gatehouse connections reconnect ${id}\`.`
    : `enable it: \`gatehouse connections update ${id} --enable\`.`;
}

/** `key (header X-Key)`, `token (bearer)`. */
export function schemeInWords({ name, type, placement }: NeededScheme): string {
  return `${name} (${placement === undefined ? type : `${placement.in} ${placement.name}`})`;
}

export function needsReconnect(connection: Connection): Missing {
  const { id, integration, account_label, status_reason } = connection;
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
    who_can_reconnect: 'operator',
  };
}

function accountOf({ account_label }: Connection): string {
  return account_label === null ? '' : ` (${account_label})`;
}

/** `connections`: those that there are; never none. */
export function unknownConnection(
  integration: string, connections: readonly Connection[]): Violation {
  const named = connections.map((connection) => `${connection.id}${accountOf(connection)}`);
  return {
    path: '/connection_id',
    message: `names no connection of the workspace to ${integration} that can be used; there`
      + ` ${connections.length === 1 ? 'is' : 'are'} ${
        firstNamed(named, CONNECTIONS_SHOWN)}`,
  };
}

export function connectionAmbiguous(
  integration: string, connections: readonly Connection[]): Missing {
  const listed = connections.slice(0, CONNECTIONS_LISTED);
  return {
    code: 'connection_ambiguous',
    message: `The workspace has ${connections.length} connections to ${integration}. Say which one`
      + ` with connection_id.${listed.length === connections.length ? ''
        : ` The first ${listed.length} are named here; gateway.connections.list finds one by its`
          + ' account.'}`,
    integration,
    connections: listed.map(({ id, account_label }) => ({ connection_id: id, account_label })),
  };
}

/** `alternatives`: actions that only read and may be called at once. */
export function approvalRequired(
  approval: ApprovalRow, alternatives: readonly string[]): Missing {
  const { id, action, effect, connection_id, input, status, reason, expires_at } = approval;
  const why = reason === null ? '' : ` (${reason})`;
  const message = status === 'denied'
    ? `This call of ${action} was denied${why}. That stands until ${expires_at}. Do not repeat it`
      + ' before then; afterwards it can be asked for again.'
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

/** A call that has to be approved, and no more can be asked for by that limit. */
export function approvalsFull(
  { name, effect }: ActionSummary, { of, most_pending }: PendingLimit,
  alternatives: readonly string[]): Missing {
  return {
    code: 'approvals_full',
    message: `This call of ${name} has to be approved, and was not even asked for: ${most_pending}`
      + ` calls of ${of === 'workspace' ? 'the workspace' : 'this api key'} wait for that already,`
      + ' which is the limit. The operator of this service has to decide some first: `gatehouse'
      + ' approvals list`. Repeating the call before that changes nothing.',
    action: name,
    effect,
    most_pending: most_pending!,
    read_only_alternatives: [...alternatives],
    who_can_approve: 'operator',
  };
}

/** `answer`: what the other system said once it was told that nobody answers. */
export function answerRequired(
  { name, integration, effect }: Pick<ActionSummary, 'name' | 'integration' | 'effect'>,
  title: string,
  { questions, message: answer, went_on }: {
    questions: Question[]; message: string; went_on: boolean;
  }): Missing {
  const asked = questions.map((one) => (one.mode === 'form' ? JSON.stringify(one.message)
    : `${JSON.stringify(one.message)} at ${one.url ?? 'an address that is not shown'}`)).join('; ');
  const opened = questions.some(({ mode }) => mode === 'url')
    ? ' Once a person has opened that address and done what it asks for, repeat the call.'
    : ' Give what it asks for with the call, if its input takes that; nobody is asked here.';
  const changed = effect === 'read' ? '' : went_on
    ? ` It does not say that the call failed. ${MAY_HAVE_TAKEN_EFFECT}`
    : ' It says that the call failed.';
  return {
    code: 'answer_required',
    message: `${title} asks a person before it goes on: ${asked}. It was told that nobody`
      + ` answers, and what it did then is in answer.${changed}${opened}`,
    action: name,
    integration,
    questions,
    answer,
    who_can_answer: 'person',
  };
}

/** What is wrong with an input; nothing if `violations` is empty. */
export interface CheckedInput {
  violations: Violation[];
  /** By path, the part of the schema that the failing field is held to; none: no schema says it. */
  schema?: Record<string, unknown>;
}

/** `name`: the action; null if the call does not even name one. */
export function invalidInput(
  name: string | null, { violations, schema = {} }: CheckedInput): Missing {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return {
    code: 'invalid_input',
    message: `The input of ${name ?? 'the call'} is not valid:`
      + `${first!.path && ` ${first!.path}`} ${first!.message}${more}.`,
    violations,
    schema,
  };
}

/** The gap for whoever gives the input by itself, with no call around it. */
export function ofInputAlone(name: string, gap: Missing): Missing {
  if (gap.code !== 'invalid_input') return gap;
  const inside = (path: string) => path.replace(/^\/input(?=\/|$)/, '');
  return invalidInput(name, {
    violations: gap.violations.map(({ path, message }) => ({ path: inside(path), message })),
    schema: Object.fromEntries(
      Object.entries(gap.schema).map(([path, part]) => [inside(path), part])),
  });
}
