import type { RunEvent } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { safeText } from './terminal.ts';

/** The exit code for how a run ended; undefined for an event that is not its last. */
export function exitCodeOf({ type }: RunEvent): number | undefined {
  switch (type) {
    case 'run.completed': return EXIT.ok;
    case 'run.failed': return EXIT.failed;
    case 'run.cancelled': return EXIT.cancelled;
    default: return undefined;
  }
}

/** What a completed run said. Throws Failure for one that ended otherwise. */
export function finalText(event: RunEvent): string {
  if (event.type === 'run.completed') {
    return event.data.output
      .map(({ content }) => content.map(({ text }) => text).join('')).join('\n\n');
  }
  if (event.type === 'run.failed') {
    const { code, message, retryable } = event.data.error;
    throw new Failure(`The run failed: ${safeText(message)} (${safeText(code)}`
      + `${retryable ? '; trying again may help' : ''})`);
  }
  throw new Failure('The run was cancelled.', EXIT.cancelled);
}
