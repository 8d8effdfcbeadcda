/**
 * Requests made of the document, against a running service. Whatever is asked, there is no 5xx of
 * the service's own, no status that is not declared and no answer that breaks its schema.
 */
import fc from 'fast-check';
import type { OperationId } from '../../generated/operations.ts';
import { isObject, objectOf } from '../../src/json.ts';
import type { Client } from '../support/client.ts';
import { bytesOf, requests, type FuzzRequest } from './request.ts';
import { Known } from './schemaArbitrary.ts';

/** An upstream may fail; that is told by a 502 or a 504, and is no fault of the service. */
const OF_UPSTREAMS = /^(upstream_|egress_)/;
/** Longer than anything that a request is given here; what takes longer hangs. */
const ANSWER_LIMIT_MS = 60_000;
const KEPT = 40;
const TARGET_CHARS = 1_000;

export interface FuzzOptions {
  client: Client;
  seed: number;
  requests: number;
  /** When enough is enough, however many were sent: a slow machine sends fewer. */
  time_limit_ms: number;
  /** What exists, by the name of a field or parameter; new ones are learnt from answers. */
  known: Record<string, string[]>;
  good_bodies: Partial<Record<OperationId, readonly unknown[]>>;
  /** Not to be changed or revoked, or everything after that would be refused. */
  spared: readonly string[];
}

export interface FuzzFigures {
  sent: number;
  /** Successes by operation. */
  succeeded: Map<OperationId, number>;
  asked: Map<OperationId, number>;
}

/** Throws what fast-check says of the first request that broke a promise: seed, path, request. */
export async function fuzz(options: FuzzOptions): Promise<FuzzFigures> {
  const pools = new Pools(options.known, options.spared);
  const figures: FuzzFigures = { sent: 0, succeeded: new Map(), asked: new Map() };
  const made = requests({ known: pools.names, good_bodies: options.good_bodies });
  await fc.assert(fc.asyncProperty(made, async (request) => {
    const { status, body } = await send(options.client, request, pools);
    figures.sent += 1;
    count(figures.asked, request.id);
    if (status < 400) count(figures.succeeded, request.id);
    if (status >= 500 && !OF_UPSTREAMS.test(String(objectOf(objectOf(body)).code))) {
      throw new Error(`${request.id} answered ${status}: ${JSON.stringify(body)}`);
    }
    pools.learn(body);
  }), {
    seed: options.seed, numRuns: options.requests, interruptAfterTimeLimit: options.time_limit_ms,
  });
  return figures;
}

function count(counts: Map<OperationId, number>, id: OperationId): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

async function send(client: Client, request: FuzzRequest, pools: Pools) {
  const { id, spoilt, media_type, credential } = request;
  const raw = bytesOf(pools.filled(request.body), spoilt);
  const path = objectOf(pools.filled(request.path, id));
  const response = await client.fetch(id, {
    path: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, segment(value)])),
    query: Object.fromEntries(Object.entries(objectOf(pools.filled(request.query)))
      .map(([name, value]) => [name.toWellFormed(), textOf(value)])),
    headers: {
      ...request.headers, ...(raw && { 'content-type': media_type }),
      ...(raw && spoilt === 'zipped' && { 'content-encoding': 'gzip' }),
    },
    ...(raw && { raw }),
    ...(credential !== 'right' && { token: tokenOf(client, credential, id) }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  return await client.receive(id, response);
}

function tokenOf(client: Client, credential: FuzzRequest['credential'], id: OperationId) {
  if (credential === 'none') return null;
  if (credential === 'made_up') return 'gth_0000000000000000000000000000000000000000000';
  return (client.credentialOf(id) === client.api_key ? client.admin_token : client.api_key) ?? null;
}

/** Never a segment that an address would swallow: then another operation would be asked. */
function segment(value: unknown): string {
  const text = textOf(value);
  return /^\.{0,2}$/.test(text) ? 'x' : text;
}

/** Not longer than what HTTP takes: 431 is said of a request that is no operation's yet. */
function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value) ?? '')
    .slice(0, TARGET_CHARS).toWellFormed();
}

/** What is known to exist: the ids given, and those that answers have shown. */
class Pools {
  readonly #values: Map<string, string[]>;
  readonly #names_by_prefix = new Map<string, string[]>();
  readonly #spared: ReadonlySet<string>;

  constructor(known: Record<string, string[]>, spared: readonly string[]) {
    this.#values = new Map(Object.entries(known));
    this.#spared = new Set(spared);
    for (const [name, [first]] of this.#values) {
      const prefix = /^[a-z]+_/.exec(first ?? '')?.[0];
      if (!prefix || !name.endsWith('_id')) continue;
      this.#names_by_prefix.set(prefix, [...this.#names_by_prefix.get(prefix) ?? [], name]);
    }
  }

  get names(): string[] {
    return [...this.#values.keys()];
  }

  /** The value with each `Known` replaced. For an operation that changes it, nothing spared. */
  filled(value: unknown, id?: OperationId): unknown {
    if (value instanceof Known) {
      const all = this.#values.get(value.name) ?? [];
      const free = id === 'updateWorkspace' || id === 'revokeApiKey' || id === 'deleteConnection'
        || id === 'updateConnection' ? all.filter((one) => !this.#spared.has(one)) : all;
      return free[value.nth % free.length] ?? 'none';
    }
    if (Array.isArray(value)) return value.map((one) => this.filled(one, id));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) =>
      [name, this.filled(one, id)]));
  }

  learn(body: unknown): void {
    for (const item of [objectOf(body), ...[objectOf(body).data ?? []].flat().map(objectOf)]) {
      for (const text of [item.id, item.invocation_id]) {
        if (typeof text !== 'string') continue;
        for (const name of this.#names_by_prefix.get(text.slice(0, text.indexOf('_') + 1)) ?? []) {
          const pool = this.#values.get(name)!;
          if (!pool.includes(text) && pool.length < KEPT) pool.push(text);
        }
      }
      const { next_cursor } = item;
      if (typeof next_cursor === 'string') this.#values.get('cursor')?.splice(0, 1, next_cursor);
    }
  }
}
