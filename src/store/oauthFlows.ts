import type { ConnectionKey } from './connectionSecrets.ts';
import type { Sql, Transaction } from './database.ts';
import { deleteSome, first, only, some } from './rows.ts';

/** An authorization under way. */
export interface OAuthFlowRow extends ConnectionKey {
  state_sha256: Buffer;
  sealed: string;
}

/** Stores an authorization; answers when it expires. */
export async function insertOAuthFlow(
  sql: Sql, flow: OAuthFlowRow & { ticket_sha256: Buffer; lifetime_s: number }): Promise<string> {
  const { expires_at } = await only(sql<{ expires_at: string }[]>`
    insert into oauth_flows (workspace_id, connection_id, ticket_sha256, state_sha256, sealed,
      expires_at)
    values (${flow.workspace_id}, ${flow.connection_id}, ${flow.ticket_sha256},
      ${flow.state_sha256}, ${flow.sealed}, now() + ${flow.lifetime_s} * interval '1 second')
    returning expires_at`);
  return expires_at;
}

/**
 * Binds the authorization with this ticket to a session, once: the second time there is none.
 * Undefined also if it has expired. From then on it lives for `lifetime_s` more: who opens it late
 * has as long to consent as others.
 */
export async function bindOAuthFlow(
  sql: Sql, { ticket_sha256, session_sha256, lifetime_s }: {
    ticket_sha256: Buffer; session_sha256: Buffer; lifetime_s: number;
  }): Promise<OAuthFlowRow | undefined> {
  return await first(sql<OAuthFlowRow[]>`
    update oauth_flows set session_sha256 = ${session_sha256},
      expires_at = now() + ${lifetime_s} * interval '1 second'
    where ticket_sha256 = ${ticket_sha256} and session_sha256 is null and expires_at > now()
    returning workspace_id, connection_id, state_sha256, sealed`);
}

/**
 * Takes the authorization with this state, once, for the session that it is bound to. Undefined for
 * another session, which does not use it up, and if it has expired.
 */
export async function takeOAuthFlow(
  sql: Sql, { state_sha256, session_sha256 }: { state_sha256: Buffer; session_sha256: Buffer },
): Promise<OAuthFlowRow | undefined> {
  return await first(sql<OAuthFlowRow[]>`
    delete from oauth_flows
    where state_sha256 = ${state_sha256} and session_sha256 = ${session_sha256}
      and expires_at > now()
    returning workspace_id, connection_id, state_sha256, sealed`);
}

/** Whether an authorization was begun of which nobody has come back. */
export async function hasOAuthFlow(
  sql: Sql, { workspace_id, connection_id }: ConnectionKey): Promise<boolean> {
  return await some(sql`
    select 1 from oauth_flows
    where workspace_id = ${workspace_id} and connection_id = ${connection_id} limit 1`);
}

/**
 * Ends the authorizations of a connection that were begun: it has other credentials now, and who
 * finished one of them would put another account in their place.
 */
export async function endOAuthFlows(tx: Transaction, key: ConnectionKey): Promise<void> {
  await tx`
    delete from oauth_flows
    where workspace_id = ${key.workspace_id} and connection_id = ${key.connection_id}`;
}

/**
 * Removes up to `limit` authorizations that expired a day ago: until then they tell that nobody has
 * come back. Answers how many.
 */
export async function removeExpiredOAuthFlows(
  sql: Sql | Transaction, limit: number): Promise<number> {
  return await deleteSome(
    sql, sql`oauth_flows`, sql`expires_at <= now() - interval '1 day'`, limit);
}
