/**
 * How a node, whatever its role, shows that it runs and with what: `rotate-master` and `doctor` ask
 * for it. (The table of workers was the alternative; it knows no api nodes.)
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Background } from '../coalesce.ts';
import { SETTINGS, type Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { announceNode, removeNode, type NodeRow } from '../store/nodes.ts';

/** How long a node that ended without a word still counts. */
const LEASE_MS = 30_000;
/** Texts that are no secrets and hold none. Addresses may: those of proxies have passwords. */
const SHOWN_TEXTS = new Set(['role', 'model', 'allowed_models', 'embedding_model']);

/** Takes a node back that was announced. */
type Presence = Pick<Background, 'close'>;

/** Settings that hold no secret: numbers, choices, and texts that are known to hold none. */
export function shownSettings(config: Config): NodeRow['settings'] {
  return Object.fromEntries(Object.entries(SETTINGS).filter(([name, setting]) =>
    'min' in setting || 'choices' in setting || SHOWN_TEXTS.has(name))
    .map(([name]) => [name, config[name as keyof Config]]));
}

/** Announces a node, and repeats it until it is closed. Throws if the database is away. */
export async function announce(
  { sql, config, log, ...told }: { sql: Sql; config: Config; log: Log }
    & Pick<NodeRow, 'master_keys' | 'seals_with' | 'worker_id'>): Promise<Presence> {
  const node: NodeRow = {
    id: randomUUID(), host: hostname(), pid: process.pid, ...told,
    settings: shownSettings(config),
  };
  await announceNode(sql, node, LEASE_MS);
  const renewing = new Background(() => announceNode(sql, node, LEASE_MS)
    .catch((error: unknown) => log.debug({ err: error }, 'the node could not be announced')),
  LEASE_MS / 3);
  renewing.open();
  return {
    async close() {
      await renewing.close();
      await removeNode(sql, node.id);
    },
  };
}
