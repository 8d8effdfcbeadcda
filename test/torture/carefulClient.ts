/**
 * A client as a careful application has it: it gives up no request, asks another node when one is
 * gone, and repeats with the same Idempotency-Key what it saw no answer to.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { OperationId } from '../../generated/operations.ts';
import {
  Client, ContractViolation, type Answer, type CallOptions, type Schemas,
} from '../support/client.ts';
import { STANDSTILL_MS, type Lab } from './lab.ts';
import type { Random } from './random.ts';
import type { ServiceNode } from './serviceNode.ts';

/** A request that is not answered in this time is asked elsewhere. */
const REQUEST_LIMIT_MS = 12_000;
/** The promise: so long until a 503. */
const UNAVAILABLE_LIMIT_MS = 5_000;
/**
 * The service gives up a statement after so long (WORK_LIMIT_MS of src/store/database.ts). A 503
 * that comes sooner is no matter of slowness: the database, or a connection to it, was refused.
 */
const DEADLINE_MS = 4_500;
const AGAIN = ['idempotency_in_progress', 'rate_limited'];

export interface AskOptions extends CallOptions {
  /** How long an answer may take that is meant to take long. */
  wait_ms?: number;
  /** Hangs up after so long and asks again; the first time only. */
  impatient_ms?: number;
}

export class CarefulClient {
  readonly #lab: Lab;
  readonly #random: Random;

  constructor(lab: Lab, random: Random) {
    this.#lab = lab;
    this.#random = random;
  }

  /** The service behind one of the nodes. */
  at(node: ServiceNode): Client {
    return new Client({
      ...this.#lab.credentials, base_url: node.base_url, unchecked: node.is_former });
  }

  anyNode(): ServiceNode {
    return this.#random.pick(this.#lab.nodes);
  }

  /** Waits a moment before another try. */
  async pause(): Promise<void> {
    await delay(this.#random.between(20, 120));
  }

  /**
   * Asks one node after another until one answers with one of these statuses. Anything but that, a
   * 503 or a broken connection is a violation, and so is an answer that never comes.
   */
  async ask<O extends OperationId>(
    statuses: number[], id: O, { impatient_ms, wait_ms = 0, ...options }: AskOptions = {},
  ): Promise<Answer<O>> {
    for (let hang_up_ms = impatient_ms; ; hang_up_ms = undefined) {
      const node = this.anyNode();
      const asked_ms = performance.now();
      const limit_ms = hang_up_ms ?? this.#lab.patience.limit_ms(REQUEST_LIMIT_MS) + wait_ms;
      let answer: Answer<O> | undefined;
      let broke: unknown;
      try {
        const signal = AbortSignal.timeout(limit_ms);
        answer = await this.at(node).call(id, { ...options, signal });
      } catch (error) {
        if (error instanceof ContractViolation) this.#fail(error.message);
        broke = error;
        const hung_up = (error as Error).name === 'TimeoutError';
        if (hung_up && hang_up_ms === undefined && !this.#isDisturbed(node)) {
          this.#lab.journal.violation(`${id} was not answered in ${limit_ms} ms`);
        }
        this.#lab.journal.count(hung_up ? 'clients that hung up' : 'broken connections');
      }
      if (answer) {
        const { status } = answer as { status: number };
        if (statuses.includes(status)) {
          this.#lab.patience.moved(`${id} answered ${status}`);
          return answer;
        }
        this.#expectRetryable(id, answer as unknown as FailedAnswer, node,
          { took_ms: performance.now() - asked_ms, wait_ms });
      }
      // Nobody has had an answer for so long: the service has failed its clients.
      if (this.#lab.patience.still_ms > STANDSTILL_MS) {
        this.#fail(`${id} failed, and nothing has moved for ${STANDSTILL_MS / 1_000} s: `
          + `${broke ? String(broke) : JSON.stringify(answer?.body)}\n${node.logTail()}`);
      }
      await this.pause();
    }
  }

  /** Makes a run, once, however often it must ask; answers its id. */
  async createRun(
    key: string, session_id: string, body: Schemas['CreateRunRequest'],
    options: AskOptions = {}): Promise<string> {
    const answer = await this.ask([200, 202], 'createRun', {
      ...options, body, path: { session_id }, headers: { 'idempotency-key': key },
      wait_ms: body.wait ? (body.wait_timeout_s ?? 50) * 1_000 : 0,
    });
    const { id } = answer.body as Schemas['Run'];
    const wrong = this.#lab.ledger.acknowledge(key, id);
    if (wrong !== null) this.#lab.journal.violation(wrong);
    return id;
  }

  async createSession(): Promise<string> {
    const answer = await this.ask([201], 'createSession', { body: {} });
    const { id } = answer.body as Schemas['Session'];
    this.#lab.ledger.sessions.push(id);
    return id;
  }

  /** Cancels a run; how long the successful answer took is a figure. */
  async cancel(run_id: string): Promise<Schemas['Run']> {
    const answer = await this.ask([200], 'cancelRun', { path: { run_id } });
    const run = answer.body as Schemas['Run'];
    this.#lab.ledger.cancelled.set(run_id, { status: run.status, replied_at_ms: Date.now() });
    return run;
  }

  #expectRetryable(
    id: OperationId, { status, body, headers }: FailedAnswer, node: ServiceNode,
    { took_ms, wait_ms }: { took_ms: number; wait_ms: number }): void {
    const { journal, patience } = this.#lab;
    if (status === 503) {
      const after = `${id}: 503 after ${Math.round(took_ms)} ms`;
      if (wait_ms === 0) journal.measure('503 answers', took_ms, 'ms', '≤ 5 s, with Retry-After');
      if (headers.get('retry-after') === null) journal.violation(`${after} without Retry-After`);
      if (this.#isDisturbed(node)) return;
      if (took_ms > wait_ms + patience.limit_ms(UNAVAILABLE_LIMIT_MS)) {
        journal.violation(`${after}\n${node.logTail(4)}`);
      }
      if (this.#lab.database_is_disturbed) return;
      // Slow is not wrong: where a node takes seconds to start, a statement may take them as well,
      // and be under way when a node that stops has waited for it as long as it may.
      const is_late = took_ms >= DEADLINE_MS || /is stopping/.test(body?.message);
      if (patience.machine_is_slow && is_late) {
        journal.count('503 answers as the machine is slow');
      } else journal.violation(`${after}, and the database is well\n${node.logTail(4)}`);
      return;
    }
    if (!AGAIN.includes(body?.code)) {
      this.#fail(`${id} answered ${status} ${JSON.stringify(body)}\n${node.logTail()}`);
    }
    journal.count(`answers ${body.code}`);
  }

  /**
   * Whether a node is frozen, or was a moment ago: then its answers may be late, and it finds the
   * time of its statements over when it is thawed.
   */
  #isDisturbed(node: ServiceNode): boolean {
    return node.frozen || performance.now() - node.disturbed_at_ms
      < this.#lab.patience.limit_ms(REQUEST_LIMIT_MS);
  }

  #fail(what: string): never {
    this.#lab.journal.violation(what);
    throw new Error(what);
  }
}

interface FailedAnswer {
  status: number;
  headers: Headers;
  body: { code: string; message: string };
}
