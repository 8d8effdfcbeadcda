/**
 * What careful clients do: every request that creates something has an Idempotency-Key and is
 * repeated, on one node after the other, until it is answered; every stream is resumed after the
 * last event. They keep book of what they were told.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client, ContractViolation, prompt, type RunEvent } from '../support/client.ts';

const WRITERS = 4;
const WRITER_PAUSE_MS = 60;
const READERS = 12;
const GIVE_UP_MS = 30_000;
const ASK_AGAIN_MS = 250;
/** So many runs of a writer are asked for once more after they were acknowledged. */
const REPEATED_ONE_IN = 5;

const SHORT = 'call gateway.connections.list & call gatehouse.runs.list {"query": {"limit": 1}}';
const LONG = '@rehearsal words=120 delay_ms=40\ncall gateway.connections.list';

export interface Answer {
  at_ms: number;
  took_ms: number;
  /** `cut`: no answer, as the connection broke; `hung`: given up on. */
  status: number | 'cut' | 'hung';
}

export class Load {
  /** Every attempt to create a run. */
  readonly answers: Answer[] = [];
  /** Run ids by the keys that they were acknowledged under. */
  readonly acknowledged = new Map<string, string>();
  /** Keys under which a second run was answered. */
  readonly ambiguous: string[] = [];
  /** The events that were read, and when, by run. */
  readonly read = new Map<string, { event: RunEvent; at_ms: number }[]>();
  /** Streams that were opened to go on with a run. */
  resumed = 0;
  /** Answers that the contract does not allow, and events out of order. */
  readonly wrong: string[] = [];
  readonly #clients: Client[];
  readonly #name: string;
  readonly #over = new AbortController();
  #stopped = false;
  #standstill: NodeJS.Timeout | undefined;
  #done: Promise<unknown> = Promise.resolve();

  constructor(name: string, clients: Client[]) {
    this.#name = name;
    this.#clients = clients;
  }

  /** Creates sessions and begins. */
  async start(): Promise<void> {
    const sessions = await Promise.all(Array.from({ length: WRITERS * 4 + READERS }, async () =>
      (await this.#clients[0]!.expect(201, 'createSession')).id));
    this.#done = Promise.all([
      ...Array.from({ length: WRITERS }, (_, n) => this.#write(n, sessions.splice(0, 4))),
      ...Array.from({ length: READERS }, (_, n) => this.#follow(n, sessions.splice(0, 1)[0]!)),
    ]);
    this.#done.catch(() => {}); // `stop` tells.
  }

  /**
   * Creates no more, and reads what was created to its end, as long as some client gets an event
   * or an acknowledgement within this time.
   */
  async stop(standstill_ms: number): Promise<void> {
    this.#stopped = true;
    this.#standstill = setTimeout(() => {
      this.wrong.push(`clients have waited for ${standstill_ms} ms, and nothing has come`);
      this.#over.abort();
    }, standstill_ms);
    try {
      await this.#done;
    } catch (error) {
      if (!this.#over.signal.aborted) throw error;
    } finally {
      clearTimeout(this.#standstill);
      this.#standstill = undefined;
    }
  }

  async #write(writer: number, sessions: string[]): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const key = `${this.#name}-w${writer}-${n}`;
      const create = () => this.#create(key, sessions[n % sessions.length]!, SHORT);
      await create();
      if (n % REPEATED_ONE_IN === 0) await create();
      await delay(WRITER_PAUSE_MS);
    }
  }

  async #follow(reader: number, session_id: string): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const run_id = await this.#create(`${this.#name}-r${reader}-${n}`, session_id, LONG);
      await this.#read(run_id, reader);
    }
  }

  /** Asks until there is an answer; answers the run's id. */
  async #create(key: string, session_id: string, text: string): Promise<string> {
    for (let attempt = this.acknowledged.size; ; attempt++) {
      const client = this.#clients[attempt % this.#clients.length]!;
      const at_ms = Date.now();
      const status = await this.#ask(client, key, session_id, text);
      this.answers.push({ at_ms, took_ms: Date.now() - at_ms, status });
      if (status === 202) {
        this.#standstill?.refresh();
        return this.acknowledged.get(key)!;
      }
      this.#over.signal.throwIfAborted();
      await delay(ASK_AGAIN_MS);
    }
  }

  async #ask(client: Client, key: string, session_id: string, text: string) {
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    try {
      const answer = await client.call('createRun', {
        path: { session_id }, headers: { 'idempotency-key': key }, body: prompt(text), signal });
      if (answer.status === 202) {
        const { id } = answer.body;
        if ((this.acknowledged.get(key) ?? id) !== id) this.ambiguous.push(key);
        this.acknowledged.set(key, id);
      } else if (answer.status !== 503 && answer.status !== 409) {
        this.wrong.push(JSON.stringify(answer.body));
      }
      return answer.status;
    } catch (error) {
      if (error instanceof ContractViolation) this.wrong.push(error.message);
      return signal.aborted ? 'hung' : 'cut';
    }
  }

  async #read(run_id: string, reader: number): Promise<void> {
    const events: { event: RunEvent; at_ms: number }[] = [];
    this.read.set(run_id, events);
    for (let attempt = reader; ; attempt++) {
      const client = this.#clients[attempt % this.#clients.length]!;
      try {
        const query = { starting_after: events.length };
        const options = { path: { run_id }, query, signal: this.#over.signal };
        for await (const event of client.events('streamRunEvents', options)) {
          if (event.sequence_number !== events.length + 1) {
            this.wrong.push(`${run_id}: ${event.sequence_number} after ${events.length}`);
          }
          events.push({ event, at_ms: Date.now() });
          this.#standstill?.refresh();
          if (/^run\.(completed|failed|cancelled)$/.test(event.type)) return;
        }
      } catch (error) {
        if (error instanceof ContractViolation) this.wrong.push(error.message);
        // A run that was acknowledged and is not there would be asked for without an end.
        if (/answered 404/.test((error as Error).message)) {
          this.wrong.push(`${run_id}: ${(error as Error).message}`);
          return;
        }
      }
      this.#over.signal.throwIfAborted();
      this.resumed += 1;
      await delay(ASK_AGAIN_MS);
    }
  }
}
