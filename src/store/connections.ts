import { newId } from '../ids.ts';
import type { Sql, Transaction } from './database.ts';
import {
  assignments, conditions, first, keyset, some, type Filter, type Page, type Schemas,
} from './rows.ts';

export type ConnectionStatus = Schemas['ConnectionStatus'];

/** A workspace's linked account of an integration, as far as calls need it. */
export type Connection = Pick<Schemas['Connection'],
  'id' | 'integration' | 'name' | 'account_label' | 'status' | 'status_reason'>;

const columns = (sql: Sql | Transaction) => sql`
  id, integration, name, account_label, status, status_reason`;

/**
 * Connects the workspace to the built-in integrations `slugs` that it has no connection to yet.
 * Repeating it, also at the same time, makes no second connection: the lock on the workspace is
 * taken by a separate statement, because a statement does not see what is committed while it waits.
 */
export async function createBuiltinConnections(
  tx: Transaction, workspace_id: string, slugs: readonly string[]): Promise<void> {
  const ids = slugs.map(() => newId('con'));
  await tx`select 1 from workspaces where id = ${workspace_id} for no key update`;
  await tx`
    insert into connections (workspace_id, id, integration, name, status)
    select ${workspace_id}, new.id, new.slug, new.slug, 'connected'
    from unnest(${ids}::text[], ${[...slugs]}::text[]) as new (id, slug)
    where not exists (
      select 1 from connections c where c.workspace_id = ${workspace_id}
        and c.integration = new.slug)`;
}

/**
 * All connections of the workspace, by age. Each call reads them: of 6,000, the database would take
 * longer to put them in the order of their integrations than for all the rest.
 */
export function listConnectionRows(
  sql: Sql | Transaction, workspace_id: string): Promise<Connection[]> {
  return sql<Connection[]>`
    select ${columns(sql)} from connections where workspace_id = ${workspace_id} order by id`;
}

/** A connection as its operator sees it. */
export type ConnectionRow = Connection & Pick<Schemas['Connection'],
  'workspace_id' | 'auth_type' | 'granted_scopes' | 'expires_at' | 'authorized_at' | 'created_at'
  | 'updated_at'>;

export type NewConnection = Pick<ConnectionRow,
  'id' | 'workspace_id' | 'integration' | 'name' | 'account_label' | 'status'>;

const allColumns = (sql: Sql | Transaction) => sql`
  c.workspace_id, ${columns(sql)}, auth_type, authorized_at, created_at, updated_at,
  coalesce((select granted_scopes from connection_secrets s where s.workspace_id = c.workspace_id
    and s.connection_id = c.id), '{}') as granted_scopes,
  (select expires_at from connection_secrets s where s.workspace_id = c.workspace_id
    and s.connection_id = c.id and c.status <> 'pending') as expires_at`;

/** Adds a connection. Answers whether there is such a workspace. */
export async function insertConnection(
  tx: Transaction, connection: NewConnection): Promise<boolean> {
  const { id, workspace_id, integration, name, account_label, status } = connection;
  return await some(tx`
    insert into connections (workspace_id, id, integration, name, account_label, status)
    select w.id, ${id}, ${integration}, ${name}, ${account_label}, ${status}
    from workspaces w where w.id = ${workspace_id}`);
}

export async function getConnectionRow(
  sql: Sql | Transaction, id: string): Promise<ConnectionRow | undefined> {
  return await first(sql<ConnectionRow[]>`
    select ${allColumns(sql)} from connections c where id = ${id}`);
}

/**
 * Some connection to an integration, whose account may list what it offers: a usable one, if there
 * is one, else one that has to be reconnected.
 */
export async function anyConnection(sql: Sql, integration: string) {
  return await first(sql<Pick<ConnectionRow, 'workspace_id' | 'id' | 'status' | 'status_reason'>[]>`
    select workspace_id, id, status, status_reason from connections
    where integration = ${integration} and status in ('connected', 'needs_reconnect')
    order by status = 'connected' desc, id limit 1`);
}

/** A page of connections, one row more than its limit if there are more. */
export function pageConnections(
  sql: Sql, { workspace_id, integration }: Filter<'workspace_id' | 'integration'>, page: Page,
): Promise<ConnectionRow[]> {
  return sql<ConnectionRow[]>`
    select ${allColumns(sql)} from connections c
    where true ${conditions(sql, { workspace_id, integration })} ${keyset(sql, page)}`;
}

export type ConnectionRowChange =
  Partial<Pick<ConnectionRow, 'name' | 'account_label' | 'status'>>;

/** Changes the given fields; a changed status has no reason any more. */
export async function updateConnectionRow(
  tx: Transaction, id: string, change: ConnectionRowChange): Promise<ConnectionRow | undefined> {
  const { name, account_label, status } = change;
  const status_reason = status === undefined ? undefined : null;
  return await first(tx<ConnectionRow[]>`
    update connections c set updated_at = now()
      ${assignments(tx, { name, account_label, status, status_reason })}
    where id = ${id} returning ${allColumns(tx)}`);
}

/** The label that was found for the account, unless somebody has written one; null: none was. */
export async function setFoundLabel(
  sql: Sql, { workspace_id, connection_id }: { workspace_id: string; connection_id: string },
  label: string | null): Promise<void> {
  await sql`
    update connections set account_label = ${label}, account_label_found = ${label}
    where workspace_id = ${workspace_id} and id = ${connection_id}
      and (account_label is null or account_label = account_label_found)`;
}

/** The connection that was removed; undefined if there was none. */
export async function deleteConnectionRow(
  tx: Transaction, id: string): Promise<ConnectionRow | undefined> {
  return await first(tx<ConnectionRow[]>`
    delete from connections c where id = ${id} returning ${allColumns(tx)}`);
}

/**
 * Notes of what kind its credentials are from now on, and whether they need nobody's consent;
 * `account_label` if it has another one with them.
 */
export async function setAuthorized(
  tx: Transaction, key: { workspace_id: string; connection_id: string },
  { auth_type, is_authorized, account_label }: {
    auth_type: ConnectionRow['auth_type']; is_authorized: boolean;
    account_label?: string | null | undefined;
  }): Promise<void> {
  await tx`
    update connections set auth_type = ${auth_type}, updated_at = now(),
      authorized_at = ${is_authorized ? tx`now()` : null} ${assignments(tx, { account_label })}
    where workspace_id = ${key.workspace_id} and id = ${key.connection_id}`;
}

/** A change of status, and its conditions. */
export interface StatusChange {
  from: readonly ConnectionStatus[];
  to: ConnectionStatus;
  /** Read by persons and agents; null if there is nothing to say. */
  reason: string | null;
  /** Only while the connection has this secret: a fault of a former secret says nothing. */
  secret_version?: string;
}

/**
 * Changes a connection's status if it is one of `from`. Answers whether it did. The secret's row is
 * locked first, so that a version that is being replaced counts as replaced.
 */
export async function setConnectionStatus(
  sql: Sql | Transaction, key: { workspace_id: string; connection_id: string },
  change: StatusChange): Promise<boolean> {
  const { workspace_id, connection_id } = key;
  const isOfVersion = change.secret_version === undefined ? sql`true` : sql`exists (
    select 1 from held where version = ${change.secret_version}::uuid)`;
  return await some(sql`
    with held as materialized (
      select version from connection_secrets
      where workspace_id = ${workspace_id} and connection_id = ${connection_id} for update)
    update connections set status = ${change.to}, status_reason = ${change.reason},
      updated_at = now()
    where workspace_id = ${workspace_id} and id = ${connection_id}
      and status = any(${[...change.from]}::text[]) and ${isOfVersion}`);
}
