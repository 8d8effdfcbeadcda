import type { Schemas } from '../../generated/types.ts';
import type { RunStatus } from '../store/runs.ts';

export type { RunStatus };
export type RunErrorCode = Schemas['RunError']['code'];

/**
 * The one table of what may follow what. The database holds the same with CHECKs and guarded
 * statements; docs/run-states.md draws it; test/runs/runStatus.test.ts keeps the three equal.
 * A run that a second worker takes over stays running, with a higher attempt.
 */
export const TRANSITIONS = {
  queued: ['running', 'cancelled'],
  running: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<RunStatus, readonly RunStatus[]>;

/** Whether a run with this status has ended for good. */
export function isTerminal(status: RunStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

/** Ends a run as failed, with this for its reader. */
export class RunFailure extends Error {
  readonly code: RunErrorCode;
  readonly retryable: boolean;

  constructor(code: RunErrorCode, message: string, retryable: boolean) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}
