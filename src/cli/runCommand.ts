import { randomUUID } from 'node:crypto';
import { ApiError, ConnectionError, RefusedError } from './answers.ts';
import { clientCommand } from './command.ts';
import { EXIT, Failure, refuseBoth } from './failure.ts';
import { argument, flag, repeated, toggle } from './inputs.ts';
import { EXIT_CODES } from './outcome.ts';
import { printJson } from './output.ts';
import { runInput } from './runInput.ts';
import { withTries } from './tries.ts';
import { watchRun } from './watch.ts';
import type { Workplace } from './workplace.ts';

export const addRunCommand = clientCommand('run', {
  summary: 'run a prompt and print what the agent says',
  description: 'Runs a prompt in a new session, or in one that there is, and prints the answer.',
  inputs: {
    prompt: argument<string | undefined>('[prompt]',
      'the prompt, in quotes; - reads it from standard input'),
    files: repeated('-f, --file <file>', 'a text that goes with the prompt, or is it; may be'
      + ' repeated, and - is standard input'),
    session: flag('--session <id>', 'go on in this session'),
    continue: toggle('-c, --continue', 'go on in the session that you were in last'),
    follow: toggle('--follow', 'show reasoning, tool calls and text as they happen'),
    wait: toggle('--wait', 'wait for the end, as it does anyway; with --json print the run then'),
    detach: toggle('-d, --detach', 'print the id of the run, and let it go on alone'),
    model: flag('--model <model>', "instead of the workspace's model"),
    json: toggle('--json', 'print the events as lines of JSON; with --wait or --detach the run'),
  },
  notes: `Exit codes: ${EXIT_CODES}`,
  example: `gatehouse run "Which sessions do I have?" --follow
  gatehouse run "Summarise these" --file march.md --file april.md
  git diff | gatehouse run "Review this" --file - --continue`,
  async run(workplace, { prompt, files = [], session, continue: goes_on, model, ...how }) {
    const { client, terminal, again, lastSession } = workplace;
    const { follow, wait, detach, json } = how;
    refuseBoth(['--session', session], ['--continue', goes_on]);
    refuseBoth(['--detach', detach], ['--wait', wait]);
    refuseBoth(['--detach', detach], ['--follow', follow]);
    const input = await runInput(prompt, files);
    const given = session ?? (goes_on ? lastOne(workplace) : undefined);
    const session_id = given ?? (await once(workplace, (idempotency_key) =>
      client.request('POST', '/sessions', { body: {}, idempotency_key }))).id;
    const run = await once(workplace, (idempotency_key) =>
      client.request('POST', '/sessions/{session_id}/runs', {
        id: session_id, idempotency_key, body: { input, model },
      }));
    const { id } = run;
    await lastSession.keep(run.session_id);
    if (given === undefined) {
      terminal.err(terminal.err_style('dim',
        `New session; go on in it with: ${again('run', '--session', session_id)} "…"`) + '\n');
    }
    if (detach) {
      if (json) printJson(terminal, run);
      else terminal.out(`${id}\n`); // alone, so that a script can take it
      return EXIT.ok;
    }
    const view = wait && json ? 'nothing' : json ? 'json'
      : follow && !terminal.quiet ? 'live' : 'text';
    const exit_code = await watchRun(workplace, id, 0, view);
    if (view === 'nothing') {
      printJson(terminal, await client.request('GET', '/runs/{run_id}', { id }));
    }
    return exit_code;
  },
});

/** The session that this person was in last, with this service and key. Throws Failure. */
function lastOne({ lastSession }: Workplace): string {
  const session_id = lastSession.read();
  if (session_id !== null) return session_id;
  throw new Failure('No session is known in which you were last. `gatehouse sessions list` shows'
    + ' those that there are, for --session.', EXIT.usage);
}

/** Makes a request take effect once, though it is sent again: for as long as a run is followed. */
async function once<T>(
  { terminal }: Workplace, send: (idempotency_key: string) => Promise<T>): Promise<T> {
  const idempotency_key = randomUUID();
  return await withTries(terminal, () => send(idempotency_key), mayBeDone);
}

/** Whether a request with a key that failed so may be done, or will be, if it is sent again. */
function mayBeDone(error: unknown, attempt: number): error is Error {
  if (error instanceof ApiError) {
    return error.status >= 500 || error.code === 'idempotency_in_progress';
  }
  // Who has given a wrong address learns it at once; a service that has answered is restarting.
  if (error instanceof RefusedError) return attempt > 1;
  return error instanceof ConnectionError;
}
