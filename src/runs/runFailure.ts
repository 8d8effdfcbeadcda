import type { RunErrorCode } from './runStatus.ts';

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
