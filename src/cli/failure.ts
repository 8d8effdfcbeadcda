/** The exit codes of `gatehouse`, as docs/command-line.md has them. Scripts may rely on them. */
export const EXIT = { ok: 0, failed: 1, usage: 2, cancelled: 3, interrupted: 130 } as const;

/** Ends a command: the message is printed as it is, without a stack trace. */
export class Failure extends Error {
  readonly exit_code: number;

  constructor(message: string, exit_code: number = EXIT.failed, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exit_code = exit_code;
  }
}

/** Throws Failure for a request that would change nothing. */
export function refuseEmpty(body: object): void {
  if (Object.values(body).some((value) => value !== undefined)) return;
  throw new Failure('Say what to change; --help lists what can be.', EXIT.usage);
}

/** Throws Failure for two flags that contradict each other. */
export function refuseBoth(one: [flag: string, given: unknown], other: typeof one): void {
  if (!one[1] || !other[1]) return;
  throw new Failure(`Give ${one[0]} or ${other[0]}, not both.`, EXIT.usage);
}
