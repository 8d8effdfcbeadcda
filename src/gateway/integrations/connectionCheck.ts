/** Checking a connection: one reading action that needs no input, chosen on purpose. */
import type { Schemas } from '../../../generated/types.ts';
import { AuditLog } from '../../audit/audit.ts';
import { notFound } from '../../errors.ts';
import { objectOf } from '../../json.ts';
import {
  getConnectionRow, setConnectionStatus, type ConnectionRow,
} from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import {
  openIfThere, type ActionDefinition, type ActionSummary, type SourceAction,
} from '../action/action.ts';
import { ActionFailure, toOperator } from '../action/failure.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CredentialSource } from '../credentials/withCredentials.ts';
import type { Actor } from './administration.ts';
import { actionsBehind, callWithoutInput } from './ownCalls.ts';

export type ConnectionCheck = Omit<Schemas['ConnectionCheck'], 'object'>;

export interface CheckDependencies {
  sql: Sql;
  catalogue: Pick<Catalogue, 'visible'>;
  credentials: CredentialSource;
  /** How many tools a server lists to the account; null if it is none that is asked by accounts. */
  countTools(row: ConnectionRow, signal: AbortSignal): Promise<number | null>;
}

/** What is performed where no action can be: an MCP server lists its tools to those it accepts. */
const LISTING = 'tools/list';

/** Uses a connection. The operator asks for it, so no grants are checked. */
export async function probeConnection(
  { sql, catalogue, credentials, countTools }: CheckDependencies, id: string, by: Actor,
): Promise<ConnectionCheck> {
  const row = await getConnectionRow(sql, id);
  if (!row) throw notFound('connection', id);
  const { workspace_id } = row;
  const result = async (
    ok: boolean, message: string, action: string | null = null): Promise<ConnectionCheck> => {
    const status = (await getConnectionRow(sql, id))?.status ?? row.status;
    if (action !== null) {
      await new AuditLog(sql).append({
        ...by, workspace_id, event: 'connection.checked', target: id,
        outcome: ok ? 'ok' : 'failed', details: { integration: row.integration, action, status },
      });
    }
    return { connection_id: id, ok, status, action, message };
  };
  if (row.status !== 'connected' && row.status !== 'needs_reconnect') {
    return await result(false,
      [`The connection is ${row.status}.`, row.status_reason].filter(Boolean).join(' '));
  }
  const own = await actionsBehind(row, catalogue);
  let definition: ActionDefinition | undefined;
  try {
    await firstToAnswer(actionsToCheckBy(own.map((action) => action.definition)), async (one) => {
      definition = one;
      await callWithoutInput(credentials, one, own[0]!.integration, row, by.signal);
    });
    let answered = `${definition?.name} answered.`;
    if (definition === undefined) {
      const tools = await countTools(row, by.signal);
      if (tools === null) {
        return await result(row.status === 'connected', 'The integration has no reading action that'
          + ' needs no input, so nothing was tried.');
      }
      answered = `it has listed its tools (${tools}). None that only reads needs no input, so none`
        + ' was called.';
    }
    await setConnectionStatus(sql, { workspace_id, connection_id: id },
      { from: ['needs_reconnect'], to: 'connected', reason: null });
    return await result(true, answered, definition?.name ?? LISTING);
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error;
    const tried = definition !== undefined && statusIn(error) !== undefined
      ? ` It was tried by ${definition.name}.` : '';
    return await result(false, `${toOperator(error)}${tried}`, definition?.name ?? LISTING);
  }
}

/** How many are called, where those before are refused for themselves. */
const CALLS_LIMIT = 3;
/** What is said of a call alone: it lacks something, or there is no such thing here. */
const OF_CALL_ALONE: readonly unknown[] = [400, 404, 405, 409, 410, 422, 501];

/**
 * Calls one after the other until one answers, or fails by more than itself: netdata's `GET /data`
 * wants a parameter that its document does not require, and Podman has no `GET /nodes` of Docker's.
 * If all are refused, it throws as the last one.
 */
export async function firstToAnswer<T>(
  chosen: AsyncIterable<ActionDefinition>, call: (one: ActionDefinition) => Promise<T>,
): Promise<T | undefined> {
  let [calls, refusal] = [0, undefined as unknown];
  for await (const one of chosen) {
    try {
      return await call(one);
    } catch (error) {
      refusal = error;
      if (!(error instanceof ActionFailure) || !isOfCallAlone(one, statusIn(error))) throw error;
    }
    if (++calls === CALLS_LIMIT) break;
  }
  if (refusal !== undefined) throw refusal;
}

/**
 * Docker answers 503 to `GET /nodes` where it has no swarm. Of an action that tells whose account
 * it is a 503 is an outage, and those behind it may ask for no account at all.
 */
function isOfCallAlone(action: ActionSummary, status: unknown): boolean {
  return OF_CALL_ALONE.includes(status) || (status === 503 && !tellsWhose(action));
}

/** By which status a call was answered that failed; undefined: by none. */
function statusIn({ outcome }: ActionFailure): unknown {
  return outcome.status === 'failed' ? objectOf(outcome.error.details).status : undefined;
}

/** Ways to ask "who am I?", without the verb and whatever separates the words. */
const IDENTITIES = new Set(['me', 'self', 'myself', 'whoami', 'user', 'userinfo', 'userprofile',
  'currentuser', 'authenticateduser', 'account', 'accountinfo', 'currentaccount', 'profile',
  'myprofile', 'viewer', 'authtest', 'tokeninfo']);
const LAST_OF_IDENTITIES = 1;
/** Of thousands that may need an input, the first few are mostly enough. */
const OPENED_TOGETHER = 16;
const ASKING = /^(get|show|read|retrieve|fetch|test|info)(?=$|_)_?/;

/**
 * The actions that read and need no input, the best first. That one tells whose account it is:
 * every token may call it, and it answers little. Next best is the list with the shortest address,
 * preferably one with pages; then any other. The first of a document may be wrong: GitHub's `GET
 * /app` answers 401 to all tokens but those of apps, so that a good connection would seem broken.
 */
export async function* actionsToCheckBy(
  actions: readonly SourceAction[]): AsyncGenerator<ActionDefinition, undefined> {
  const ranked = actions.filter(({ effect }) => effect === 'read')
    .map((action) => ({ action, rank: rankOf(action) }))
    .sort((a, b) => a.rank - b.rank
      || a.action.source_key.length - b.action.source_key.length
      || (a.action.name < b.action.name ? -1 : 1));
  for (let from = 0; from < ranked.length; from += OPENED_TOGETHER) {
    const part = ranked.slice(from, from + OPENED_TOGETHER)
      .map(({ action }) => openIfThere(action));
    for (const one of await Promise.all(part)) {
      if (one !== undefined && !('required' in one.input_schema)) yield one;
    }
  }
}

/** Whether an action tells whose account it is. */
export function tellsWhose(action: ActionSummary): boolean {
  return rankOf(action) <= LAST_OF_IDENTITIES;
}

/** A rank; lower is better. */
function rankOf({ name, source_key, paged }: ActionSummary): number {
  const [resource = '', verb = ''] = name.split('.').slice(-2);
  // `GET /users/@me` and the tool `get_me` say it where others have a resource.
  if (isIdentity(source_key.split('/').at(-1)!)) return 0;
  if (isIdentity(verb) || (isIdentity(resource) && ASKING.test(verb))) return LAST_OF_IDENTITIES;
  if (!/^(list|search)(_|$)/.test(verb)) return 4;
  return paged ? 2 : 3;
}

function isIdentity(text: string): boolean {
  const words = text.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/[^a-z]+/g, '_');
  return IDENTITIES.has(words.replace(ASKING, '').replaceAll('_', ''));
}
