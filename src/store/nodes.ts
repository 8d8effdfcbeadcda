import type { Sql, Transaction } from './database.ts';
import { only } from './rows.ts';

const CLOCK_TOLERANCE_MS = 5_000;

/** Whether a clock is wrong that is ahead of the database's by so much; null: nobody knows. */
export function isWrongClock(offset_ms: number | null): boolean {
  return Math.abs(offset_ms ?? 0) > CLOCK_TOLERANCE_MS;
}

/** What a node tells of itself. */
export interface NodeRow {
  id: string;
  host: string;
  pid: number;
  /** Fingerprints by the names of the keys. */
  master_keys: Record<string, string>;
  settings: Record<string, string | number | null>;
  /** Null if it runs none. */
  worker_id: string | null;
  /** The fingerprint of the key it seals with; null if it has none. */
  seals_with: string | null;
  /** By how much its clock is ahead of the database's; null if it has not measured that yet. */
  clock_offset_ms: number | null;
}

/**
 * Tells of a node, or that it still lives, for so long. Answers the time of the database, in
 * milliseconds since 1970.
 */
export async function announceNode(sql: Sql, node: NodeRow, lease_ms: number): Promise<number> {
  const { now_ms } = await only(sql<{ now_ms: number }[]>`
    insert into nodes (id, host, pid, master_keys, settings, worker_id, seals_with,
      clock_offset_ms, lease_until)
    values (${node.id}::text::uuid, ${node.host}, ${node.pid},
      ${JSON.stringify(node.master_keys)}::text::json,
      ${JSON.stringify(node.settings)}::text::json, ${node.worker_id}, ${node.seals_with},
      ${node.clock_offset_ms}::float8,
      clock_timestamp() + ${lease_ms} * interval '1 millisecond')
    on conflict (id) do update
      set lease_until = excluded.lease_until, clock_offset_ms = excluded.clock_offset_ms
    returning (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`);
  return now_ms;
}

export async function removeNode(sql: Sql, id: string): Promise<void> {
  await sql`delete from nodes where id = ${id}::text::uuid`;
}

/**
 * Removes nodes that ended long ago without a word, or before the clock of the database was set
 * back: they would count as living until it has come there. One that lives tells of itself again.
 */
export async function removeDeadNodes(tx: Transaction): Promise<number> {
  const removed = await tx`
    delete from nodes where lease_until not between
      clock_timestamp() - interval '1 hour' and clock_timestamp() + interval '5 minutes'`;
  return removed.count;
}

/** The nodes that live, as far as they have told. */
export function liveNodes(sql: Sql): Promise<NodeRow[]> {
  return sql<NodeRow[]>`
    select id, host, pid, master_keys, settings, worker_id, seals_with, clock_offset_ms from nodes
    where lease_until > clock_timestamp() order by host, pid`;
}

/** How many workers live that no living node tells of. */
export async function countSilentWorkers(sql: Sql): Promise<number> {
  const { count } = await only(sql<{ count: number }[]>`
    select count(*)::int as count from workers where lease_until > clock_timestamp()
      and not exists (select from nodes where nodes.worker_id = workers.id
        and nodes.lease_until > clock_timestamp())`);
  return count;
}

/** How a person finds it. */
export function nameOfNode({ host, pid, settings }: NodeRow): string {
  return `process ${pid} on ${host} (${settings.role})`;
}
