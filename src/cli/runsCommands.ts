/** `runs`: what agents have been asked for, and what came of it. */
import type { Schemas } from './client.ts';
import { clientCommand, group } from './command.ts';
import { argument, flag, pointInTime, toggle, wholeNumber, withDefault } from './inputs.ts';
import { EXIT_CODES, faultText } from './outcome.ts';
import { printJsonLine } from './output.ts';
import {
  duration, metadataText, moment, newestCommand, ONLY_METADATA, printFacts, showCommand,
} from './records.ts';
import { EventRenderer } from './renderEvents.ts';
import { callLine } from './renderToolCall.ts';
import { ONLY_RUNS, promptOf, RUNS, tookOf } from './runsListing.ts';
import { addRunsWatchCommand } from './runsWatch.ts';
import { oneLine, type Style, type Terminal } from './terminal.ts';
import { TranscriptWriter } from './transcript.ts';
import { watchRun } from './watch.ts';

const PAGE_EVENTS = 1_000;
const RUN = argument('<run_id>', 'the run, or the beginning of its id');

const list = newestCommand('/runs', {
  ...RUNS,
  summary: 'list runs',
  description: 'Lists runs, the newest first.',
  inputs: {
    ...ONLY_RUNS,
    error_code: flag('--error <code>', 'only those that failed with this code, as model_error'),
    model: flag('--model <model>', 'only those of this model'),
    created_after: flag('--after <time>', 'only those created after it, ISO 8601', pointInTime),
    created_before: flag('--before <time>', 'only those created before it, ISO 8601', pointInTime),
    metadata: ONLY_METADATA,
  },
  query: async (client, { session_id, ...rest }) => ({
    ...rest, session_id: session_id && await client.wholeId('session_id', session_id),
  }),
  example: 'gatehouse runs list --status failed --after 2026-11-01',
});

const show = showCommand(clientCommand, '/runs/{run_id}', {
  summary: 'show a run: prompt, calls and answer',
  description: 'Shows a run as it is now: what was asked, the calls, and the answer or the error.',
  id: RUN,
  example: 'gatehouse runs show run_01kagz4e6f',
  print: ({ terminal }, run) => printRun(terminal, run),
});

const events = clientCommand('events', {
  summary: "show a run's events",
  description: "Shows a run's events so far, or follows them to the run's end.",
  inputs: {
    id: RUN,
    after: withDefault(flag('--after <number>', 'begin after this sequence number',
      wholeNumber(0, 2 ** 31 - 1)), 0),
    follow: toggle('--follow', 'go on until the run has ended'),
    json: toggle('--json', 'print the events as lines of JSON'),
  },
  notes: `Exit codes with --follow: ${EXIT_CODES}`,
  example: 'gatehouse runs events run_01kagz4e6f --after 7 --follow',
  async run(workplace, { id, after, follow, json }) {
    const { client, terminal } = workplace;
    if (follow) {
      // A wrong id, or a service that is down, shows at once.
      const run = await client.request('GET', '/runs/{run_id}', { id });
      return await watchRun(workplace, run.id, after,
        json ? 'json' : terminal.quiet ? 'text' : 'live');
    }
    const renderer = new EventRenderer(terminal.out, terminal.style, terminal.screen);
    for (let starting_after = after; ;) {
      const { data, has_more } = await client.request('GET', '/runs/{run_id}/events',
        { id, query: { starting_after, limit: PAGE_EVENTS } });
      for (const event of data) {
        starting_after = event.sequence_number;
        if (json) printJsonLine(terminal, event);
        else renderer.event(event);
      }
      if (!has_more || data.length === 0) break;
    }
    renderer.close();
  },
});

const cancel = clientCommand('cancel', {
  summary: 'cancel a run',
  description: 'Cancels a queued or running run. One that has ended stays as it is.',
  inputs: { id: RUN },
  example: 'gatehouse runs cancel run_01kagz4e6f',
  async run({ client, terminal }, { id }) {
    const run = await client.request('POST', '/runs/{run_id}/cancel', { id });
    terminal.out(run.status === 'cancelled' ? `${run.id} is cancelled.\n`
      : `${run.id} has ended already: ${run.status}.\n`);
  },
});

export const addRunsCommands = group('runs', {
  summary: 'list, show, watch and cancel runs',
  description: 'Lists, shows, watches and cancels runs, with an api key; `gatehouse run` makes'
    + ' one.',
  example: 'gatehouse runs list',
}, [list, show, addRunsWatchCommand, events, cancel]);

function printRun(terminal: Terminal, run: Schemas['Run']): void {
  const { attempts = 0, usage, error, created_at, started_at } = run;
  const waited = started_at === null ? null : Date.parse(started_at) - Date.parse(created_at);
  printFacts(terminal, run.id, {
    status: run.status, error: error && faultText(error), session: run.session_id,
    model: run.model, by: run.source, created: moment(created_at),
    waited: waited === null ? null : duration(waited), took: tookOf(run),
    attempts: attempts > 1 ? String(attempts) : null,
    tokens: usage && `${usage.input_tokens} in, ${usage.output_tokens} out`,
    metadata: metadataText(run.metadata), instructions: run.instructions,
    'may take': [`${run.max_steps} steps`, duration(run.timeout_s * 1_000),
      ...(run.max_total_tokens === null ? [] : [`${run.max_total_tokens} tokens`])].join(', '),
  });
  const transcript = new TranscriptWriter(terminal);
  transcript.prompt(promptOf(run));
  for (const call of run.tool_calls) {
    for (const line of linesOf(call, terminal.style)) transcript.line(line);
  }
  for (const { content } of run.output) {
    transcript.answer(content.map(({ text }) => text).join(''));
  }
}

function linesOf(call: Schemas['ToolCallSummary'], style: Style): string[] {
  const { name, error, started_at, finished_at, invocation_id } = call;
  const facts = [call.status, ...(error === null ? [] : [`${error.code}: ${error.message}`]),
    ...(finished_at === null ? [] : [duration(Date.parse(finished_at) - Date.parse(started_at))]),
    ...(invocation_id === null ? [] : [invocation_id])];
  return [callLine(name, JSON.stringify(call.arguments) ?? '', style),
    `  ${style('dim', facts.map((fact) => oneLine(fact, 300)).join(' · '))}`];
}
