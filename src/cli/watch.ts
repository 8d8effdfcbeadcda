import type { RunEvent } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { followEvents } from './follow.ts';
import { MarkdownStream } from './markdown.ts';
import { exitCodeOf, finalText } from './outcome.ts';
import { EventRenderer } from './renderEvents.ts';
import type { Wait } from './statusLine.ts';
import { oneLine, safeJson, safeText, type Terminal } from './terminal.ts';
import { MAX_ATTEMPTS } from './tries.ts';
import type { Workplace } from './workplace.ts';

/**
 * `text`: the final text alone. `live`: everything, for a person. `json`: the bare events.
 * `nothing`: its end is waited for.
 */
export type View = 'text' | 'live' | 'json' | 'nothing';

/** A worker takes a run within milliseconds. */
const QUEUED_MS = 3_000;
const QUEUED = 'queued: no worker has taken it. All may be busy, none may run, or the database may'
  + ' have no room: where the service runs, `gatehouse doctor` tells. Ctrl-C leaves it queued.';

/**
 * Follows a run to its end and shows it; gives the exit code for how it ended. Ctrl-C leaves the
 * run alone and says how to come back to it.
 */
export async function watchRun(
  { client, terminal, again }: Workplace, run_id: string, starting_after: number, view: View,
): Promise<number> {
  const renderer = new EventRenderer(terminal.out, terminal.style, terminal.screen);
  const note = (text: string) => view === 'live' ? renderer.note(text) : terminal.err(`${text}\n`);
  const waiting = new WaitNotes(terminal, () => note(QUEUED));
  let last = starting_after;
  let ending: RunEvent | undefined;
  const onRetry = (attempt: number) => {
    note(`the connection broke; trying again (${attempt} of ${MAX_ATTEMPTS}) …`);
  };
  const follow = async (signal: AbortSignal) => {
    for await (const { event, json } of followEvents(
      client, run_id, { starting_after, signal, onRetry })) {
      last = event.sequence_number;
      ending = event;
      waiting.event(event);
      if (view === 'live') renderer.event(event);
      else if (view === 'json') terminal.out(`${safeJson(json)}\n`);
    }
  };
  try {
    // The view `text` has shown nothing yet, so it begins again where it began.
    await interruptible(follow, () => `\nDetached; the run goes on.\n  resume:  ${again('runs',
      'events', run_id, '--after', String(view === 'text' ? starting_after : last), '--follow')}\n`
      + `  cancel:  ${again('runs', 'cancel', run_id)}`);
  } finally {
    waiting.end();
    renderer.close();
  }
  if (!ending) { // Nothing comes after `starting_after`, as the run has ended before.
    const { status } = await client.request('GET', '/runs/{run_id}', { id: run_id });
    return exitCodeOf({ type: `run.${status}` }) ?? EXIT.ok;
  }
  if (view === 'text') {
    showAnswer(terminal, finalText(ending));
  }
  return exitCodeOf(ending) ?? EXIT.ok;
}

/** Prints what a run said: for a person, or as it is. */
function showAnswer(terminal: Terminal, text: string): void {
  const { out, style, screen, interactive } = terminal;
  if (!screen) return out(`${interactive ? safeText(text) : text}\n`);
  const stream = new MarkdownStream(out, { style, columns: () => screen.columns });
  stream.push(safeText(text));
  stream.flush();
}

/** Tells what a run waits for, and of a run that nobody executes. */
class WaitNotes {
  readonly #wait: Wait;
  readonly #onQueued: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, onQueued: () => void) {
    this.#wait = terminal.wait('waiting for the service');
    this.#onQueued = onQueued;
  }

  event({ type, data }: RunEvent): void {
    clearTimeout(this.#timer);
    if (type === 'run.created') this.#timer = setTimeout(this.#onQueued, QUEUED_MS).unref();
    if (type === 'run.created') this.#wait.say('queued');
    else if (type === 'tool_call.started') this.#wait.say(`waiting for ${oneLine(data.name, 60)}`);
    else if (type !== 'tool_call.arguments.delta') this.#wait.say('waiting for the model');
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#wait.end();
  }
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
