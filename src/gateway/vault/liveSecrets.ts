import { LRUCache } from 'lru-cache';
import type { LogScrubber } from '../../log.ts';
import type { ConnectionKey } from '../../store/connectionSecrets.ts';

/**
 * Connections whose secrets the log's scrubber looks for; those used longest ago go first. With the
 * tokens before these, in all their forms, so many take 30 to 60 MB.
 */
const CONNECTIONS = 1_000;

interface Held {
  version: string;
  release: () => void;
  /** Releases the version before this one, which calls under way still use. */
  release_previous: () => void;
}

/** Lets the scrubber of the log know what this process has opened. */
export class LiveSecrets {
  readonly #scrubber: LogScrubber;
  readonly #held = new LRUCache<string, Held>({
    max: CONNECTIONS, noDisposeOnSet: true,
    dispose: ({ release, release_previous }) => {
      release();
      release_previous();
    },
  });

  constructor(scrubber: LogScrubber) {
    this.#scrubber = scrubber;
  }

  /** The connection has these secrets now. */
  hold(key: ConnectionKey, version: string, secrets: readonly string[]): void {
    const name = nameOf(key);
    const held = this.#held.get(name);
    if (held?.version === version) return;
    held?.release_previous();
    this.#held.set(name, {
      version, release: this.#scrubber.add(secrets), release_previous: held?.release ?? (() => {}),
    });
  }

  /** The connection has no secrets any more. */
  forget(key: ConnectionKey): void {
    this.#held.delete(nameOf(key));
  }
}

function nameOf({ workspace_id, connection_id }: ConnectionKey): string {
  return `${workspace_id}|${connection_id}`;
}
