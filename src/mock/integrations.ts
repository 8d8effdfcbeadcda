/**
 * What the workspaces of a mock have besides the built-in integrations: one that is not connected,
 * one with two accounts, one that has to be reconnected, and one whose calls fail. Nothing of them
 * leaves the process.
 */
import type { ErrorCode } from '../errors.ts';
import {
  addGrant, failure, rateLimited, type ActionDefinition, type ActionSource,
} from '../gateway/face.ts';
import { newId } from '../ids.ts';
import { insertConnection } from '../store/connections.ts';
import type { Sql } from '../store/database.ts';

/** Calls that the service refuses with these codes, in every workspace of the mock. */
export const REFUSED_CALLS: Partial<Record<ErrorCode, string>> = {
  not_connected: 'tickets.issues.list',
  connection_ambiguous: 'mail.messages.list',
  needs_reconnect: 'calendar.events.list',
  approval_required: 'weather.warnings.list',
  upstream_error: 'weather.stations.list',
  upstream_timeout: 'weather.forecasts.list',
  upstream_forbidden: 'weather.archives.list',
  upstream_rate_limited: 'weather.reports.list',
  action_not_read_only: 'gatehouse.sessions.create',
  unknown_action: 'tickets.issue.list',
  invalid_input: 'gatehouse.sessions.list',
};

/** What operators have to approve there. */
const APPROVED_ACTIONS = ['gatehouse.sessions.create', 'weather.warnings.list'];

const CONNECTIONS = [
  ['mail', 'ada@example.com', 'connected'], ['mail', 'team@example.com', 'connected'],
  ['calendar', 'ada@example.com', 'needs_reconnect'], ['weather', 'ada@example.com', 'connected'],
] as const;

const OPERATOR = { actor: { type: 'system', id: null } } as const;

export const INTEGRATIONS: readonly ActionSource[] = [
  integration('tickets', [
    action('tickets.issues.list', async () => done({ id: 12, title: 'The door sticks' })),
  ]),
  integration('mail', [
    action('mail.messages.list', async () => done({ id: 'm1', subject: 'Lunch?' })),
  ]),
  integration('calendar', [
    action('calendar.events.list', async () => done({ id: 'e1', title: 'Standup' })),
  ]),
  integration('weather', [
    action('weather.warnings.list', async () => done({ id: 'w1', title: 'Storm' })),
    action('weather.stations.list', async ({ invocation_id }) => {
      throw failure('weather answered 500 to this call. The record of the call is'
        + ` ${invocation_id}.`, { details: { status: 500, correlation_id: invocation_id } });
    }),
    action('weather.forecasts.list', async () => {
      throw failure('weather did not answer within 60 seconds.', { code: 'upstream_timeout' });
    }),
    action('weather.archives.list', async ({ invocation_id }) => {
      throw failure('weather does not let the connected account do this.', {
        code: 'upstream_forbidden',
        details: { status: 403, correlation_id: invocation_id, scopes_needed: [] },
      });
    }),
    action('weather.reports.list', async () => {
      throw rateLimited('weather', 30, { status: 429 });
    }),
  ]),
];

/** Gives a new workspace its connections, and its grants that ask for approvals. */
export async function furnish(sql: Sql, workspace_id: string): Promise<void> {
  await sql.begin(async (tx) => {
    for (const [slug, account_label, status] of CONNECTIONS) {
      await insertConnection(tx, { id: newId('con'), workspace_id, integration: slug,
        name: account_label, account_label, status });
    }
    for (const actions of APPROVED_ACTIONS) {
      await addGrant(tx, { workspace_id, actions, decision: 'require_approval' }, OPERATOR);
    }
  });
}

function integration(slug: string, actions: ActionDefinition[]): ActionSource {
  return { integration: { slug, title: slug, auth_methods: ['bearer'] }, actions };
}

function action(name: string, perform: ActionDefinition['perform']): ActionDefinition {
  const [slug, things] = name.split('.');
  return {
    name, integration: slug!, source_key: name, title: `List ${things} of ${slug}`,
    description: 'Made up by the mock.', effect: 'read',
    input_schema: { type: 'object', properties: {}, additionalProperties: false },
    output_schema: null, paged: false, perform,
  };
}

function done(item: object) {
  return { result: { data: [item] }, source_cursor: null };
}
