/** The report of what a call lacks: each gap says what, why, and who can supply it. */
import type { Connection } from '../store/connections.ts';
import type { ActionDefinition, Integration } from './action.ts';
import type { CheckedInput } from './inputValidators.ts';
import type { Missing } from './outcome.ts';
import { rank } from './search.ts';
import { isListed, type VisibleAction } from './visibility.ts';

const SUGGESTIONS = 5;
const NAME_LIMIT_CHARS = 200;

export function unknownAction(
  name: string, visible: ReadonlyMap<string, VisibleAction>): Missing {
  const listed = [...visible.values()].filter(isListed);
  const suggestions = rank(listed, name, ({ definition }) => definition)
    .slice(0, SUGGESTIONS).map(({ action }) => action.definition.name);
  const shown = name.length > NAME_LIMIT_CHARS ? `${name.slice(0, NAME_LIMIT_CHARS)}…` : name;
  const advice = suggestions.length === 0
    ? 'Search for one with gateway.actions.search.' : `Similar ones: ${suggestions.join(', ')}.`;
  return {
    code: 'unknown_action',
    message: `No action is named ${JSON.stringify(shown)}. ${advice}`,
    action: shown,
    suggestions,
  };
}

export function notReadOnly({ name, effect }: ActionDefinition): Missing {
  return {
    code: 'action_not_read_only',
    message: `${name} changes data. Only read-only actions can be called directly; let an agent`
      + ' call it in a run.',
    action: name,
    effect,
  };
}

export function notPermitted({ name, effect }: ActionDefinition): Missing {
  return {
    code: 'not_permitted',
    message: `${name} changes data and no grant allows it in this workspace. The operator of this`
      + ' service can grant it.',
    action: name,
    effect,
    grant_needed: { actions: name, decision: 'allow' },
    who_can_grant: 'operator',
  };
}

export function notConnected({ slug, title, auth_methods }: Integration): Missing {
  return {
    code: 'not_connected',
    message: `The workspace has no connection to the integration ${JSON.stringify(slug)}`
      + ` (${title}). The operator of this service can connect it.`,
    integration: slug,
    auth_methods: [...auth_methods ?? []],
    who_can_connect: 'operator',
  };
}

export function needsReconnect(connection: Connection): Missing {
  const { id, integration, account_label, status_reason, updated_at } = connection;
  const account = account_label === null ? '' : ` (${account_label})`;
  const reason = status_reason === null ? '' : `: ${status_reason}`;
  return {
    code: 'needs_reconnect',
    message: `The connection ${id}${account} to ${integration} must be reconnected${reason}. The`
      + ' operator of this service can do that.',
    integration,
    connection_id: id,
    account_label,
    reason: status_reason,
    since: updated_at,
    who_can_reconnect: 'operator',
  };
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

/** `name`: the action; null if the call does not even name one. */
export function invalidInput(name: string | null, { violations, schema }: CheckedInput): Missing {
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
