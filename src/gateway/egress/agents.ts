import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { guardedConnector, type GuardOptions } from './guardedConnector.ts';

const AGENTS_LIMIT = 64;
const KEEP_ALIVE_MS = 4_000;
const CONNECTIONS_PER_ORIGIN = 64;

type AgentOptions = Omit<GuardOptions, 'egress_allow'> & { timeout_ms: number };

/**
 * Pools of connections, one for each list of allowed addresses. With one pool for all, a connection
 * that one integration is allowed to open would be used for another that is not.
 */
export class Agents {
  readonly #options: AgentOptions;
  readonly #agents = new LRUCache<string, Agent>({
    max: AGENTS_LIMIT,
    // Calls that are under way end first; one that fails meanwhile fails by itself.
    dispose: (agent, _key, reason) => reason === 'evict' && void agent.close().catch(() => {}),
  });

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  for(egress_allow: readonly string[]): Agent {
    const key = [...egress_allow].sort().join(' ');
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const { timeout_ms, ...guard } = this.#options;
    const agent = new Agent({
      connect: guardedConnector({ ...guard, egress_allow: [...egress_allow] }),
      connections: CONNECTIONS_PER_ORIGIN,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: timeout_ms,
      bodyTimeout: timeout_ms,
    });
    this.#agents.set(key, agent);
    return agent;
  }

  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}
