import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import { guardedConnector, type GuardOptions } from './guardedConnector.ts';
import { undici } from './undici.ts';

const AGENTS_LIMIT = 64;
const KEEP_ALIVE_MS = 4_000;
const CONNECTIONS_PER_ORIGIN = 64;

/** Where the requests of a pool may go, and whether they hold credentials. */
export type AgentReach = Pick<GuardOptions, 'egress_allow' | 'confidential'>;

type AgentOptions = Omit<GuardOptions, keyof AgentReach> & { timeout_ms: number };

/**
 * Pools of connections, one for each list of allowed addresses, and for requests with credentials
 * and without. With one pool for all, a connection that one integration is allowed to open would be
 * used for another that is not.
 */
export function createAgents({ timeout_ms, ...guard }: AgentOptions) {
  const agents = new LRUCache<string, Agent, AgentReach>({
    max: AGENTS_LIMIT,
    memoMethod: (_key, _stale, { context }) => new (undici().Agent)({
      connect: guardedConnector({ ...guard, ...context }),
      connections: CONNECTIONS_PER_ORIGIN,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: timeout_ms,
      bodyTimeout: timeout_ms,
    }),
    // Calls that are under way end first; one that fails meanwhile fails by itself.
    dispose: (agent, _key, reason) => reason === 'evict' && void agent.close().catch(() => {}),
  });
  return {
    for: ({ egress_allow, confidential }: AgentReach): Agent =>
      agents.memo([confidential, ...[...egress_allow].sort()].join(' '),
        { context: { egress_allow: [...egress_allow], confidential } }),
    async close(): Promise<void> {
      const all = [...agents.values()];
      agents.clear();
      await Promise.all(all.map((agent) => agent.destroy()));
    },
  };
}
