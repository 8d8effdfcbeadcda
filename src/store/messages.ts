import type { Sql } from './database.ts';
import { first, only, PAGE_BYTES, type Page, type RowOf, type SizedPage } from './rows.ts';

export interface MessageRow extends RowOf<'Message', 'model' | 'usage'> {
  /** For a model's message: the model, the step's usage, and parts that its provider needs back. */
  provider: {
    model: string; parts: unknown[]; usage?: { input_tokens: number; output_tokens: number };
  } | null;
}

export interface PlacedMessage extends MessageRow {
  /** Its place in the transcript, as callers may hold it: `run_id.position`. */
  place: string;
}

const PLACE = /^(\w{1,64})\.(\d{1,9})$/;

/**
 * A page of a session's transcript; undefined if `after_id` is the place of no message of this
 * session. Of what providers need back it has the model and the usage.
 *
 * It is read message by message, each by the index after the one before, so that it costs by its
 * size, however long the transcript is and however large the messages are that follow.
 */
export async function pageMessages(
  sql: Sql, workspace_id: string, session_id: string, { limit, order, after_id = null }: Page,
): Promise<SizedPage<PlacedMessage> | undefined> {
  const place = after_id === null
    ? null : await findPlace(sql, workspace_id, session_id, after_id);
  if (place === undefined) return undefined;
  const [beyond, sorted] = order === 'asc'
    ? [sql`>`, sql`order by run_seq, position limit 1`]
    : [sql`<`, sql`order by run_seq desc, position desc limit 1`];
  const one = sql`
    from messages where workspace_id = ${workspace_id} and session_id = ${session_id}`;
  const columns = sql`
    id, run_id, role, content, provider, created_at, run_seq, position,
    octet_length(content::text)::bigint as bytes`;
  const rows = await sql<(PlacedMessage & { found: number })[]>`
    with recursive page as (
      (select ${columns}, 0::bigint as before, 1 as nth ${one}
        ${place ? sql`and (run_seq, position) ${beyond}
          (${place.run_seq}::bigint, ${place.position}::int)` : sql``} ${sorted})
      union all
      select next.* from page p cross join lateral (
        select ${columns}, p.before + p.bytes, p.nth + 1 ${one}
          and (run_seq, position) ${beyond} (p.run_seq, p.position) ${sorted}) next
      where p.nth <= ${limit} and p.before < ${PAGE_BYTES})
    select id, run_id, role, content, created_at, run_id || '.' || position as place,
      case when provider is not null then json_build_object(
        'model', provider->'model', 'usage', provider->'usage') end as provider,
      (select count(*)::int from page) as found
    from page where nth <= ${limit} and before < ${PAGE_BYTES} order by nth`;
  return { rows, has_more: rows.length < (rows[0]?.found ?? 0) };
}

/** Where a place is in the transcript; undefined if it is none of this session. */
async function findPlace(
  sql: Sql, workspace_id: string, session_id: string, place: string,
): Promise<{ run_seq: number; position: number } | undefined> {
  const [, run_id = '', position] = PLACE.exec(place) ?? [];
  // The number of a run counts the runs of everybody, so that no place holds it.
  const run = await first(sql<{ seq: number }[]>`
    select seq from runs where workspace_id = ${workspace_id} and id = ${run_id}
      and session_id = ${session_id}`);
  return run && { run_seq: run.seq, position: Number(position) };
}

/** So many messages are read at once: the first ones, and at most. */
const CHUNK = { first: 128, most: 4_096 };
/** At most so many runs are counted that are left out. */
export const COUNTED_RUNS = 10_000;

/** A message as runs that follow it need it. */
export interface TranscriptRow extends Pick<MessageRow, 'run_id' | 'role' | 'content'> {
  provider: MessageRow['provider'];
  run_seq: number;
  /** About what it takes. */
  bytes: number;
}

export interface TranscriptRange {
  /** The first run that is wanted, by its number. */
  from_seq?: number;
  /** The run that reads. */
  up_to_seq: number;
  limit_bytes: number;
}

/**
 * A session's transcript up to a run, oldest first: the run's own messages, and of the runs before
 * it the newest that together have about `limit_bytes`. `runs_left_out` is how many are older, if
 * some that were wanted are. It is read in pieces from its end, so that it takes no more than that,
 * however long the session is.
 */
export async function readTranscript(
  sql: Sql, workspace_id: string, session_id: string,
  { from_seq = 0, up_to_seq, limit_bytes }: TranscriptRange,
): Promise<{ messages: TranscriptRow[]; runs_left_out: number }> {
  type Read = TranscriptRow & { position: number; found: number };
  const read: Read[] = [];
  let [bytes, chunk, more] = [0, CHUNK.first, true];
  while (more) {
    const last = read.at(-1) ?? { run_seq: up_to_seq + 1, position: 0 };
    const rows = await sql<Read[]>`
      select run_seq, position, run_id, role, content, provider, bytes, found from (
        select *, count(*) over ()::int as found, coalesce(sum(bytes) over (
          order by run_seq desc, position desc
          rows between unbounded preceding and 1 preceding), 0) as before
        from (
          select run_seq, position, run_id, role, content, provider,
            octet_length(content::text) + coalesce(octet_length(provider::text), 0) as bytes
          from messages where workspace_id = ${workspace_id} and session_id = ${session_id}
            and (run_seq, position) < (${last.run_seq}::bigint, ${last.position}::int)
            and run_seq >= ${from_seq}
          order by run_seq desc, position desc limit ${chunk}) newest) measured
      where before < ${Math.max(1, limit_bytes - bytes)} or run_seq = ${up_to_seq}
      order by run_seq desc, position desc`;
    read.push(...rows);
    bytes += rows.reduce((sum, row) => sum + row.bytes, 0);
    more = rows.length === chunk;
    const mean = Math.max(1, bytes / read.length);
    chunk = Math.min(CHUNK.most, Math.max(CHUNK.first, Math.ceil((limit_bytes - bytes) / mean)));
    // The first row comes in any case, so that no row means that there is none.
    if (!more && rows.length === (rows[0]?.found ?? 0)) {
      return { messages: read.reverse().map(bare), runs_left_out: 0 };
    }
  }
  // What is left of the oldest run is not all of it: a conversation begins with what was asked.
  const oldest = read.at(-1)!.run_seq;
  const whole = read.filter(({ run_seq }) => run_seq > oldest || run_seq === up_to_seq);
  const { count } = await only(sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from runs where workspace_id = ${workspace_id} and session_id = ${session_id}
        and seq < ${whole.at(-1)?.run_seq ?? up_to_seq} limit ${COUNTED_RUNS}) earlier`);
  return { messages: whole.reverse().map(bare), runs_left_out: count };
}

function bare({ run_id, role, content, provider, run_seq, bytes }: TranscriptRow): TranscriptRow {
  return { run_id, role, content, provider, run_seq, bytes };
}

/** The messages of one run that hold its tool calls, for their summaries. */
export function listAssistantMessages(
  sql: Sql, workspace_id: string, session_id: string, run_seq: number): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select id, run_id, role, content, provider, created_at from messages
    where workspace_id = ${workspace_id} and session_id = ${session_id} and run_seq = ${run_seq}
      and role = 'assistant'
    order by position`;
}
