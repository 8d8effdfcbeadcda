/**
 * The plain claim design, as most queues on PostgreSQL are: a table with a status, claimed by
 * `for update skip locked`, one statement for each transition, each of them with its event. It has
 * no sessions and no order, no messages, and no recovery: it does less than Gatehouse does.
 */
import { newId } from '../../src/ids.ts';
import { connect, type Sql } from '../../src/store/database.ts';

const SCHEMA = `
  create schema plain;
  create table plain.runs (
    id text collate "C" primary key, seq bigint generated always as identity,
    status text not null default 'queued', attempt integer not null default 0,
    last_seq integer not null, input json not null, output json,
    created_at timestamptz not null default now(), started_at timestamptz,
    finished_at timestamptz) with (fillfactor = 70);
  create index runs_queued on plain.runs (seq) where status = 'queued';
  create table plain.run_events (
    run_id text collate "C" not null, seq integer not null, type text not null,
    created_at timestamptz not null default clock_timestamp(), data json not null,
    primary key (run_id, seq));`;
const INPUT = '[{"role":"user","content":[{"type":"input_text","text":"hello"}]}]';

export class PlainQueue {
  readonly #sql: Sql;
  /** Called when a run begins to be executed. */
  onStart: (run_id: string) => void = () => {};
  /** Called when a run's end is committed. */
  onEnd: () => void = () => {};
  readonly #idle: (() => void)[] = [];
  #stopped = false;
  #slots: Promise<unknown> = Promise.resolve();

  private constructor(sql: Sql) {
    this.#sql = sql;
  }

  static async open(url: string, connections: number): Promise<PlainQueue> {
    const sql = connect(url, { max: connections });
    await sql.unsafe(SCHEMA);
    return new PlainQueue(sql);
  }

  async enqueue(): Promise<void> {
    await this.#sql`
      with created as (
        insert into plain.runs (id, last_seq, input)
        values (${newId('run')}, 1, ${INPUT}::text::json) returning id, input)
      insert into plain.run_events (run_id, seq, type, data)
      select id, 1, 'run.created', json_build_object('status', 'queued', 'input', input)
      from created`;
    this.#idle.shift()?.();
  }

  /** Executes runs, so many at once, until `stop`. */
  start(concurrency: number): void {
    this.#stopped = false;
    this.#slots = Promise.all(Array.from({ length: concurrency }, () => this.#work()));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const wake of this.#idle.splice(0)) wake();
    await this.#slots;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#sql.end({ timeout_ms: 1_000 });
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      const run = await this.#claim();
      if (run) {
        this.onStart(run.id);
        await this.#finish(run);
        this.onEnd();
      } else if (!this.#stopped) {
        await new Promise<void>((resolve) => this.#idle.push(resolve));
      }
    }
  }

  async #claim(): Promise<{ id: string; attempt: number } | undefined> {
    const [run] = await this.#sql<{ id: string; attempt: number }[]>`
      with claimed as (
        update plain.runs set status = 'running', attempt = attempt + 1, last_seq = last_seq + 1,
          started_at = clock_timestamp()
        where id = (
          select id from plain.runs where status = 'queued' order by seq limit 1
          for update skip locked)
        returning id, attempt, last_seq
      ), started as (
        insert into plain.run_events (run_id, seq, type, data)
        select id, last_seq, 'run.started', json_build_object('attempt', attempt) from claimed)
      select id, attempt from claimed`;
    return run;
  }

  async #finish({ id, attempt }: { id: string; attempt: number }): Promise<void> {
    await this.#sql`
      with ended as (
        update plain.runs set status = 'completed', last_seq = last_seq + 1, output = '[]',
          finished_at = clock_timestamp()
        where id = ${id} and attempt = ${attempt} and status = 'running' returning id, last_seq)
      insert into plain.run_events (run_id, seq, type, data)
      select id, last_seq, 'run.completed', '{"output":[]}' from ended`;
  }
}
