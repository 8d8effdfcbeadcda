import type { Schemas } from './client.ts';
import { choice, flag } from './inputs.ts';
import type { Listing } from './output.ts';
import { ago, duration } from './records.ts';
import { oneLine } from './terminal.ts';

type Summary = Schemas['RunSummary'];

/** What stands before the prompt is about so wide. */
const BEFORE_PROMPT = 60;
const PROMPT = 80;
/** Of a prompt that is not for a screen: whole files may be in it. */
const PROMPT_IN_PIPE = 1_000;

export const RUNS: Listing<Summary> = {
  nothing: 'such runs',
  headings: ['ID', 'STATUS', 'AGE', 'TOOK', 'PROMPT'],
  row: (run, columns) => [run.id, run.status, ago(run.created_at), tookOf(run) ?? '-',
    oneLine(promptOf(run), columns === undefined ? PROMPT_IN_PIPE
      : Math.max(PROMPT, columns - BEFORE_PROMPT))],
};

/** The flags of which runs are listed or watched. */
export const ONLY_RUNS = {
  status: choice('--status <status>', 'only those',
    ['queued', 'running', 'completed', 'failed', 'cancelled']),
  session_id: flag('--session <id>', 'only those of this session'),
};

/** How long it was executed, so far or in all; null if it was not begun. */
export function tookOf({ started_at, finished_at }: Summary): string | null {
  if (started_at === null) return null;
  const until_ms = finished_at === null ? Date.now() : Date.parse(finished_at);
  return duration(Math.max(0, until_ms - Date.parse(started_at))); // clocks may differ
}

/** What was asked, all of it. */
export function promptOf({ input }: Pick<Summary, 'input'>): string {
  return input.flatMap(({ content }) => content.map(({ text }) => text)).join('\n');
}
