/**
 * Every advisory lock that is taken in the database. They are named by numbers, of which each
 * database has one room for single ones and another one for pairs. A lock for each of many things
 * is named by a text, of which the server makes the number by `hashtextextended`: two texts that
 * give one number would only wait for each other.
 *
 * Locks that begin with `xact` end with their transaction, and work through a pooler; the others
 * belong to a connection.
 */

/** Shared by every process that uses an embedded server; who can take it alone stops the server. */
export const EMBEDDED_USERS_LOCK = 4_735_270_912;

/** Held by the one process that leads those of an embedded server, for as long as it lives. */
export const EMBEDDED_LEADER_LOCK = 4_735_270_916;

/** One node brings the database up to date; others try again and again until it has. */
export const MIGRATION_LOCK = 4_735_270_913;

/** The first credentials of a database are made by one of those that find none. */
export const FIRST_CREDENTIALS_LOCK = 4_735_270_917;

/** Partitions of events are made and dropped by one node at a time. */
export const PARTITION_LOCK = 4_735_270_914;

/** One node adds up what was stored; the others skip it. */
export const STORAGE_LOCK = 473_527_092;

/** With the number of a task, as a pair: one node keeps that part of the house, others skip it. */
export const HOUSEKEEPING_LOCK = 473_527_091;

/** Who starts learns by it whether two addresses lead to one database; `start` names who. */
export const sameDatabaseLock = (start: string): string => `same database ${start}`;

/**
 * A worker holds this on a connection of its own for as long as it lives; that it is free tells
 * others that the worker is gone (bury_workers looks into pg_locks for it).
 */
export const workerLock = (worker_id: string): string => worker_id;

/** Two calls at once that need the same approval ask for one. */
export const approvalLock = (workspace_id: string, input_sha256: Buffer): string =>
  `${workspace_id} ${input_sha256.toString('hex')}`;

/**
 * Approvals that wait in a workspace are counted before one is added. Taken after `approvalLock`,
 * always, so that no two wait for each other.
 */
export const pendingApprovalsLock = (workspace_id: string): string =>
  `approvals of ${workspace_id}`;

/**
 * Whoever repeats a request while the first is under way learns it at once. Its number is made with
 * another seed: a client writes a part of the text.
 */
export const idempotencyLock = (workspace_id: string, asker: string, key: string): string =>
  `${workspace_id} ${asker} ${key}`;

export const IDEMPOTENCY_SEED = 1;

/** Those that functions of the database take, as it is written there, and in which of them. */
export const LOCKS_OF_FUNCTIONS: Readonly<Record<string, string[]>> = {
  // One transaction of all nodes appends to the audit log: each hash is over the one before it.
  '4735270915': ['append_audit', 'append_calls_to_audit'],
  // Where a limit of a workspace leaves fewer places than all workers could take, they claim one
  // after the other. Taken in the order of names, so that no two wait for each other.
  "hashtextextended('claim ' || c.name, 0)": ['claim_next'],
  // One node ends what runs in the name of a key or workspace; the others skip it.
  "hashtextextended('end ' || p_workspace_id || ' ' || coalesce(p_api_key_id, ''), 0)":
    ['cancel_open_runs'],
};
