/**
 * How a node, whatever its role, shows that it runs and with what: `rotate-master` and `doctor` ask
 * for it. (The table of workers was the alternative; it knows no api nodes.)
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Background } from '../coalesce.ts';
import { SETTINGS, type Config } from '../config.ts';
import { correctTimeOfDay } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { announceNode, removeNode, type NodeRow } from '../store/nodes.ts';
import { NodeClock } from './nodeClock.ts';

/** How long a node that ended without a word still counts. */
const LEASE_MS = 30_000;
/** Texts that are no secrets and hold none. Addresses may: those of proxies have passwords. */
const SHOWN_TEXTS = new Set(['role', 'model', 'allowed_models', 'embedding_model']);

export interface AnnouncedNode {
  clock: Pick<NodeClock, 'offset_ms'>;
  /** Takes it back. */
  close(): Promise<void>;
}

/** Settings that hold no secret: numbers, choices, and texts that are known to hold none. */
export function shownSettings(config: Config): NodeRow['settings'] {
  return Object.fromEntries(Object.entries(SETTINGS).filter(([name, setting]) =>
    'min' in setting || 'choices' in setting || SHOWN_TEXTS.has(name))
    .map(([name]) => [name, config[name as keyof Config]]));
}

/**
 * Announces a node, and repeats it until it is closed, with what is known of its clock by then.
 * Throws if the database is away.
 */
export async function announce(
  { sql, config, log, ...told }: { sql: Sql; config: Config; log: Log }
    & Pick<NodeRow, 'master_keys' | 'seals_with' | 'worker_id'>): Promise<AnnouncedNode> {
  const node = {
    id: randomUUID(), host: hostname(), pid: process.pid, ...told,
    settings: shownSettings(config),
  };
  const clock = new NodeClock(log);
  const tell = async () => {
    const before_ms = Date.now();
    const database_ms =
      await announceNode(sql, { ...node, clock_offset_ms: clock.offset_ms }, LEASE_MS);
    const is_news = clock.measured({ before_ms, database_ms, after_ms: Date.now() });
    // At once, so that what the row says is what the log says.
    if (is_news) renewing.request();
  };
  const renewing = new Background(() => tell().catch((error: unknown) =>
    log.debug({ err: error }, 'the node could not be announced')), LEASE_MS / 3);
  await tell();
  renewing.open();
  return {
    clock,
    async close() {
      await renewing.close();
      correctTimeOfDay(0);
      await removeNode(sql, node.id);
    },
  };
}
