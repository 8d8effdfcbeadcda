/**
 * The contract kit: checks of a running service by its address and a key alone. It is safe beside
 * others: it makes sessions of its own, marks them, says nothing about what others have there, and
 * cancels and archives what it made, also when it is interrupted.
 */
import { randomBytes } from 'node:crypto';
import { prompt } from './calls.ts';
import { topicOf, TOPICS, type Check } from './check.ts';
import { CHECKS } from './checks/index.ts';
import { tidyUp } from './cleanup.ts';
import { Busy, excerptOf, Fault, Skip, Unreachable } from './expect.ts';
import { Ground } from './ground.ts';
import { Made } from './made.ts';
import { jsonOf, UNENDING, Wire, withinTime } from './wire.ts';

export interface KitOptions {
  /** With the version segment: http://127.0.0.1:3000/v1. */
  base_url: string;
  api_key: string;
  /** Of another workspace of the same service. */
  other_api_key?: string | undefined;
  /** Topics and names of checks; all if it is left out. */
  only?: readonly string[] | undefined;
  /** Those of them that are left out. */
  except?: readonly string[] | undefined;
  /** How long one answer, or one event, may take. */
  patience_ms: number;
  /** Checks that are made at once. */
  parallel: number;
  /** Ends with the first check that fails. */
  bail?: boolean | undefined;
  /** Ends the checks; what was made is tidied up all the same. */
  signal?: AbortSignal | undefined;
  onStart?: ((check: Check) => void) | undefined;
  onResult?: ((result: Result) => void) | undefined;
}

export interface Result {
  check: Check;
  status: 'passed' | 'failed' | 'skipped';
  /** Why it has failed or was skipped. */
  reason: string;
  duration_ms: number;
}

export interface KitReport {
  /** In the order of the checks. */
  results: Result[];
  requests: number;
  /** Of these, how many were answered 503 and repeated. */
  unavailable: number;
  duration_ms: number;
  /** What could not be tidied up, each in words. */
  left: string[];
  interrupted: boolean;
  /** Of checks that have failed: why the target cannot be reached any more, if it cannot. */
  gone: string | null;
}

/** What was made is tidied up within this time. */
const SWEEP_MS = 30_000;
/** A check that takes longer than so many times the patience has failed. */
const CHECK_PATIENCES = 8;
const IS_IT_ONE = 'Is it the address of a Gatehouse service, with /v1?';

/**
 * The checks of these topics and names, all if there are none, but for those of `except`. Throws
 * Unreachable if there is no such topic or check, and if none is left: where nothing was looked at,
 * nobody may take it for a target that passes.
 */
export function selectChecks(
  only: readonly string[] = [], except: readonly string[] = []): Check[] {
  for (const name of [...only, ...except]) {
    if (Object.hasOwn(TOPICS, name) || CHECKS.some((check) => check.name === name)) continue;
    throw new Unreachable(`There is no topic and no check ${JSON.stringify(name)}; --list shows`
      + ' them.');
  }
  const isNamed = (check: Check, list: readonly string[]) =>
    list.includes(check.name) || list.includes(topicOf(check));
  const chosen = CHECKS.filter((check) =>
    (only.length === 0 || isNamed(check, only)) && !isNamed(check, except));
  if (chosen.length > 0) return chosen;
  throw new Unreachable(`No check is left: --except ${except.join(',')} leaves out all of`
    + `${only.length === 0 ? ' them' : ` --only ${only.join(',')}`}.`);
}

/**
 * Makes the checks. Throws Unreachable if the target does not answer, or does not take the key; and
 * for one key in the place of two, as every check of isolation would find a leak.
 */
export async function runKit(options: KitOptions): Promise<KitReport> {
  const begun_ms = performance.now();
  const chosen = selectChecks(options.only, options.except);
  if (options.other_api_key === options.api_key) {
    throw new Unreachable('The api key of the second workspace is the first one once more. Give one'
      + ' of another workspace, or none.');
  }
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, ...(options.signal ? [options.signal] : [])]);
  const mark = `kit-${randomBytes(5).toString('hex')}`;
  const made = new Made();
  const wireOf = (api_key: string, until: AbortSignal) => new Wire({
    base_url: options.base_url, api_key, mark, signal: until, made,
    patience_ms: options.patience_ms,
  });
  const wire = wireOf(options.api_key, signal);
  await reach(wire, 'the api key');
  const other = options.other_api_key === undefined ? null
    : wireOf(options.other_api_key, signal);
  if (other) await reach(other, 'the api key of the second workspace');
  const results = new Map<Check, Result>();
  const left: string[] = [];
  try {
    const offline = await maySayRehearsal(wire, mark);
    const other_offline = other !== null && await maySayRehearsal(other, mark);
    const ground = new Ground({ wire, other, offline, other_offline, mark });
    await each(chosen, options.parallel, async (check) => {
      if (signal.aborted) return;
      options.onStart?.(check);
      const result = await make(check, ground, signal);
      if (signal.aborted) return;
      results.set(check, result);
      options.onResult?.(result);
      if (options.bail && result.status === 'failed') enough.abort();
    });
  } finally {
    // A check that was given up has not ended: what it still made would be left behind.
    enough.abort();
    // Not with the signal, which has ended the checks.
    const wires = [wire, ...other ? [other] : []].map(({ api_key }) =>
      wireOf(api_key, AbortSignal.timeout(SWEEP_MS)));
    left.push(...await tidyUp(made, mark, wires));
  }
  const has_failed = [...results.values()].some(({ status }) => status === 'failed');
  const until = AbortSignal.any(
    [AbortSignal.timeout(SWEEP_MS), ...options.signal ? [options.signal] : []]);
  const gone = has_failed ? await whyGone(wireOf(options.api_key, until), until) : null;
  return {
    results: chosen.flatMap((check) => results.get(check) ?? []),
    requests: wire.requests + (other?.requests ?? 0),
    unavailable: wire.unavailable + (other?.unavailable ?? 0),
    duration_ms: performance.now() - begun_ms,
    left, interrupted: options.signal?.aborted ?? false, gone,
  };
}

/** Why a target that took the key in the beginning does so no more; null if nothing tells. */
async function whyGone(wire: Wire, signal: AbortSignal): Promise<string | null> {
  try {
    await reach(wire, 'the api key');
    return null;
  } catch (error) {
    return signal.aborted ? null : (error as Error).message;
  }
}

/** Makes one check, within its time. */
async function make(check: Check, ground: Ground, signal: AbortSignal): Promise<Result> {
  const begun_ms = performance.now();
  const ended = (status: Result['status'], reason = ''): Result =>
    ({ check, status, reason, duration_ms: performance.now() - begun_ms });
  const stopped = Promise.withResolvers<never>();
  const onAbort = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (check.needs === 'offline') void ground.offline;
    if (check.needs === 'other') void ground.other;
    await withinTime(Promise.race([check.run(ground), stopped.promise]),
      CHECK_PATIENCES * ground.wire.patience_ms, 'it is not done');
    return ended('passed');
  } catch (error) {
    if (error instanceof Skip) return ended('skipped', error.message);
    // What nobody foresaw is a finding, too: the kit must not pass by it.
    return ended('failed', error instanceof Fault ? error.message : String(error));
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Throws Unreachable unless something like Gatehouse takes the key there; `what` is the key. */
async function reach(wire: Wire, what: string): Promise<void> {
  const { status, text, location } = await asked(wire, async () => {
    const response = await wire.fetch('/sessions?limit=1');
    const text = await withinTime(response.text(), wire.patience_ms, UNENDING);
    return { status: response.status, text, location: response.headers.get('location') };
  });
  const body = jsonOf(text);
  if (status === 401 || status === 403) {
    throw new Unreachable(`${wire.base_url} does not take ${what}: ${status}.`
      // Other services refuse it as well, in words of theirs.
      + (isOfGatehouse(status, body) ? '' : ` ${IS_IT_ONE}`));
  }
  if (isOfGatehouse(status, body)) return;
  if (status >= 300 && status < 400 && location !== null) {
    throw new Unreachable(`${wire.base_url} answers ${status} and sends to ${excerptOf(location)},`
      + ' where the kit does not go. Give the address at which the service itself answers.');
  }
  throw new Unreachable(`${wire.base_url} answers ${status}`
    + ` ${body === undefined ? 'and no JSON' : 'to GET /sessions, and not as Gatehouse does'}.`
    + ` ${IS_IT_ONE}`);
}

/** What `work` gets of the target. Throws Unreachable if that is no answer to go on with. */
async function asked<T>(wire: Wire, work: () => Promise<T>): Promise<T> {
  return await work().catch((error: Error) => {
    throw new Unreachable(`${wire.base_url} ${error instanceof Busy
      ? 'answers, and asks to be asked later' : 'cannot be reached'}: ${error.message}`,
    { cause: error });
  });
}

/**
 * Whether this may be how Gatehouse lists sessions, or refuses to. Nothing more is looked at than
 * what tells it from other services: whatever else is wrong is for the checks to find.
 */
function isOfGatehouse(status: number, body: any): boolean {
  if (status < 300) return Array.isArray(body?.data) || body?.object === 'list';
  // Every Gatehouse has sessions: a 404, however well it is made, is that of another path.
  return status !== 404 && typeof body?.code === 'string';
}

/** Whether the key may have the model that costs nothing: tried, because nothing tells. */
async function maySayRehearsal(wire: Wire, mark: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  // An unknown session: the model is looked at first, so that nothing is made.
  const response = await asked(wire, () => wire.fetch(`/sessions/${mark}/runs`, {
    method: 'POST', headers,
    body: JSON.stringify(prompt('@rehearsal words=1', { model: 'rehearsal' })) }));
  await response.body?.cancel();
  return response.status !== 400;
}

/** Works on all items, so many at once. */
async function each<T>(
  items: readonly T[], at_once: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  await Promise.all(Array.from({ length: at_once }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  }));
}
