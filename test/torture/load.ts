/**
 * Load: clients that create runs, wait for some, cancel some, hang up now and then, and readers
 * that follow them. Everything that was acknowledged goes into the ledger.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { prompt, type Schemas } from '../support/client.ts';
import { CarefulClient } from './carefulClient.ts';
import type { Lab } from './lab.ts';
import { Random } from './random.ts';
import { followRun } from './reader.ts';
import { writeCall } from './upstream.ts';

/** What a client does between two runs, so that they do not only queue up. */
const PAUSE_MS = 150;
/**
 * Clients make no more runs while so many are open. A slow machine would else be given work for
 * longer the slower it is: while a node starts, the others' queues would grow without a bound.
 */
const MOST_OPEN = 40;
const MOST_RUNS = 50_000;
/** Of the calls, how many change something. */
const WRITE_SHARE = 0.4;

export interface LoadOptions {
  clients?: number;
  sessions?: number;
  /** Runs that have a reader. */
  read_share?: number;
  cancel_share?: number;
}

export class Load {
  /** Runs that were acknowledged. */
  count = 0;
  readonly #done: Promise<void>;
  #stopping = false;
  #finished = false;
  readonly #lab: Lab;
  readonly #options: Required<LoadOptions>;
  readonly #name: string;
  readonly #waiting: { count: number; resolve: () => void }[] = [];
  readonly #readers: Promise<void>[] = [];
  readonly #sessions: string[] = [];

  /** Begins at once; goes on until `finish`. */
  constructor(lab: Lab, random: Random, options: LoadOptions = {}) {
    this.#lab = lab;
    this.#name = `load-${random.seed}-${lab.ledger.runs.size}`;
    this.#options = { clients: 6, sessions: 8, read_share: 0.4, cancel_share: 0.1, ...options };
    this.#done = this.#work(random).finally(() => {
      this.#finished = true;
      for (const { resolve } of this.#waiting) resolve();
    });
    // Whoever waits for something else first must not die of it.
    this.#done.catch(() => {});
  }

  /** Resolves when so many more runs were acknowledged. Rejects if the load broke off. */
  async more(runs: number): Promise<void> {
    const count = this.count + runs;
    if (!this.#finished) {
      await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    }
    if (this.#finished) await this.#done;
  }

  /** Ends it: all that was asked for is acknowledged, and every reader has come to the end. */
  async finish(): Promise<void> {
    this.#stopping = true;
    await this.#done;
  }

  async #work(random: Random): Promise<void> {
    const { clients, sessions } = this.#options;
    const first = new CarefulClient(this.#lab, random.fork('sessions'));
    await this.#lab.openUpstream(random.fork('upstream'));
    await Promise.all(Array.from({ length: sessions }, async () => {
      this.#sessions.push(await first.createSession());
    }));
    await Promise.all(Array.from({ length: clients }, (_, index) =>
      this.#client(random.fork(`client ${index}`), index)));
    await Promise.all(this.#readers);
  }

  async #client(random: Random, index: number): Promise<void> {
    const { clients, read_share, cancel_share } = this.#options;
    const client = new CarefulClient(this.#lab, random);
    for (let number = index; !this.#stopping && this.count < MOST_RUNS; number += clients) {
      const session_id = random.pick(this.#sessions);
      const key = `${this.#name}-${number}`;
      const body = prompt(promptText(random, key), mode(random));
      const run_id = await client.createRun(key, session_id, body,
        random.chance(0.1) ? { impatient_ms: random.between(1, 40) } : {});
      this.#acknowledged();
      if (random.chance(read_share)) {
        const reader = random.fork(`reader ${number}`);
        this.#readers.push(followRun(this.#lab, reader, run_id));
      }
      if (random.chance(cancel_share)) await client.cancel(run_id);
      await delay(random.between(0, PAUSE_MS));
      while (!this.#stopping && await this.#openRuns() > MOST_OPEN) await delay(PAUSE_MS);
    }
  }

  /** None while the database is away: clients feel that, and are not held back by it. */
  async #openRuns(): Promise<number> {
    return await this.#lab.sql<{ n: number }[]>`
      select count(*)::int as n from runs where status in ('queued', 'running')`
      .then(([row]) => row!.n, () => 0);
  }

  #acknowledged(): void {
    this.count += 1;
    for (const waiting of this.#waiting) if (this.count >= waiting.count) waiting.resolve();
  }
}

function mode(random: Random): Partial<Schemas['CreateRunRequest']> {
  if (random.chance(0.15)) return { wait: true, wait_timeout_s: random.between(1, 3) };
  if (random.chance(0.05)) return { concurrency: 'interrupt' };
  return {};
}

const CALLS = [
  'call gateway.connections.list',
  'call gatehouse.runs.list {"query": {"limit": 1}}',
  'call gateway.actions.search {"query": "list sessions", "limit": 2}',
  // Ends by tool_call.failed.
  'call gatehouse.runs.get {"path": {"run_id": "run_01aaaaaaaaaaaaaaaaaaaaaaaa"}}',
];

/** Words, calls one after the other or side by side, slow and fast, some of them writes. */
function promptText(random: Random, key: string): string {
  const lines = [`@rehearsal words=${random.between(1, 40)} delay_ms=${random.between(0, 6)}`];
  for (let line = random.between(0, 3); line > 0; line--) {
    const side_by_side = Array.from({ length: random.between(1, 2) }, () =>
      random.chance(WRITE_SHARE) ? writeCall(key) : random.pick(CALLS));
    lines.push(side_by_side.join(' & '));
  }
  return lines.join('\n');
}
