import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { ConnectionError, RefusedError, type Client, type Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import type { Act } from './act.ts';
import { openWorkplace, wholeNumber, withApiKey, type ClientOptions } from './options.ts';
import { EventRenderer } from './renderEvents.ts';
import { watchRun, type View } from './watch.ts';

interface RunOptions extends ClientOptions {
  session?: string;
  follow?: boolean;
  model?: string;
  json?: boolean;
}

interface EventsOptions extends ClientOptions {
  after: number;
  follow?: boolean;
  json?: boolean;
}

const EXIT_CODES = 'Exit codes: 0 completed, 1 failed, 2 cancelled or wrong usage, 130 detached.';
const CREATE_ATTEMPTS = 3;
const PAGE_EVENTS = 1_000;

/** `run`, `cancel` and `events`. */
export function addRunCommands(program: Command, act: Act): void {
  withApiKey(program.command('run')
    .summary('run a prompt and print what the agent says')
    .description('Runs a prompt in a new session, or in one that there is, and prints the answer.')
    .argument('<prompt>', 'the prompt; - reads it from standard input')
    .option('--session <id>', 'go on in this session')
    .option('--follow', 'show reasoning, tool calls and text as they happen')
    .option('--model <model>', "instead of the workspace's model")
    .option('--json', 'print the events as lines of JSON'))
    .addHelpText('after', `\n${EXIT_CODES}\n\nExample:\n`
      + '  gatehouse run "Which sessions do I have?" --follow')
    .action(act(run));
  withApiKey(program.command('cancel')
    .summary('cancel a run')
    .description('Cancels a queued or running run. One that has ended stays as it is.')
    .argument('<run_id>', 'the run'))
    .addHelpText('after', '\nExample:\n  gatehouse cancel run_01kagz4e6f1s3t5v7w9x1y3z5a')
    .action(act(cancel));
  withApiKey(program.command('events')
    .summary("show a run's events")
    .description("Shows a run's events so far, or follows them to the run's end.")
    .argument('<run_id>', 'the run')
    .option('--after <number>', 'begin after this sequence number', wholeNumber(0, 2 ** 31 - 1), 0)
    .option('--follow', 'go on until the run has ended')
    .option('--json', 'print the events as lines of JSON'))
    .addHelpText('after', `\n${EXIT_CODES}\n\nExample:\n`
      + '  gatehouse events run_01kagz4e6f1s3t5v7w9x1y3z5a --after 7 --follow')
    .action(act(events));
}

async function run(prompt: string, options: RunOptions): Promise<number> {
  const workplace = openWorkplace(options);
  const { client, terminal, again } = workplace;
  const text = prompt === '-' ? await readAll(process.stdin) : prompt;
  if (text.trim() === '') throw new Failure('The prompt is empty. Say what to do.', EXIT.usage);
  const session_id = options.session
    ?? (await create<Schemas['Session']>(client, '/sessions', {})).id;
  const body: Schemas['CreateRunRequest'] = {
    input: [{ role: 'user', content: [{ type: 'input_text', text }] }],
    ...(options.model !== undefined && { model: options.model }),
  };
  const { id } = await create<Schemas['Run']>(
    client, `/sessions/${encodeURIComponent(session_id)}/runs`, body);
  if (options.session === undefined) {
    terminal.err(terminal.err_style('dim',
      `New session; go on in it with: ${again('run', '--session', session_id)} "…"`) + '\n');
  }
  const view: View = options.json ? 'json' : options.follow ? 'live' : 'text';
  return await watchRun(workplace, id, 0, view);
}

async function cancel(run_id: string, options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const { status } = await client.request<Schemas['Run']>(
    'POST', `/runs/${encodeURIComponent(run_id)}/cancel`);
  if (status === 'cancelled') terminal.out(`${run_id} is cancelled.\n`);
  else terminal.out(`${run_id} has ended already: ${status}.\n`);
  return EXIT.ok;
}

async function events(run_id: string, options: EventsOptions): Promise<number> {
  const workplace = openWorkplace(options);
  const { client, terminal } = workplace;
  const path = `/runs/${encodeURIComponent(run_id)}`;
  if (options.follow) {
    await client.request('GET', path); // a wrong id or a service that is down shows at once
    return await watchRun(workplace, run_id, options.after, options.json ? 'json' : 'live');
  }
  const renderer = new EventRenderer(terminal.out, terminal.style);
  let starting_after = options.after;
  for (;;) {
    const { data, has_more } = await client.request<Schemas['RunEventList']>('GET',
      `${path}/events`, { query: { starting_after, limit: PAGE_EVENTS } });
    for (const event of data) {
      starting_after = event.sequence_number;
      if (options.json) terminal.out(`${JSON.stringify(event)}\n`);
      else renderer.event(event);
    }
    if (!has_more || data.length === 0) break;
  }
  renderer.close();
  return EXIT.ok;
}

/** A POST that takes effect once, though the connection may break and it is sent again. */
async function create<T>(client: Client, path: string, body: unknown): Promise<T> {
  const idempotency_key = randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.request<T>('POST', path, { body, idempotency_key });
    } catch (error) {
      const broken = error instanceof ConnectionError && !(error instanceof RefusedError);
      if (!broken || attempt === CREATE_ATTEMPTS) throw error;
      await delay(250 * attempt);
    }
  }
}
