/**
 * The kinds of events in the audit log. The document leaves them open, for more to come, and so
 * does whoever asks for one: it is looked up here only if there is no entry of it.
 */

/** In the order of the alphabet; a test keeps it equal to what the service writes. */
export const AUDIT_EVENTS: readonly string[] = [
  'action.called', 'action.refused', 'admin_token.created', 'admin_token.revoked',
  'api_key.changed', 'api_key.created', 'api_key.revoked', 'approval.approved', 'approval.denied',
  'connection.authorized', 'connection.changed', 'connection.checked', 'connection.created',
  'connection.reconnected', 'connection.removed', 'connection.revoked',
  'dashboard_session.created', 'dashboard_session.ended', 'dashboard_session.refused',
  'dashboard_session.revoked', 'dashboard_ticket.created', 'grant.changed', 'grant.created',
  'grant.removed', 'integration.changed', 'integration.created', 'integration.removed',
  'master_key.rotated', 'run.cancelled', 'run.created', 'session.changed', 'session.created',
  'session.deleted', 'session.runs_deleted', 'workspace.changed', 'workspace.created',
];

/** Of two texts that are not the same at all 0, of the same 1. */
const ALIKE = 0.5;
/** So near to the nearest are the others that are named. */
const AS_NEAR = 0.9;

/** Refuses a kind that there is not, in words: with those that begin so or are written alike. */
export function unknownEvent(given: string): string {
  const within = AUDIT_EVENTS.filter((kind) => kind.startsWith(given));
  const near = within.length > 0 ? within : writtenAlike(given);
  const names = near.length > 0 ? `Near: ${near.join(', ')}` : `There are: ${
    AUDIT_EVENTS.join(', ')}`;
  return `No event of the audit log is called ${JSON.stringify(given)}. ${names}`;
}

function writtenAlike(given: string): string[] {
  const scored = AUDIT_EVENTS.map((kind) => ({ kind, score: alikeness(given, kind) }));
  const best = Math.max(...scored.map(({ score }) => score));
  return best < ALIKE ? []
    : scored.filter(({ score }) => score >= best * AS_NEAR).map(({ kind }) => kind);
}

/** The share of pairs of letters that are in both. */
function alikeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  return 2 * a.intersection(b).size / (a.size + b.size);
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}
