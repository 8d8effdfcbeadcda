import { sanitizeJson, sanitizeText } from '../../sanitize.ts';
import { shellWord } from '../../shellWord.ts';
import type { Connection } from '../../store/connections.ts';
import { truncateResult } from '../../truncate.ts';
import type { Credentials } from './credentials.ts';
import { errorOfMissing } from './missing.ts';
import {
  MAY_HAVE_TAKEN_EFFECT, type ActionError, type FailedOutcome, type Missing, type MissingOutcome,
} from './outcome.ts';

/** Why a call came to nothing: what an integration answered, or what it found missing. */
export class ActionFailure extends Error {
  override name = 'ActionFailure';
  readonly outcome: FailedOutcome | MissingOutcome;
  /** What else the operator may know, and no agent; null: nothing. */
  readonly for_operator: string | null;

  constructor(outcome: FailedOutcome | MissingOutcome, for_operator: string | null = null) {
    const { message } =
      outcome.status === 'failed' ? outcome.error : errorOfMissing(outcome.missing);
    super(message);
    this.outcome = outcome;
    this.for_operator = for_operator;
  }
}

const WORDS_LIMIT_CHARS = 2_000;
const BODY_LIMIT_BYTES = 4_096;

/** All that an operator is told of a failure. What it is cut to is its end, the newest. */
export function toOperator({ message, for_operator }: ActionFailure): string {
  if (for_operator === null) return message;
  const words = for_operator.slice(-WORDS_LIMIT_CHARS);
  return `${message} ${words.length < for_operator.length ? '…' : ''}${sanitizeText(words)}`;
}

/** The failure of a call that reached its integration, or should have. */
export function failure(
  message: string, { code = 'upstream_error', ...rest }: Partial<ActionError> = {},
  for_operator: string | null = null): ActionFailure {
  return new ActionFailure({ status: 'failed', error: { code, message, ...rest } }, for_operator);
}

/** What is told of the body of a failed answer: the beginning of a long one. */
export function toldOfBody(body: unknown): unknown {
  // Sanitised before it is written: one that is nested very deep cannot be.
  return truncateResult(sanitizeJson(body), BODY_LIMIT_BYTES).result;
}

/** The failure of a call of which nothing has left, and that no repeating helps: see errors.md. */
export function notSent(message: string): ActionFailure {
  return failure(message, { code: 'egress_refused' });
}

/** The failure of a write of which nobody knows what came. */
export function failureInDoubt(
  message: string, details: object | null = null, for_operator: string | null = null,
): ActionFailure {
  return failure(`${message} ${MAY_HAVE_TAKEN_EFFECT}`,
    { code: 'outcome_unknown', ...(details && { details }) }, for_operator);
}

/** What proxies say in place of a service: 408, 502, 504, and those of Cloudflare, 520 to 524. */
const PROXY_STATUSES: readonly number[] = [408, 502, 504, 520, 521, 522, 523, 524];

/**
 * Whether a proxy or gateway answered so because no answer came from the service behind it, which
 * may have done what it was asked for, or may do it yet. A service says 500 and 503 itself as well,
 * of what it has not done: these stay what they say.
 */
export function isAnswerOfProxy(status: number): boolean {
  return PROXY_STATUSES.includes(status);
}

/** The failure of a call that came too soon after others. */
export function rateLimited(
  title: string, retry_after_s: number | null, details: object): ActionFailure {
  const when = retry_after_s === null ? 'later' : `in ${retry_after_s} s`;
  return failure(`${title} takes no more calls for now. Repeat this one ${when}.`, {
    code: 'upstream_rate_limited', details: { ...details, retry_after_s },
    ...(retry_after_s !== null && { retry_after_s }),
  });
}

/** An account that a person has authorized. */
export interface AuthorizedAccount {
  connection_id: string;
  /** What was asked for then; empty: what the server gives unasked. */
  scopes: readonly string[];
}

/** An account by OAuth 2.0; null: it is connected in another way, and asks for no scopes. */
export function authorizedAccount(
  { id }: Pick<Connection, 'id'>, credentials: Credentials): AuthorizedAccount | null {
  return credentials.type === 'oauth2'
    ? { connection_id: id, scopes: credentials.scopes ?? [] } : null;
}

/** More in a command than anybody pastes. */
const SCOPES_NAMED = 30;

/**
 * A sentence on scopes that an account lacks; `account`: null if it is connected in another way.
 * The command asks for those scopes alone that it names: so it names those that were asked for
 * before, or has a place for them, and no shell takes it as it stands.
 */
export function howToAuthorize(
  scopes_needed: readonly string[], account: AuthorizedAccount | null): string {
  const needed = [...new Set(scopes_needed)];
  const { connection_id = '…', scopes = [] } = account ?? {};
  const all = [...new Set([...scopes, ...needed])];
  const named = [all, needed, []].find(({ length }) => length <= SCOPES_NAMED)!;
  const flags = named.map((scope) => `--scope ${shellWord(scope)}`);
  if (named.length === 0) flags.push('--scope <each of them>');
  else if (scopes.length === 0 || named.length < all.length) flags.push('--scope <each other>');
  const more = needed.length - SCOPES_NAMED;
  return ` It has to be authorized for the scopes ${needed.slice(0, SCOPES_NAMED).join(' ')}${
    more > 0 ? ` and ${more} more` : ''}, with those that were asked for before. The operator of`
    + ` this service can do that: with \`gatehouse connections reconnect ${connection_id} --auth`
    + ` oauth2 ${flags.join(' ')}\`.`;
}

/** The failure of a call that lacks something that the caller can mend; never nothing. */
export function lacks(...missing: Missing[]): ActionFailure {
  return new ActionFailure({ status: 'missing', missing });
}
