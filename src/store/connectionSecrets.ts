import type { ConnectionStatus } from './connections.ts';
import type { Sql, Transaction } from './database.ts';
import { first, some } from './rows.ts';

export type SecretType = 'bearer' | 'api_key' | 'basic' | 'oauth2';

/** Which connection; its id means nothing outside its workspace. */
export interface ConnectionKey {
  workspace_id: string;
  connection_id: string;
}

/** A connection's state, with its secret as it is stored. Times are the database's. */
export interface ConnectionSecretRow {
  status: ConnectionStatus;
  status_reason: string | null;
  /** Null, as are the following fields: the connection has no secret. */
  type: SecretType | null;
  sealed: string | null;
  version: string | null;
  granted_scopes: string[] | null;
  expires_at: string | null;
  /** It has to be renewed before it is used. */
  due: boolean;
  /** It can no longer be used. */
  expired: boolean;
}

/** A secret to be stored. */
export interface NewSecret {
  type: SecretType;
  sealed: string;
  granted_scopes: string[] | null;
  /** Seconds that the access token lives from now on; null: it is not known to expire. */
  lifetime_s: number | null;
}

// A token is renewed a minute before it expires, so that it is still valid when it arrives. A token
// that lives for minutes is renewed after four fifths of its life: else each call would renew it.
const MARGIN_S = 60;
const MARGIN_PART = 5;
const PAUSE_S = 10;

const fromNow = (sql: Sql | Transaction, seconds: number | null) =>
  sql`now() + ${seconds}::double precision * interval '1 second'`;
const refreshAt = (sql: Sql | Transaction, lifetime_s: number | null) => fromNow(sql,
  lifetime_s === null ? null : lifetime_s - Math.min(MARGIN_S, lifetime_s / MARGIN_PART));

/** A connection with its secret; undefined if there is no such connection. */
export async function readConnectionSecret(
  sql: Sql, key: ConnectionKey): Promise<ConnectionSecretRow | undefined> {
  return await first(sql<ConnectionSecretRow[]>`
    select c.status, c.status_reason, s.type, s.sealed, s.version::text as version,
      s.granted_scopes, s.expires_at,
      coalesce(s.refresh_at <= now(), false) as due,
      coalesce(s.expires_at <= now(), false) as expired
    from connections c
    left join connection_secrets s on s.workspace_id = c.workspace_id and s.connection_id = c.id
    where c.workspace_id = ${key.workspace_id} and c.id = ${key.connection_id}`);
}

/** Stores a connection's secret in the place of any other. A refresh under way comes to nothing. */
export async function putConnectionSecret(
  sql: Sql | Transaction, key: ConnectionKey, secret: NewSecret): Promise<void> {
  await sql`
    insert into connection_secrets (workspace_id, connection_id, type, sealed, granted_scopes,
      expires_at, refresh_at)
    values (${key.workspace_id}, ${key.connection_id}, ${secret.type}, ${secret.sealed},
      ${secret.granted_scopes}::text[], ${fromNow(sql, secret.lifetime_s)},
      ${refreshAt(sql, secret.lifetime_s)})
    on conflict (workspace_id, connection_id) do update set
      type = excluded.type, sealed = excluded.sealed, version = gen_random_uuid(),
      granted_scopes = excluded.granted_scopes, expires_at = excluded.expires_at,
      refresh_at = excluded.refresh_at, refreshing_by = null, refreshing_until = null,
      updated_at = now()`;
}

/**
 * Replaces the secret of this version and ends its refresh. Answers false if it has another version
 * by now. The lease does not matter: unless other tokens were stored meanwhile, these are the only
 * ones that the other service still accepts, even if they came late.
 */
export async function replaceConnectionSecret(
  sql: Sql | Transaction, key: ConnectionKey, version: string, secret: NewSecret,
): Promise<boolean> {
  return await some(sql`
    update connection_secrets set type = ${secret.type}, sealed = ${secret.sealed},
      version = gen_random_uuid(), granted_scopes = ${secret.granted_scopes}::text[],
      expires_at = ${fromNow(sql, secret.lifetime_s)},
      refresh_at = ${refreshAt(sql, secret.lifetime_s)},
      refreshing_by = null, refreshing_until = null, updated_at = now()
    where workspace_id = ${key.workspace_id} and connection_id = ${key.connection_id}
      and version = ${version}::uuid`);
}

/** Removes the secret, and answers it as it was stored last; undefined if there was none. */
export async function takeConnectionSecret(
  sql: Sql | Transaction, key: ConnectionKey,
): Promise<{ sealed: string; version: string } | undefined> {
  return await first(sql<{ sealed: string; version: string }[]>`
    delete from connection_secrets
    where workspace_id = ${key.workspace_id} and connection_id = ${key.connection_id}
    returning sealed, version::text as version`);
}

/**
 * Takes the right to refresh the secret of this version, for a limited time. Answers false while
 * somebody else has it, and if the secret has another version by now.
 */
export async function takeRefreshLease(
  sql: Sql, key: ConnectionKey, version: string, lease: { holder: string; lease_ms: number },
): Promise<boolean> {
  return await some(sql`
    update connection_secrets set refreshing_by = ${lease.holder},
      refreshing_until = now() + ${lease.lease_ms} * interval '1 millisecond'
    where workspace_id = ${key.workspace_id} and connection_id = ${key.connection_id}
      and version = ${version}::uuid
      and (refreshing_until is null or refreshing_until <= now())`);
}

/**
 * Gives the right to refresh back, so that somebody else may try: after a pause, if the secret can
 * be used meanwhile, or each call of that time would ask a server that is unwell.
 */
export async function releaseRefreshLease(
  sql: Sql, key: ConnectionKey, holder: string): Promise<void> {
  await sql`
    update connection_secrets set refreshing_by = null, refreshing_until = null,
      refresh_at = case when refresh_at <= now() and expires_at > now()
        then least(expires_at, ${fromNow(sql, PAUSE_S)}) else refresh_at end
    where workspace_id = ${key.workspace_id} and connection_id = ${key.connection_id}
      and refreshing_by = ${holder}`;
}
