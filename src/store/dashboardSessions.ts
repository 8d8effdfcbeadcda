/** Sessions of the dashboard, and the tickets that begin one. */
import type { DashboardRole } from '../caller.ts';
import type { Sql, Transaction } from './database.ts';
import { deleteSome, first, keyset, only, some, type Page, type RowOf } from './rows.ts';

export type DashboardSessionRow =
  RowOf<'DashboardSession', 'current' | 'actor'> & Omit<Origin, 'configured'>;
export type SignInMethod = DashboardSessionRow['method'];

/** Whom a session, or a ticket, stands for. */
export interface Origin {
  /** Null: whoever has the admin token. */
  person: string | null;
  /** Null: it is by the configuration, of which `configured` is a sign. */
  admin_token_id: string | null;
  configured: Buffer | null;
}

interface Bearer extends Origin {
  role: DashboardRole;
  name: string;
  parent_id: string | null;
}

export interface NewDashboardSession extends Bearer {
  id: string;
  sha256: Buffer;
  method: SignInMethod;
  user_agent: string | null;
  /** However often it is used; null: a whole life from now. */
  ends_at: string | null;
}

/** A session as it is found by its cookie. */
export interface FoundSession extends Origin {
  id: string;
  role: DashboardRole;
  /** False: it has ended. */
  good: boolean;
}

/** How long a session lives without being used, and at most. */
const IDLE = '12 hours';
const LIFE = '7 days';
const TICKET_LIFE = '10 minutes';
/** A use is not noted so soon after another. */
const NOTED = '1 minute';

const from = (sql: Sql | Transaction) => sql`
  dashboard_sessions s left join admin_tokens t on t.id = s.admin_token_id`;

// Decided by the database's clock, like every other time in it.
const expiry = (sql: Sql | Transaction) => sql`
  least(s.last_used_at + ${IDLE}::interval, s.ends_at, t.expires_at)`;

const isGood = (sql: Sql | Transaction) => sql`
  (s.revoked_at is null and ${expiry(sql)} > now()
    and (s.admin_token_id is null or (t.id is not null and t.revoked_at is null)))`;

const columns = (sql: Sql | Transaction) => sql`
  s.id, s.role, s.name, s.person, s.admin_token_id, s.method, s.created_at, s.last_used_at,
  ${expiry(sql)} as expires_at, s.user_agent`;

/** Stores a session's hash. */
export async function insertSession(
  tx: Transaction, session: NewDashboardSession): Promise<DashboardSessionRow> {
  await tx`
    insert into dashboard_sessions (id, sha256, method, role, name, person, admin_token_id,
      configured, parent_id, user_agent, ends_at)
    values (${session.id}, ${session.sha256}, ${session.method}, ${session.role}, ${session.name},
      ${session.person}, ${session.admin_token_id}, ${session.configured}, ${session.parent_id},
      ${session.user_agent},
      coalesce(${session.ends_at}::timestamptz, now() + ${LIFE}::interval))`;
  return (await getDashboardSession(tx, session.id))!;
}

/** The session with this hash, good or not; undefined if there is none. */
export async function findSession(sql: Sql, sha256: Buffer): Promise<FoundSession | undefined> {
  return await first(sql<FoundSession[]>`
    select s.id, s.role, s.person, s.admin_token_id, s.configured, ${isGood(sql)} as good
    from ${from(sql)} where s.sha256 = ${sha256}`);
}

/** What became of a session that a new one takes the place of; it stays so in this transaction. */
export interface ReplacedSession extends Origin {
  id: string;
  /** False: it has ended by itself, with the time. */
  ends_others: boolean;
}

/** The session with this hash, whose end is about to come; undefined if there is none. */
export async function lockReplacedSession(
  tx: Transaction, sha256: Buffer): Promise<ReplacedSession | undefined> {
  return await first(tx<ReplacedSession[]>`
    select s.id, s.person, s.admin_token_id, s.configured,
      s.revoked_at is not null or ${isGood(tx)} as ends_others
    from ${from(tx)} where s.sha256 = ${sha256} for update of s`);
}

/**
 * The name in a session by which something is about to begin; undefined if the session is revoked.
 * Its row stays locked until the transaction has committed: who revokes the session waits for that,
 * and then finds what has begun by it.
 */
export async function holdSession(tx: Transaction, id: string): Promise<string | undefined> {
  const row = await first(tx<Pick<Bearer, 'name'>[]>`
    select name from dashboard_sessions where id = ${id} and revoked_at is null for share`);
  return row?.name;
}

/** The ids of those among the sessions that are good. */
export async function goodSessions(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select s.id from ${from(sql)} where s.id = any(${ids}::text[]) and ${isGood(sql)}`;
  return new Set(rows.map(({ id }) => id));
}

/** A session by its id, good or not; undefined if there is none. */
export async function getDashboardSession(
  sql: Sql | Transaction, id: string): Promise<DashboardSessionRow | undefined> {
  return await first(sql<DashboardSessionRow[]>`
    select ${columns(sql)} from ${from(sql)} where s.id = ${id}`);
}

/** A page of the sessions that are good: of this person alone, or of all (null). */
export function listDashboardSessions(
  sql: Sql, person: string | null, page: Page): Promise<DashboardSessionRow[]> {
  return sql<DashboardSessionRow[]>`
    select ${columns(sql)} from ${from(sql)}
    where ${isGood(sql)} and (${person}::text is null or s.person = ${person})
      ${keyset(sql, page, sql`s.id`)}`;
}

/**
 * Revokes a session and those that began with a link made in it, or in one of those, and makes the
 * links that are left good for nothing. `person`: only if it is theirs; null: whosesoever it is.
 * Answers the ids of those that were not revoked before; undefined if there is none with this id.
 */
export async function revokeSession(
  tx: Transaction, id: string, person: string | null): Promise<string[] | undefined> {
  const known = await some(tx`
    select from dashboard_sessions
    where id = ${id} and (${person}::text is null or person = ${person})`);
  if (!known) return undefined;
  const revoked: string[] = [];
  let parents = [id];
  // One generation after the other. Whoever begins a session by one of them holds that (see
  // `holdSession`): the update waits for it, and the next look finds what it has begun.
  while (parents.length > 0) {
    const ended = await tx<{ id: string }[]>`
      update dashboard_sessions set revoked_at = now()
      where id = any(${parents}::text[]) and revoked_at is null
      returning id`;
    revoked.push(...ended.map((row) => row.id));
    await tx`delete from dashboard_tickets where parent_id = any(${parents}::text[])`;
    const children = await tx<{ id: string }[]>`
      select id from dashboard_sessions where parent_id = any(${parents}::text[])`;
    parents = children.map((row) => row.id);
  }
  return revoked;
}

/** Notes that sessions were used. */
export async function touchSessions(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`
    update dashboard_sessions set last_used_at = now()
    where id = any(${ids}::text[]) and last_used_at < now() - ${NOTED}::interval`;
}

/** The session in which it is made, its parent, bounds how long its own session lives. */
export interface NewTicket extends Bearer { sha256: Buffer }

/** Stores a ticket's hash; answers when it expires. */
export async function insertTicket(tx: Transaction, ticket: NewTicket): Promise<string> {
  const { expires_at } = await only(tx<{ expires_at: string }[]>`
    insert into dashboard_tickets (sha256, role, name, person, admin_token_id, configured,
      parent_id, ends_at, expires_at)
    values (${ticket.sha256}, ${ticket.role}, ${ticket.name}, ${ticket.person},
      ${ticket.admin_token_id}, ${ticket.configured}, ${ticket.parent_id},
      coalesce((select ends_at from dashboard_sessions where id = ${ticket.parent_id}),
        now() + ${LIFE}::interval),
      now() + ${TICKET_LIFE}::interval)
    returning expires_at`);
  return expires_at;
}

/** Takes a ticket out; undefined if it is not good any more, or never was. */
export async function takeTicket(
  tx: Transaction, sha256: Buffer): Promise<Bearer & { ends_at: string } | undefined> {
  // The session before its tickets, in the order in which they are taken by whoever revokes.
  const made = await first(tx<{ parent_id: string | null }[]>`
    select parent_id from dashboard_tickets where sha256 = ${sha256}`);
  if (made?.parent_id != null && await holdSession(tx, made.parent_id) === undefined) return;
  return await first(tx<(Bearer & { ends_at: string })[]>`
    with s as (delete from dashboard_tickets where sha256 = ${sha256} returning *)
    select s.role, s.name, s.person, s.admin_token_id, s.configured, s.parent_id, s.ends_at
    from s left join admin_tokens t on t.id = s.admin_token_id
    where s.expires_at > now() and s.ends_at > now()
      and (s.admin_token_id is null
        or (t.id is not null and t.revoked_at is null and coalesce(t.expires_at > now(), true)))`);
}

/** Removes up to `limit` tickets that have expired, and sessions that ended long ago. */
export async function removeEndedSessions(
  sql: Sql | Transaction, limit: number): Promise<number> {
  const tickets = await deleteSome(sql, sql`dashboard_tickets`, sql`expires_at <= now()`, limit);
  const sessions = await deleteSome(
    sql, sql`dashboard_sessions`, sql`ends_at < now() - ${LIFE}::interval`, limit);
  return Math.max(tickets, sessions);
}
