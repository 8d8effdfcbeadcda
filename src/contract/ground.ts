/** Where a check stands: the target, and sessions and runs of its own there. */
import { randomUUID } from 'node:crypto';
import { prompt, type Schemas } from './calls.ts';
import { excerptOf, Fault, holds, Skip } from './expect.ts';
import type { Follower, RunEvent } from './follower.ts';
import type { Wire } from './wire.ts';

export type ContractRun = Schemas['Run'];
export type RunFields = Partial<Schemas['CreateRunRequest']>;

/** The metadata that marks a session of the kit. */
export const MARK = 'gatehouse_contract';

export interface GroundOptions {
  wire: Wire;
  /** The same target as another workspace; null without its key. */
  other: Wire | null;
  /** Whether runs may have the rehearsal model. */
  offline: boolean;
  /** The same of the other workspace, which may be allowed other models. */
  other_offline: boolean;
  mark: string;
}

/** Each word takes a minute: such a run goes on until it is cancelled. */
const ENDLESS = '@rehearsal words=1000 delay_ms=60000';

/**
 * How long a request waits for its run; what is not done by then is asked for. Proxies give up on
 * an answer after a minute, and theirs would come in place of the service's.
 */
const WAIT_S = 50;
/** Between two looks at a run: at first, and at most. */
const LOOKS_MS = [15, 1_000] as const;

export class Ground {
  readonly wire: Wire;
  readonly #options: GroundOptions;

  constructor(options: GroundOptions) {
    this.wire = options.wire;
    this.#options = options;
  }

  /** The target as another workspace. Throws Skip. */
  get other(): Wire {
    if (this.#options.other) return this.#options.other;
    throw new Skip('it needs the key of another workspace: --other-api-key');
  }

  /** A text that nobody else has. */
  unique(): string {
    return `${this.#options.mark}-${randomUUID().slice(0, 8)}`;
  }

  /** What is the means to something else may be repeated, and makes nothing twice. */
  #keyed(): Record<string, string> {
    return { 'idempotency-key': this.unique() };
  }

  /** The metadata of a session of this kit. */
  marked(more: Record<string, string> = {}): Record<string, string> {
    return { [MARK]: this.#options.mark, ...more };
  }

  /** What finds the sessions of this kit, as `metadata` of a list. */
  get found_by(): string {
    return `${MARK}=${this.#options.mark}`;
  }

  /** A new session. */
  async session(wire = this.wire): Promise<string> {
    const { id } = await wire.expect(201, 'createSession', { headers: this.#keyed(),
      body: { title: 'contract kit', metadata: this.marked() } });
    return id;
  }

  /** Fields of a run that costs nothing. Throws Skip if there is none. */
  get offline(): RunFields {
    if (this.#options.offline) return { model: 'rehearsal' };
    throw new Skip('it needs the rehearsal model, which this key may not use');
  }

  /** The same for the other workspace. */
  get otherOffline(): RunFields {
    if (this.#options.other_offline) return { model: 'rehearsal' };
    throw new Skip(
      'it needs the rehearsal model, which the key of the other workspace may not use');
  }

  /** A run that ends by itself, soon; with a real model a few tokens. */
  shortRun(rest: RunFields = {}) {
    return this.#options.offline
      ? prompt('@rehearsal words=2', { ...this.offline, ...rest })
      : wordRun(rest);
  }

  /** One of the other workspace, with a call of an action if it may have the rehearsal model. */
  otherCallingRun() {
    return this.#options.other_offline
      ? prompt('call gateway.connections.list', this.otherOffline) : wordRun();
  }

  /** Queues a run of the rehearsal model. */
  async queue(session_id: string, text: string, rest: RunFields = {}): Promise<ContractRun> {
    return await this.wire.expect(202, 'createRun',
      { path: { session_id }, headers: this.#keyed(),
        body: prompt(text, { ...this.offline, ...rest }) });
  }

  /** Runs a prompt of the rehearsal model to its end, whatever that is. */
  async complete(session_id: string, text: string, rest: RunFields = {}): Promise<ContractRun> {
    return await this.finish(session_id, prompt(text, { ...this.offline, ...rest }));
  }

  /** Makes a run and waits for its end, also when that takes longer than one answer may. */
  async finish(
    session_id: string, body: ReturnType<typeof prompt>,
    { wire = this.wire, headers = {} }: { wire?: Wire; headers?: Record<string, string> } = {},
  ): Promise<ContractRun> {
    const begun_ms = performance.now();
    const answer = await wire.call('createRun', { path: { session_id },
      headers: { ...this.#keyed(), ...headers },
      body: { ...body, wait: true, wait_timeout_s: WAIT_S }, extra_ms: WAIT_S * 1_000 });
    if (answer.status === 200) return answer.body;
    holds(answer.status === 202, `createRun with wait answers ${String(answer.status)}`
      + ` ${excerptOf(answer.body)} where 200 or 202 is expected`);
    const waited_s = (performance.now() - begun_ms) / 1_000;
    // A timer of another clock may be a little early.
    holds(waited_s > WAIT_S - 1,
      `createRun with wait answers 202 after ${waited_s.toFixed(1)} s, of ${WAIT_S}`);
    return await this.ended(answer.body.id, wire);
  }

  /** A run that has started, and goes on until it is cancelled. */
  async endless(session_id: string): Promise<ContractRun> {
    const run = await this.queue(session_id, ENDLESS);
    await this.#until(run.id, (status) => status === 'running');
    return run;
  }

  /** The run, once it has ended. */
  async ended(run_id: string, wire = this.wire): Promise<ContractRun> {
    return await this.#until(
      run_id, (status) => status !== 'queued' && status !== 'running', wire);
  }

  async #until(
    run_id: string, holds: (status: ContractRun['status']) => boolean, wire = this.wire,
  ): Promise<ContractRun> {
    const begun_ms = performance.now();
    for (let look_ms: number = LOOKS_MS[0]; ; look_ms = Math.min(1.1 * look_ms, LOOKS_MS[1])) {
      const run = await wire.expect(200, 'getRun', { path: { run_id } });
      if (holds(run.status)) return run;
      if (performance.now() - begun_ms > this.wire.patience_ms) {
        throw new Fault(`a run is ${run.status} after ${this.wire.patience_ms / 1_000} s`);
      }
      await new Promise((resolve) => setTimeout(resolve, look_ms));
    }
  }

  async cancel(run_id: string): Promise<ContractRun> {
    return await this.wire.expect(200, 'cancelRun', { path: { run_id } });
  }

  async getRun(run_id: string): Promise<ContractRun> {
    return await this.wire.expect(200, 'getRun', { path: { run_id } });
  }

  async follow(
    run_id: string, starting_after?: number, headers: Record<string, string> = {},
  ): Promise<Follower> {
    return await this.wire.follow('streamRunEvents', { path: { run_id }, headers,
      query: starting_after === undefined ? {} : { starting_after } });
  }

  /** A run's log by its JSON pages. */
  async log(run_id: string): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    for (;;) {
      const { data, has_more } = await this.wire.expect(200, 'streamRunEvents', {
        path: { run_id }, query: { starting_after: events.length, limit: 1_000 } });
      events.push(...data);
      if (!has_more) return events;
      holds(data.length > 0, 'a page of events is empty, and says that there are more');
    }
  }
}

/** A run of the workspace's model: a few tokens. */
function wordRun(rest: RunFields = {}) {
  return prompt('Answer with the one word: ok', { max_steps: 4, ...rest });
}
