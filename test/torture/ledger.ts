/** What clients were told: the service is held to it. */
import type { RunEvent } from '../support/client.ts';

export class Ledger {
  /** Acknowledged runs, by the idempotency key that made them. */
  readonly runs = new Map<string, string>();
  readonly sessions: string[] = [];
  /** Runs whose cancelling was answered, with the status that the answer told. */
  readonly cancelled = new Map<string, { status: string; replied_at_ms: number }>();
  /** What readers saw, to the end of the run. */
  readonly seen: { run_id: string; events: RunEvent[] }[] = [];

  /** Notes an answer; what is wrong with it, or null. */
  acknowledge(key: string, run_id: string): string | null {
    const known = this.runs.get(key);
    if (known !== undefined && known !== run_id) {
      return `the key ${key} made two runs: ${known} and ${run_id}`;
    }
    this.runs.set(key, run_id);
    return null;
  }
}
