/**
 * What every generated client has to do: a session, a run by `wait`, a run by its stream, which
 * breaks off twice, pages of a list, a cancel, three refusals told apart by their code, actions.
 * The programs are in flows/, one for each generator. Each reads BASE_URL, API_KEY, WRONG_KEY and
 * DAY, and prints `ok <step>` for what it has done.
 */
import { spawn } from 'node:child_process';
import { openWay, type Day } from './way.ts';

export const STEPS =
  ['session', 'wait', 'stream', 'paging', 'cancel', 'errors', 'actions'] as const;

/** How a program is started, or a tool. */
export interface Command { command: string; args: string[]; cwd: string }

export interface Flow {
  /** The steps it has done, in their order. */
  done: string[];
  /** Whether it went on just where the stream broke off, both times. */
  resumed: boolean;
  code: number | null;
  /** All that it wrote. */
  output: string;
}

const SILENCE_LIMIT_MS = 120_000;
/** A second, less what timers and the way to here may differ by. */
const PAUSE_MS = 900;

/** Where a program is run. The mock takes every key but one. */
export interface Target { base_url: string; api_key: string; wrong_key?: string }

/** Runs a program on the service of that day. Never throws for what the program does. */
export async function runFlow(
  service: Target, day: Day, program: Command,
  variables: Record<string, string> = {},
): Promise<Flow> {
  const way = await openWay(service.base_url, day);
  try {
    const { code, output } = await run(program,
      { ...variables, BASE_URL: way.base_url, API_KEY: service.api_key, DAY: day,
        WRONG_KEY: service.wrong_key ?? 'gth_none' });
    const done = [...output.matchAll(/^ok (\w+)$/gm)].map(([, step]) => step!);
    return { done, resumed: way.resumed === 2, code, output };
  } finally {
    way.close();
  }
}

/**
 * Runs an example of docs/client-programs.md, which has other names for its settings, likewise:
 * with streams that are refused for a while, and, if `ends`, with one that is refused for good.
 */
export async function runExample(
  service: Target, program: Command, { ends = true, variables = {} as Record<string, string> } = {},
): Promise<{ good: boolean; output: string }> {
  const way = await openWay(service.base_url, 'values');
  const environment =
    { ...variables, GATEHOUSE_BASE_URL: way.base_url, GATEHOUSE_API_KEY: service.api_key };
  try {
    way.refusals = [[429, 'rate_limited'], [503, 'unavailable']];
    const { code, output } = await run(program, environment);
    const pauses_ms = way.streams_ms.slice(1).map((at_ms, index) => at_ms - way.streams_ms[index]!);
    const done = code === 0 && way.resumed === 2 && output.trimEnd().endsWith('run.completed');
    const good = done && pauses_ms.every((pause_ms) => pause_ms >= PAUSE_MS);
    if (!good || !ends) return { good, output: `${output}\npauses: ${pauses_ms.join(' ')} ms` };
    // A program that goes on all the same fails, since it is answered then.
    way.refusals = [[403, 'not_permitted']];
    const refused = await run(program, environment);
    return { good: ![0, null].includes(refused.code) && !/run\.completed/.test(refused.output),
      output: refused.output };
  } finally {
    way.close();
  }
}

/** Runs a command to its end, or until it has been silent for two minutes. */
export function run(
  { command, args, cwd }: Command, variables: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args,
      { cwd, env: { ...process.env, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), SILENCE_LIMIT_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        timer.refresh();
      });
    }
    const end = (code: number | null) => {
      clearTimeout(timer);
      resolve({ code, output });
    };
    child.on('error', (error) => {
      output += String(error);
      end(null);
    });
    child.on('close', end);
  });
}
