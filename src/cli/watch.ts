import type { RunEvent } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { followEvents, MAX_ATTEMPTS } from './follow.ts';
import type { Workplace } from './workplace.ts';
import { exitCodeOf, finalText } from './outcome.ts';
import { EventRenderer } from './renderEvents.ts';
import { safeJson, safeText } from './terminal.ts';

/** `text`: the final text alone. `live`: everything, for a person. `json`: the bare events. */
export type View = 'text' | 'live' | 'json';

/**
 * Follows a run to its end and shows it; gives the exit code for how it ended. Ctrl-C leaves the
 * run alone and says how to come back to it.
 */
export async function watchRun(
  { client, terminal, again }: Workplace, run_id: string, starting_after: number, view: View,
): Promise<number> {
  const renderer = new EventRenderer(terminal.out, terminal.style);
  let last = starting_after;
  let ending: RunEvent | undefined;
  const onRetry = (attempt: number) => {
    const what = `the connection broke; trying again (${attempt} of ${MAX_ATTEMPTS}) …`;
    if (view === 'live') renderer.note(what);
    else terminal.err(`${what}\n`);
  };
  const follow = async (signal: AbortSignal) => {
    for await (const { event, json } of followEvents(
      client, run_id, { starting_after, signal, onRetry })) {
      last = event.sequence_number;
      ending = event;
      if (view === 'live') renderer.event(event);
      else if (view === 'json') terminal.out(`${safeJson(json)}\n`);
    }
  };
  try {
    // The view `text` has shown nothing yet, so it begins again where it began.
    await interruptible(follow, () => `\nDetached; the run goes on.\n  resume:  ${again('events',
      run_id, '--after', String(view === 'text' ? starting_after : last), '--follow')}\n`
      + `  cancel:  ${again('cancel', run_id)}`);
  } finally {
    renderer.close();
  }
  if (!ending) return EXIT.ok; // nothing comes after `starting_after`
  if (view === 'text') {
    const text = finalText(ending);
    terminal.out(`${terminal.interactive ? safeText(text) : text}\n`);
  }
  return exitCodeOf(ending) ?? EXIT.ok;
}

/**
 * Runs `work` with a signal that the first Ctrl-C aborts; then a Failure with the `farewell` is
 * thrown. A second Ctrl-C ends the process at once.
 */
async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>, farewell: () => string): Promise<T> {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw new Failure(farewell(), EXIT.interrupted);
    throw error;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
