/** Exit codes of `gatehouse`: what a script may rely on. */
export const EXIT = { ok: 0, failed: 1, usage: 2, cancelled: 2, interrupted: 130 } as const;

/** Ends a command: the message is printed as it is, without a stack trace. */
export class Failure extends Error {
  readonly exit_code: number;

  constructor(message: string, exit_code: number = EXIT.failed, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exit_code = exit_code;
  }
}
