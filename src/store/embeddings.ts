/** Vectors of the texts of actions, and the lease of the node that has more of them made. */
import type { Sql, Transaction } from './database.ts';
import { deleteSome, first, tableOf } from './rows.ts';

/** A text by its SHA-256 in hex, and its vector as bytes. */
export interface EmbeddingRow {
  sha256: string;
  vector: Buffer;
}

/** Those of these texts that there are for a model. */
export async function readEmbeddings(
  sql: Sql, model: string, sha256s: readonly string[]): Promise<EmbeddingRow[]> {
  return await sql<EmbeddingRow[]>`
    select encode(text_sha256, 'hex') as sha256, vector from embeddings
    where model = ${model} and text_sha256 in ${hashes(sql, sha256s)}`;
}

/** Notes that these texts are in use today. */
export async function noteEmbeddings(
  sql: Sql, model: string, sha256s: readonly string[]): Promise<void> {
  await sql`
    update embeddings set seen_on = current_date
    where model = ${model} and text_sha256 in ${hashes(sql, sha256s)}
      and seen_on < current_date`;
}

/** Who computes, for how long at least, and how far it is. */
export interface EmbeddingLease {
  model: string;
  node_id: string;
  lease_ms: number;
  texts: number;
  computed: number;
}

/**
 * Takes the work on a model's vectors; answers how often it has failed since something succeeded.
 * Undefined: another node is at it, or it rests after a failure. Neither counts if it was written
 * before the clock was set back: it would hold until that has come there.
 */
export async function takeEmbeddingWork(
  sql: Sql, { model, node_id, lease_ms, texts, computed }: EmbeddingLease,
): Promise<{ failures: number } | undefined> {
  return await first(sql<{ failures: number }[]>`
    insert into embedding_work as w (model, node_id, lease_until, texts, computed)
    values (${model}, ${node_id}, now() + ${lease_ms} * interval '1 ms', ${texts}, ${computed})
    on conflict (model) do update set node_id = excluded.node_id, texts = excluded.texts,
      lease_until = excluded.lease_until, computed = excluded.computed, updated_at = now(),
      retry_at = least(w.retry_at, now())
    where w.retry_at <= now() and (w.node_id = excluded.node_id or w.lease_until <= now())
      or w.updated_at > now() + interval '1 minute'
    returning failures`);
}

/** Stores vectors and goes on with the lease; false: another node has it. */
export async function storeEmbeddings(
  sql: Sql, { model, node_id, lease_ms, texts, computed }: EmbeddingLease,
  rows: readonly EmbeddingRow[],
): Promise<boolean> {
  const given = rows.map(({ sha256, vector }) => ({ sha256, vector: vector.toString('base64') }));
  const renewed = await sql`
    with stored as (
      insert into embeddings (model, text_sha256, vector)
      select ${model}, decode(sha256, 'hex'), decode(vector, 'base64')
      from ${tableOf(sql, 'new', given, { sha256: 'text', vector: 'text' })}
      on conflict do nothing)
    update embedding_work set lease_until = now() + ${lease_ms} * interval '1 ms',
      texts = ${texts}, computed = ${computed}, failures = 0, failure = null, updated_at = now()
    where model = ${model} and node_id = ${node_id}`;
  return renewed.count > 0;
}

/** Ends the lease; the work is all done as far as this node knows, or another may go on. */
export async function leaveEmbeddingWork(
  sql: Sql, { model, node_id, texts, computed }: Omit<EmbeddingLease, 'lease_ms'>,
): Promise<void> {
  await sql`
    update embedding_work set lease_until = '-infinity', texts = ${texts}, computed = ${computed},
      updated_at = now()
    where model = ${model} and node_id = ${node_id}`;
}

/** Ends the lease of a node whose request has failed; no node tries again before that time. */
export async function failEmbeddingWork(
  sql: Sql, { model, node_id }: Pick<EmbeddingLease, 'model' | 'node_id'>,
  { failure, retry_in_ms }: { failure: string; retry_in_ms: number }): Promise<void> {
  await sql`
    update embedding_work set lease_until = '-infinity', failures = failures + 1,
      failure = ${failure}, retry_at = now() + ${retry_in_ms} * interval '1 ms', updated_at = now()
    where model = ${model} and node_id = ${node_id}`;
}

/** How far the vectors of a model are, as the node says that was last at it. */
export interface EmbeddingProgress {
  texts: number;
  computed: number;
  failure: string | null;
}

export async function embeddingProgress(
  sql: Sql, model: string): Promise<EmbeddingProgress | undefined> {
  return await first(sql<EmbeddingProgress[]>`
    select texts, computed, failure from embedding_work where model = ${model}`);
}

/**
 * Removes up to `limit` vectors that no node has used for 30 days: of former texts and models.
 * Answers how many. Who switches all nodes off for longer pays for them once more.
 */
export async function removeUnusedEmbeddings(
  sql: Sql | Transaction, limit: number): Promise<number> {
  const removed = await deleteSome(
    sql, sql`embeddings`, sql`seen_on < current_date - 30`, limit);
  await sql`
    delete from embedding_work as w where updated_at < now() - interval '30 days'
      and not exists (select from embeddings as e where e.model = w.model)`;
  return removed;
}

function hashes(sql: Sql, sha256s: readonly string[]) {
  return sql`(select decode(one, 'hex') from unnest(${sha256s as string[]}::text[]) as one)`;
}
