/** What a node answers while its database is away, and how soon it is well afterwards (G12). */
import type { OperationId } from '../../generated/operations.ts';
import { Client, prompt, type CallOptions } from '../support/client.ts';
import type { Lab } from './lab.ts';
import type { ServiceNode } from './serviceNode.ts';

/** The promise, for each. */
const PROMISED_MS = 5_000;
const GIVE_UP_MS = 30_000;

/**
 * Asks for a page, for a run and for a stream, all at once: each must be 503 with Retry-After, in
 * time. To be called while the database is away.
 */
export async function measureOutage(lab: Lab, node: ServiceNode): Promise<void> {
  const session_id = lab.ledger.sessions[0]!;
  const run_id = [...lab.ledger.runs.values()][0]!;
  await Promise.all([
    expectUnavailable(lab, node, 'listSessions', {}),
    expectUnavailable(lab, node, 'getRun', { path: { run_id } }),
    expectUnavailable(lab, node, 'createRun', { path: { session_id }, body: prompt('hello') }),
    expectUnavailable(lab, node, 'streamRunEvents',
      { path: { run_id }, headers: { accept: 'text/event-stream' } }),
  ]);
}

async function expectUnavailable(
  lab: Lab, node: ServiceNode, id: OperationId, options: CallOptions): Promise<void> {
  const begun_ms = performance.now();
  try {
    const response = await clientOf(lab, node).fetch(id,
      { ...options, signal: AbortSignal.timeout(lab.patience.limit_ms(GIVE_UP_MS)) });
    const took_ms = performance.now() - begun_ms;
    await response.body?.cancel();
    lab.journal.measure('503 while the database is away', took_ms, 'ms', '≤ 5 s, with Retry-After');
    if (response.status !== 503 || response.headers.get('retry-after') === null) {
      lab.journal.violation(`${id} answered ${response.status} with Retry-After `
        + `${response.headers.get('retry-after')} while the database was away`);
    } else if (took_ms > lab.patience.limit_ms(PROMISED_MS)) {
      lab.journal.violation(`${id} said that the database is away after ${Math.round(took_ms)} ms`);
    }
  } catch (error) {
    const took_ms = performance.now() - begun_ms;
    lab.journal.violation(`${id} had no answer after ${Math.round(took_ms)} ms while the database`
      + ` was away: ${String(error)}\n${node.logTail()}`);
  }
}

/**
 * Asks until a run was created and has ended by itself, on this node alone. To be called in the
 * moment in which the database is back.
 */
export async function measureHealing(lab: Lab, node: ServiceNode): Promise<void> {
  const begun_ms = performance.now();
  const client = clientOf(lab, node);
  const key = `healing-${lab.ledger.runs.size}-${node.pid}`;
  const session_id = lab.ledger.sessions[0]!;
  let last: unknown;
  const limit_ms = lab.patience.limit_ms(PROMISED_MS);
  const healed = await lab.eventually(lab.patience.limit_ms(GIVE_UP_MS), async () => {
    try {
      const answer = await client.call('createRun', {
        path: { session_id }, body: prompt('@rehearsal words=1', { concurrency: 'enqueue' }),
        headers: { 'idempotency-key': key }, signal: AbortSignal.timeout(limit_ms),
      });
      last = answer.body;
      if (answer.status !== 202) return false;
      lab.ledger.acknowledge(key, answer.body.id);
      lab.patience.moved('a node is well again');
      return true;
    } catch (error) {
      last = error;
      return false;
    }
  });
  const took_ms = performance.now() - begun_ms;
  lab.journal.measure('healed after the database was back', took_ms, 'ms', '≤ 5 s');
  if (!healed || took_ms > limit_ms) {
    lab.journal.violation(`a node was not well ${Math.round(took_ms)} ms after the database was:`
      + ` ${JSON.stringify(last)} ${String(last)}\n${node.logTail()}`);
  }
}

/**
 * A node whose database takes no writes is ready all the same: else the load balancer would have no
 * node left for what only reads. To be called while the disk is full; nothing is said of moments in
 * which the database answers nobody.
 */
export async function expectReady(lab: Lab, node: ServiceNode): Promise<void> {
  const run_id = [...lab.ledger.runs.values()][0]!;
  let seen = '';
  for (let tries = 0; tries < 3; tries++) {
    const before = await isReading(lab);
    const ready = await fetch(new URL('/readyz', node.base_url));
    const { status } = await clientOf(lab, node).fetch('getRun', { path: { run_id } });
    if (!before || !await isReading(lab)) return;
    lab.journal.count('looks at /readyz while the disk was full');
    if (ready.status === 200 && status === 200) return;
    seen = `/readyz ${ready.status} ${await ready.text()}, getRun ${status}`;
  }
  lab.journal.violation(`a node whose database can be read said ${seen}`);
}

async function isReading({ sql }: Lab): Promise<boolean> {
  return await sql`select count(*) from runs`.then(() => true, () => false);
}

function clientOf(lab: Lab, node: ServiceNode): Client {
  return new Client({ ...lab.credentials, base_url: node.base_url });
}
