import { LRUCache } from 'lru-cache';
import type { TranscriptMessage } from '../models/model.ts';
import type { Sql } from '../store/database.ts';
import { COUNTED_RUNS, readTranscript, type TranscriptRow } from '../store/messages.ts';
import type { ClaimedRun } from '../store/runs.ts';

/**
 * Of a long session the newest messages are read, several times what a prompt holds: the results of
 * earlier calls are the first to be left out of one, and the words around them stay.
 */
const TRANSCRIPT_BYTES = 4_194_304;
const TRANSCRIPT_BYTES_PER_TOKEN = 8;

/** The part of the limit that is freed at once when a transcript has grown beyond it. */
const SPARE = 0.25;

/** What is kept of all sessions together. */
const KEPT_BYTES = 33_554_432;
/** What a message takes in memory besides its text. */
const MESSAGE_BYTES = 500;
/** A session with fewer messages is read as fast as the newest of them. */
const WORTH_KEEPING = 64;

export interface Transcript {
  /** In order; the caller may append to it. */
  messages: TranscriptMessage[];
  /** How many of the session's first runs it leaves out. */
  runs_left_out: number;
}

interface Kept {
  messages: TranscriptRow[];
  /** What these messages take. */
  bytes: number;
  runs_left_out: number;
  /** The first run that it does not hold, by its number. */
  up_to_seq: number;
}

/**
 * The transcripts that runs go on from. What came before a run that is being executed has ended and
 * never changes; so this process keeps it for as long as the session is worked in, and the next run
 * of the session reads what is new since then. With all of it read and made a prompt of anew, the
 * 2,000th run of a session took the process four times as much CPU as the 10th; now 1.6 times.
 */
export class Transcripts {
  readonly #sql: Sql;
  readonly #limit_bytes: number;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ messages, bytes }) => bytes + messages.length * MESSAGE_BYTES,
  });

  /** `context_tokens`: what the models' context holds. */
  constructor(sql: Sql, context_tokens: number) {
    this.#sql = sql;
    this.#limit_bytes = Math.max(TRANSCRIPT_BYTES, context_tokens * TRANSCRIPT_BYTES_PER_TOKEN);
  }

  /** The session's messages up to a run that is being executed, its own included. */
  async read(
    { workspace_id, session_id, seq }: Pick<ClaimedRun, 'workspace_id' | 'session_id' | 'seq'>,
  ): Promise<Transcript> {
    const key = `${workspace_id} ${session_id}`;
    const last = this.#kept.get(key);
    // Runs of a session are executed in their order, but for numbers that a failover has lost.
    const kept = last !== undefined && last.up_to_seq <= seq ? last : undefined;
    const news = await readTranscript(this.#sql, workspace_id, session_id, {
      from_seq: kept?.up_to_seq, up_to_seq: seq, limit_bytes: this.#limit_bytes });
    // If the new messages alone exceed the limit, the kept ones before them have no room.
    const { messages, bytes, runs_left_out } = kept === undefined || news.runs_left_out > 0
      ? { ...news, bytes: sizeOf(news.messages) } : newest(kept, news.messages, this.#limit_bytes);
    const own = messages.slice(ownFrom(messages, seq));
    const earlier = messages.length - own.length;
    if (earlier >= WORTH_KEEPING) {
      this.#kept.set(key, { messages: messages.slice(0, earlier), bytes: bytes - sizeOf(own),
        runs_left_out, up_to_seq: seq });
    }
    // The columns are the fields of a message.
    return { messages: messages as unknown as TranscriptMessage[], runs_left_out };
  }
}

/** Where the messages of that run begin, which are the last. */
function ownFrom(messages: readonly TranscriptRow[], seq: number): number {
  return messages.findLastIndex(({ run_seq }) => run_seq < seq) + 1;
}

/**
 * What is kept and what is new, without the oldest runs if that is too much: then a quarter more
 * goes, so that the transcripts of the runs that follow begin alike, and with them what is made of
 * these.
 */
function newest(
  { messages: kept, bytes: kept_bytes, runs_left_out }: Kept, news: TranscriptRow[],
  limit_bytes: number): { messages: TranscriptRow[]; bytes: number; runs_left_out: number } {
  let bytes = kept_bytes + sizeOf(news);
  const aim_bytes = bytes > limit_bytes ? limit_bytes * (1 - SPARE) : bytes;
  let first = 0;
  let dropped = 0;
  while (bytes > aim_bytes && first < kept.length) {
    const { run_seq } = kept[first]!;
    for (; kept[first]?.run_seq === run_seq; first++) bytes -= kept[first]!.bytes;
    dropped += 1;
  }
  return {
    messages: [...kept.slice(first), ...news],
    bytes,
    runs_left_out: Math.min(COUNTED_RUNS, runs_left_out + dropped),
  };
}

function sizeOf(messages: TranscriptRow[]): number {
  return messages.reduce((sum, { bytes }) => sum + bytes, 0);
}
