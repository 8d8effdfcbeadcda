/**
 * Runs the examples of a page, as a reader would paste them: all its ```bash, ```js and ```ts
 * blocks, in their order, in one shell and one folder, so that a later one may use what an earlier
 * one made.
 * A block marked ```bash norun <reason> is left out. One marked ```bash background <words> is for
 * another terminal: it goes on running, and is ready once it has printed the words. A block marked
 * `output` that follows one says what it prints. Ports 4020 to 4029 stand for any free ones.
 */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './freePort.ts';
import { fencesOf, type Fence } from './markdown.ts';
import { ROOT } from './sourceTree.ts';

const RUNNABLE = new Set(['bash', 'sh', 'js', 'ts']);
// A page may start the command forty times. Each block says when it has ended, and the longest has
// a few commands: a page that prints nothing for so long hangs, on a slow machine as well.
const SILENCE_LIMIT_MS = 180_000;
const BETWEEN = '\u0001 end of block \u0001';

export interface Example {
  at: string;
  language: string;
  text: string;
  /** Why it is not run; empty if it is. */
  norun: string;
  /** What it prints when it is ready to go on in the background; empty if it is waited for. */
  background: string;
  expected: Fence | undefined;
}

export interface Outcome extends Example {
  /** What it wrote to stdout; undefined if the page came to a halt before its end. */
  printed: string | undefined;
  /** What the whole page wrote to stderr. */
  errors: string;
}

export function examplesOf(page: string): Example[] {
  const fences = fencesOf(page);
  return fences.flatMap((fence, index): Example[] => {
    if (!RUNNABLE.has(fence.language)) return [];
    const next = fences[index + 1];
    return [{
      at: `${page}:${fence.line}`, language: fence.language, text: fence.text,
      norun: /^norun +(.*)/.exec(fence.info)?.[1] ?? '',
      background: /^background +(.*)/.exec(fence.info)?.[1] ?? '',
      expected: next?.info === 'output' ? next : undefined,
    }];
  });
}

/** Jobs get process groups of their own, which end with the page. */
const PROLOGUE = `set -euo pipefail -m
trap 'for job in $(jobs -p); do kill -- "-$job" || true; done' EXIT
ready() { # job, file, words
  until grep -q "$3" "$2"; do
    kill -0 "$1" || { cat "$2" >&2; exit 1; }
    sleep 0.05
  done
}`;

/**
 * Runs a page's examples in `folder`, with `variables` besides what every shell has. Never throws
 * for what an example does.
 */
export async function runExamples(
  examples: Example[], folder: string, variables: Record<string, string> = {}): Promise<Outcome[]> {
  const runnable = examples.filter(({ norun }) => norun === '');
  const script = [PROLOGUE];
  for (const [index, { language, text, background }] of runnable.entries()) {
    if (language === 'js' || language === 'ts') {
      const file = `example${index}.m${language}`;
      await writeFile(join(folder, file), text);
      script.push(`node ${file}`);
    } else if (background !== '') {
      const file = `background${index}.log`;
      script.push(`{ ${text}\n} >${file} 2>&1 &`, `ready $! ${file} '${background}'`);
    } else script.push(text);
    script.push(`printf '%s' '${BETWEEN}'`);
  }
  const { printed, errors } = await bash(await withFreePorts(script.join('\n')), folder, variables);
  const parts = printed.split(BETWEEN);
  return runnable.map((example, index) =>
    ({ ...example, printed: index < parts.length - 1 ? parts[index]! : undefined, errors }));
}

async function withFreePorts(script: string): Promise<string> {
  const named = [...new Set(script.match(/\b402\d\b/g))];
  const free = new Map(await Promise.all(named.map(async (port) =>
    [port, String(await freePort())] as const)));
  return script.replaceAll(/\b402\d\b/g, (port) => free.get(port)!);
}

function bash(
  script: string, cwd: string, variables: Record<string, string>,
): Promise<{ printed: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const { HOME, LANG } = process.env;
    // Nothing else of the environment: a reader's has no settings of tests.
    const path = `${join(cwd, 'path')}:${ROOT}node_modules/.bin:${process.env.PATH}`;
    // And no profile of theirs counts.
    const GATEHOUSE_CONFIG_DIR = join(cwd, '.config');
    const env = { HOME, LANG, GATEHOUSE_CONFIG_DIR, ...variables, PATH: path };
    const child = spawn('bash', ['-c', script],
      { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill(), SILENCE_LIMIT_MS);
    let printed = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      timer.refresh();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => { errors += text; });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ printed, errors });
    });
  });
}

/**
 * What an output block stands for: ids, keys, times, ports, durations and tokens may be any, and
 * `…` is anything. In JSON, white space does not count.
 */
export function outputPattern({ language, text }: Fence): RegExp {
  const squeezed = language === 'json' ? text.replaceAll(/\s+/g, '') : text.trim();
  const escaped = squeezed.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&');
  return new RegExp(`^${escaped
    .replaceAll(/\b(evt|gth|gta)_\w{20,}/g, '$1_\\w+')
    // Of a message in JSON the blanks are gone, so that words stand before and behind.
    .replaceAll(/(ses|run|msg|call|inv|con|key|wsp|req|grt|apr|adm)_\w{26}/g, '$1_\\w{26}')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\\\.\d{3}Z/g, '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z')
    .replaceAll(/127\\\.0\\\.0\\\.1:\d+/g, '127\\.0\\.0\\.1:\\d+')
    .replaceAll(/("duration_ms":)\d+/g, '$1\\d+')
    .replaceAll(/\d+ (ms|tokens in|out)\b/g, '\\d+ $1')
    .replaceAll(/\d+\\\.\d s\b/g, '\\d+\\.\\d s')
    // Columns are as wide as what stands in them: a time of 66 ms is narrower than one of 132 ms.
    .replaceAll(/ {2,}/g, ' {2,}')
    .replaceAll('…', '[^]*?')}$`);
}

/** The output in the form that its pattern is matched with. */
export function comparable(printed: string, { language }: Fence): string {
  return language === 'json' ? printed.replaceAll(/\s+/g, '') : printed.trim();
}
