/** Facts about the database that the doctor tells an operator; changes nothing. */
import { hasNoRoom } from '../errors.ts';
import type { ConnectionRow, ConnectionStatus } from './connections.ts';
import type { Sql } from './database.ts';
import { databaseTarget, placeOf } from './driver/databaseTarget.ts';
import { weekOf } from './partitions.ts';
import { conditions, first, only, type Filter } from './rows.ts';

export interface ServerFacts {
  version: string;
  standby: boolean;
  /** Whether it takes no writes, as a standby never does. */
  read_only: boolean;
  synchronous_commit: string;
  /** `alter …` of what has set it, before the server's own settings; null: nothing has. */
  set_by: string | null;
  fsync: string;
  /** The version of TLS by which the server, or a pooler, is asked; null: there is none. */
  tls: string | null;
  /** Commits of this database that have waited for a synchronous standby for seconds. */
  unconfirmed: number;
}

export async function serverFacts(sql: Sql): Promise<ServerFacts> {
  return await only(sql<ServerFacts[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_is_in_recovery() as standby,
      current_setting('transaction_read_only') = 'on' as read_only,
      current_setting('synchronous_commit') as synchronous_commit,
      (select case source
        when 'user' then format('alter role %I', session_user)
        when 'database' then format('alter database %I', current_database())
        when 'database user'
          then format('alter role %I in database %I', session_user, current_database()) end
        from pg_settings where name = 'synchronous_commit') as set_by,
      current_setting('fsync') as fsync,
      (select version from pg_stat_ssl where pid = pg_backend_pid()) as tls,
      (select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'
        and datname = current_database()
        and state_change < clock_timestamp() - interval '2 seconds') as unconfirmed`);
}

/** Of what `hasRoom` makes: some 1 MB. Much more could be what the log of the database needs. */
const ROWS = 80_000;
/** The role may write no more for a query: that says nothing of the disk. */
const TEMP_FILE_LIMIT = '53400';

/**
 * Whether the disk of the database takes another megabyte. PostgreSQL tells nobody how full it is,
 * but rows that do not fit into a query's memory are written there, for its time alone.
 */
export async function hasRoom(sql: Sql): Promise<boolean> {
  try {
    await sql.begin(async (transaction) => {
      await transaction`select set_config('work_mem', '64kB', true),
        set_config('temp_tablespaces', '', true)`;
      await transaction`select count(*) from generate_series(1, ${ROWS}::int)`;
    });
    return true;
  } catch (error) {
    if (hasNoRoom(error)) return false;
    if ((error as { code?: string }).code === TEMP_FILE_LIMIT) return true;
    throw error;
  }
}

export interface ConnectionFacts {
  /** The limit for this role: the least of the server's, the database's and the role's own. */
  max: number;
  used: number;
  /** Those of `used` that Gatehouse has opened, by their name; without this connection. */
  ours: number;
}

export async function connectionFacts(sql: Sql): Promise<ConnectionFacts> {
  return await only(sql<ConnectionFacts[]>`
    select
      least(
        current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0), -- since PostgreSQL 16
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as max,
      count(*) filter (where pid <> pg_backend_pid())::int as used,
      count(*) filter (where pid <> pg_backend_pid() and datname = current_database()
        and application_name like 'gatehouse%')::int as ours
    from pg_stat_activity
    -- Of the connections of other roles only some roles see the type.
    where backend_type = 'client backend'
      or backend_type is null and datid is not null and usesysid is not null`);
}

export interface ForeignOwner {
  owner: string;
  role: string;
  may_read: boolean;
}

/** Who owns the tables, if this role may not act as their owner, which a start needs. */
export async function foreignOwner(sql: Sql): Promise<ForeignOwner | undefined> {
  return await first(sql<ForeignOwner[]>`
    select pg_get_userbyid(relowner) as owner, current_user::text as role,
      has_table_privilege(oid, 'select') as may_read
    from pg_class
    where oid = to_regclass('schema_migrations') and not pg_has_role(relowner, 'usage')`);
}

/** The database's clock, as milliseconds since 1970. */
export async function databaseClock(sql: Sql): Promise<number> {
  const { now_ms } = await only(sql<{ now_ms: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`);
  return now_ms;
}

/** Partitions of `run_events` that the coming `days` need and that are not there. */
export async function missingPartitions(
  sql: Sql, now_ms: number, days: number): Promise<string[]> {
  const names = [...new Set([now_ms, now_ms + days * 86_400_000].map((at) => weekOf(at).name))];
  const rows = await sql<{ name: string }[]>`
    select wanted.name from unnest(${names}::text[]) as wanted (name)
    where not exists (
      select from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'run_events'::regclass and c.relname = wanted.name)`;
  return rows.map(({ name }) => name);
}

/** Workers by whether their lease runs; those that stopped in order have no row. */
export async function workerLeases(sql: Sql): Promise<{ alive: number; lost: number }> {
  return await only(sql<{ alive: number; lost: number }[]>`
    select count(*) filter (where lease_until > clock_timestamp())::int as alive,
      count(*) filter (where lease_until <= clock_timestamp())::int as lost
    from workers`);
}

/** How many connections have each status, of all workspaces or of one, `except` for these slugs. */
export async function countConnections(
  sql: Sql, filter: Filter<'workspace_id'>, except: readonly string[],
): Promise<Map<ConnectionStatus, number>> {
  const rows = await sql<{ status: ConnectionStatus; count: number }[]>`
    select status, count(*)::int as count from connections
    where integration <> all(${[...except]}::text[]) ${conditions(sql, filter)}
    group by status order by status`;
  return new Map(rows.map(({ status, count }) => [status, count]));
}

export type BrokenConnection = Pick<ConnectionRow,
  'id' | 'workspace_id' | 'integration' | 'name' | 'status' | 'status_reason' | 'auth_type'>;

/** Connections that wait for a person, of all workspaces or of one, the oldest first. */
export function brokenConnections(
  sql: Sql, limit: number, filter: Filter<'workspace_id'> = {}): Promise<BrokenConnection[]> {
  return sql<BrokenConnection[]>`
    select id, workspace_id, integration, name, status, status_reason, auth_type from connections
    where status in ('needs_reconnect', 'pending') ${conditions(sql, filter)}
    order by status, id limit ${limit}`;
}

/** Where a database URL leads, without its user and password. Throws as `connect` does. */
export function databasePlace(url: string): string {
  const { addresses, database = '' } = databaseTarget(url);
  return `${addresses.map(placeOf).join(', ')}/${database}`;
}
