/** What the kit has made on a target, so that nothing of it is left running or active. */

/** What an answer or an event tells of a run. */
interface SeenRun { id: string; session_id: string; status: string }

export class Made {
  /** Sessions, each with the key of its wire and the Authorization that has made it. */
  readonly sessions = new Map<string, { api_key: string; authorization: string | null }>();
  /** Sessions of which the target says that they were deleted. */
  readonly deleted = new Set<string>();
  /** How many sessions were asked for whose answer has not come: each may have been made. */
  awaited = 0;
  readonly #answers = new Set<Promise<void>>();
  /** By session: how many more runs were asked for than have been seen to end. */
  readonly #open = new Map<string, number>();
  readonly #ended = new Set<string>();

  /** A session is being asked for. */
  awaitAnswer(called: Promise<unknown>): void {
    const answered = called.then(() => {}, () => {}).then(() => {
      this.#answers.delete(answered);
    });
    this.#answers.add(answered);
  }

  /** Resolves once each of those that were asked for has its answer, or none. */
  async answered(): Promise<void> {
    await Promise.all(this.#answers);
  }

  /** A run is being asked for. */
  runAsked(session_id: string): void {
    this.#open.set(session_id, (this.#open.get(session_id) ?? 0) + 1);
  }

  runRefused(session_id: string): void {
    this.#open.set(session_id, (this.#open.get(session_id) ?? 0) - 1);
  }

  runSeen({ id, session_id, status }: SeenRun): void {
    if (status === 'queued' || status === 'running' || this.#ended.has(id)) return;
    this.#ended.add(id);
    this.runRefused(session_id);
  }

  mayHaveOpenRuns(session_id: string): boolean {
    return (this.#open.get(session_id) ?? 0) > 0;
  }
}
