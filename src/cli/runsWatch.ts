/** `runs watch`: runs as they come and go, or one of them as it happens. */
import { setTimeout as delay } from 'node:timers/promises';
import type { QueryOf, Schemas } from './client.ts';
import { clientCommand } from './command.ts';
import { EXIT } from './failure.ts';
import { argument, flag, toggle, wholeNumber, withDefault } from './inputs.ts';
import { openScreen } from './liveScreen.ts';
import { printJsonLine } from './output.ts';
import { ONLY_RUNS, RUNS } from './runsListing.ts';
import { onEndSignal } from './signals.ts';
import { safeText, table } from './terminal.ts';
import { MAX_ATTEMPTS, mayPass, tryingAgain } from './tries.ts';
import { watchRun } from './watch.ts';
import type { Workplace } from './workplace.ts';

type WatchedRun = Schemas['RunSummary'];

/** The lines of a screen that are no runs: the title, the headings, a note, and the last one. */
const OTHER_LINES = 4;
const MOST_RUNS = 100;

export const addRunsWatchCommand = clientCommand('watch', {
  summary: 'watch runs in a live table, or one as it happens',
  description: 'Shows the newest runs in a table that is drawn anew, until Ctrl-C. Where no person'
    + ' reads, it prints a line for each run whose status has changed. With a run, it shows that'
    + ' one as it happens, to its end.',
  inputs: {
    id: argument<string | undefined>('[run_id]', 'one run, or the beginning of its id'),
    ...ONLY_RUNS,
    every: withDefault(flag('--every <seconds>', 'how often it looks', wholeNumber(1, 3_600)), 2),
    json: toggle('--json', 'print lines of JSON: each run when its status has changed'),
  },
  example: 'gatehouse runs watch --status running',
  async run(workplace, { id, status, session_id, every, json }) {
    const { client } = workplace;
    if (id !== undefined) {
      const run = await client.request('GET', '/runs/{run_id}', { id });
      return await watchRun(workplace, run.id, 0, json ? 'json' : 'live');
    }
    const query = { status,
      session_id: session_id && await client.wholeId('session_id', session_id) };
    return await watchRuns(workplace, query, { every_ms: every * 1_000, json: json === true });
  },
});

interface Watching {
  every_ms: number;
  json: boolean;
}

async function watchRuns(
  workplace: Workplace, query: QueryOf<'/runs'>, { every_ms, json }: Watching): Promise<number> {
  const { client, terminal } = workplace;
  const ended = new AbortController();
  const release = onEndSignal(() => ended.abort());
  const screen = json ? null : terminal.screen;
  const live = screen && openScreen();
  const show = live === null ? changePrinter(workplace, json)
    : (runs: WatchedRun[], note: string) => live.draw([
      terminal.style('bold', `Runs at ${new Date().toLocaleTimeString()}`)
        + terminal.style('dim', ` · every ${every_ms / 1_000} s · Ctrl-C ends`),
      // Of a look that failed nobody knows what there is.
      runs.length === 0 ? note === '' ? `There are no ${RUNS.nothing}.` : ''
        : table(RUNS.headings, runs.map((run) => RUNS.row(run, screen?.columns)), terminal.style)
          .trimEnd(),
      safeText(note),
    ].join('\n'));
  let runs: WatchedRun[] = [];
  try {
    for (let failures = 0; ;) {
      let note = '';
      try {
        const limit = Math.min(MOST_RUNS, screen ? screen.rows - OTHER_LINES : MOST_RUNS);
        ({ data: runs } = await client.request('GET', '/runs',
          { query: { ...query, limit: Math.max(1, limit) }, signal: ended.signal }));
        failures = 0;
      } catch (error) {
        if (!mayPass(error) || ++failures > MAX_ATTEMPTS) throw error;
        note = tryingAgain(failures, error);
      }
      show(runs, note);
      await delay(every_ms, undefined, { signal: ended.signal });
    }
  } catch (error) {
    if (ended.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    live?.close();
    release();
  }
}

/** Prints the runs whose status is another than before, the oldest first. */
function changePrinter({ terminal }: Workplace, json: boolean) {
  let before = new Map<string, string>();
  return (runs: WatchedRun[], note: string) => {
    if (note !== '') terminal.err(`${note}\n`);
    for (const run of runs.toReversed()) {
      if (before.get(run.id) === run.status) continue;
      if (json) printJsonLine(terminal, run);
      else terminal.out(`${RUNS.row(run).map(safeText).join('  ')}\n`);
    }
    before = new Map(runs.map(({ id, status }) => [id, status]));
  };
}
