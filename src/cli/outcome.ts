import type { RunEvent, Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { safeText } from './terminal.ts';

/** What they are of a command that waits for a run, for --help. */
export const EXIT_CODES = '0 completed, 1 failed, 2 wrong usage, 3 cancelled, 130 detached.';

const ENDS: Record<string, number | undefined> = {
  'run.completed': EXIT.ok, 'run.failed': EXIT.failed, 'run.cancelled': EXIT.cancelled,
};

/** The exit code for how a run ended; undefined for an event that is not its last. */
export function exitCodeOf({ type }: { type: string }): number | undefined {
  return ENDS[type];
}

/** Why a run failed, on one line. */
export function faultText({ code, message, retryable }: Schemas['RunError']): string {
  return `${safeText(message)} (${safeText(code)}${retryable ? '; trying again may help' : ''})`;
}

/** What a completed run said. Throws Failure for a run that ended otherwise. */
export function finalText(event: RunEvent): string {
  if (event.type === 'run.completed') {
    return event.data.output
      .map(({ content }) => content.map(({ text }) => text).join('')).join('\n\n');
  }
  if (event.type === 'run.failed') {
    throw new Failure(`The run failed: ${faultText(event.data.error)}`);
  }
  throw new Failure('The run was cancelled.', EXIT.cancelled);
}
