import type { LogScrubber } from '../../log.ts';
import type { ConnectionKey } from '../../store/connectionSecrets.ts';

/** Connections whose secrets are held for the log's scrubber; those used longest ago go first. */
const CONNECTIONS = 10_000;

interface Held {
  version: string;
  /** Of this version and of the one before: calls under way still use that. */
  release: () => void;
  release_previous: () => void;
}

/** Lets the scrubber of the log know what this process has opened. */
export class LiveSecrets {
  readonly #scrubber: LogScrubber;
  readonly #held = new Map<string, Held>();

  constructor(scrubber: LogScrubber) {
    this.#scrubber = scrubber;
  }

  /** These are a connection's secrets now. */
  hold(key: ConnectionKey, version: string, secrets: readonly string[]): void {
    const name = nameOf(key);
    const held = this.#held.get(name);
    this.#held.delete(name);
    if (held?.version === version) {
      this.#held.set(name, held); // Now the latest in order.
      return;
    }
    held?.release_previous();
    this.#held.set(name, {
      version, release: this.#scrubber.add(secrets), release_previous: held?.release ?? (() => {}),
    });
    if (this.#held.size > CONNECTIONS) this.#release(this.#held.keys().next().value!);
  }

  /** It has none any more. */
  forget(key: ConnectionKey): void {
    this.#release(nameOf(key));
  }

  #release(name: string): void {
    const held = this.#held.get(name);
    held?.release();
    held?.release_previous();
    this.#held.delete(name);
  }
}

function nameOf({ workspace_id, connection_id }: ConnectionKey): string {
  return `${workspace_id}|${connection_id}`;
}
