import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { text as readAll } from 'node:stream/consumers';
import { ConnectionError, RefusedError } from './client.ts';
import { clientCommand } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { argument, flag, toggle, wholeNumber, withDefault } from './inputs.ts';
import { EventRenderer } from './renderEvents.ts';
import { safeJson } from './terminal.ts';
import { watchRun } from './watch.ts';

const EXIT_CODES = 'Exit codes: 0 completed, 1 failed, 2 cancelled or wrong usage, 130 detached.';
const CREATE_ATTEMPTS = 3;
const PAGE_EVENTS = 1_000;
const JSON_LINES = toggle('--json', 'print the events as lines of JSON');
const RUN = argument('<run_id>', 'the run');

/** `run`: a prompt, to the end of the run. */
export const addRunCommand = clientCommand('run', {
  summary: 'run a prompt and print what the agent says',
  description: 'Runs a prompt in a new session, or in one that there is, and prints the answer.',
  inputs: {
    prompt: argument('<prompt>', 'the prompt; - reads it from standard input'),
    session: flag('--session <id>', 'go on in this session'),
    follow: toggle('--follow', 'show reasoning, tool calls and text as they happen'),
    model: flag('--model <model>', "instead of the workspace's model"),
    json: JSON_LINES,
  },
  notes: EXIT_CODES,
  example: 'gatehouse run "Which sessions do I have?" --follow',
  async run(workplace, { prompt, session, follow, model, json }) {
    const { client, terminal, again } = workplace;
    const text = prompt === '-' ? await readAll(process.stdin) : prompt;
    if (text.trim() === '') throw new Failure('The prompt is empty. Say what to do.', EXIT.usage);
    const session_id = session ?? (await once((idempotency_key) =>
      client.request('POST', '/sessions', { body: {}, idempotency_key }))).id;
    const { id } = await once((idempotency_key) =>
      client.request('POST', '/sessions/{session_id}/runs', {
        id: session_id, idempotency_key,
        body: { input: [{ role: 'user', content: [{ type: 'input_text', text }] }], model },
      }));
    if (session === undefined) {
      terminal.err(terminal.err_style('dim',
        `New session; go on in it with: ${again('run', '--session', session_id)} "…"`) + '\n');
    }
    return await watchRun(workplace, id, 0, json ? 'json' : follow ? 'live' : 'text');
  },
});

/** `cancel`: the end of a run, before it is done. */
export const addCancelCommand = clientCommand('cancel', {
  summary: 'cancel a run',
  description: 'Cancels a queued or running run. One that has ended stays as it is.',
  inputs: { id: RUN },
  example: 'gatehouse cancel run_01kagz4e6f1s3t5v7w9x1y3z5a',
  async run({ client, terminal }, { id }) {
    const { status } = await client.request('POST', '/runs/{run_id}/cancel', { id });
    terminal.out(status === 'cancelled' ? `${id} is cancelled.\n`
      : `${id} has ended already: ${status}.\n`);
  },
});

/** `events`: what has happened in a run. */
export const addEventsCommand = clientCommand('events', {
  summary: "show a run's events",
  description: "Shows a run's events so far, or follows them to the run's end.",
  inputs: {
    id: RUN,
    after: withDefault(flag('--after <number>', 'begin after this sequence number',
      wholeNumber(0, 2 ** 31 - 1)), 0),
    follow: toggle('--follow', 'go on until the run has ended'),
    json: JSON_LINES,
  },
  notes: EXIT_CODES,
  example: 'gatehouse events run_01kagz4e6f1s3t5v7w9x1y3z5a --after 7 --follow',
  async run(workplace, { id, after, follow, json }) {
    const { client, terminal } = workplace;
    if (follow) {
      // A wrong id, or a service that is down, shows at once.
      await client.request('GET', '/runs/{run_id}', { id });
      return await watchRun(workplace, id, after, json ? 'json' : 'live');
    }
    const renderer = new EventRenderer(terminal.out, terminal.style);
    for (let starting_after = after; ;) {
      const { data, has_more } = await client.request('GET', '/runs/{run_id}/events',
        { id, query: { starting_after, limit: PAGE_EVENTS } });
      for (const event of data) {
        starting_after = event.sequence_number;
        if (json) terminal.out(`${safeJson(JSON.stringify(event))}\n`);
        else renderer.event(event);
      }
      if (!has_more || data.length === 0) break;
    }
    renderer.close();
  },
});

/** Makes a request take effect once, though the connection may break and it is sent again. */
async function once<T>(send: (idempotency_key: string) => Promise<T>): Promise<T> {
  const idempotency_key = randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(idempotency_key);
    } catch (error) {
      const broken = error instanceof ConnectionError && !(error instanceof RefusedError);
      if (!broken || attempt === CREATE_ATTEMPTS) throw error;
      await delay(250 * attempt);
    }
  }
}
