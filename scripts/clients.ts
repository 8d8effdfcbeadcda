/**
 * `make clients`: clients that generators for Python, Go and Java make of the document, on a
 * service of their own. Each is installed, generated and used as docs/client-programs.md says, goes
 * through the flow of test/clients/flow.ts, and runs the page's example. Prints a table, and exits
 * with 1 if it is not that of docs/clients.md. What is downloaded is kept below node_modules.
 *
 * Usage: node scripts/clients.ts [generator…]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, runExample, runFlow, STEPS, type Flow } from '../test/clients/flow.ts';
import {
  blockOf, GENERATORS, missingFor, PAGE, PROGRAMS, shell, type Generator,
} from '../test/clients/generators.ts';
import { tableOf } from '../test/support/markdown.ts';
import { endServersIn, ownFolder, removeLeftovers } from './leftovers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/gatehouse/clients');
const VENV = join(CACHE, 'python');
const COLUMNS =
  ['generates', 'compiles', 'flow', 'streams and resumes', 'accepts new fields'] as const;
const PREFIX = 'gatehouse-clients-';
const MYPY = 'mypy==2.4.1';

type Row = Record<(typeof COLUMNS)[number], string>;
interface Service { base_url: string; api_key: string }

const variables: Record<string, string> = {
  PATH: `${VENV}/bin:${process.env.PATH}`, VIRTUAL_ENV: VENV, PIP_DISABLE_PIP_VERSION_CHECK: '1',
  GOPATH: join(CACHE, 'go'), GOFLAGS: '-modcacherw', MAVEN_ARGS: '-ntp', MAVEN_OPTS:
    `-Dmaven.repo.local=${join(CACHE, 'maven')}`,
};
process.exitCode = await main(process.argv.slice(2));

async function main(asked: string[]): Promise<number> {
  const names = GENERATORS.map(({ name }) => name);
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`No generator is called ${unknown.join(' or ')}. There are:`
      + ` ${names.join(', ')}.\n`);
    return 2;
  }
  const chosen = GENERATORS.filter(({ name }) => asked.length === 0 || asked.includes(name));
  const rows = new Map<string, Row | string>();
  await removeLeftovers(PREFIX);
  const data_dir = ownFolder('data', PREFIX);
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => { interrupted = true; });
  }
  const serving = await startService(data_dir);
  try {
    for (const generator of chosen) {
      if (interrupted) break;
      const missing = missingFor(generator);
      rows.set(generator.name, missing.length > 0 ? `skipped: it needs ${missing.join(', ')}`
        : await tryOut(generator, serving.service));
    }
  } finally {
    serving.child.kill('SIGTERM');
    if (serving.child.exitCode === null) await once(serving.child, 'close');
    await endServersIn(data_dir);
    await rm(data_dir, { recursive: true, force: true });
  }
  return report(rows) && !interrupted ? 0 : 1;
}

/** The service as anybody starts it, with a database of its own. */
async function startService(data_dir: string): Promise<{ child: ChildProcess; service: Service }> {
  const child = spawn(join(ROOT, 'bin/gatehouse'), ['serve'], {
    env: { ...process.env, GATEHOUSE_DATA_DIR: data_dir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // However this process ends; the service then stops its database.
  process.on('exit', () => child.kill('SIGTERM'));
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Ctrl-C stops')) break;
  }
  const file = join(data_dir, 'credentials.json');
  return { child, service: JSON.parse(await readFile(file, 'utf8')) as Service };
}

async function tryOut(generator: Generator, service: Service): Promise<Row> {
  const { name } = generator;
  const row = Object.fromEntries(COLUMNS.map((column) => [column, '–'])) as Row;
  const folder = join(CACHE, 'work', name);
  await prepare(generator, folder, service);
  const step = async (what: string, line: string) => {
    say(`${name}: ${what}`);
    const { code, output } = await run(shell(line, folder), variables);
    if (code !== 0) say(output.trim().replaceAll(/^/gm, '    '));
    return code === 0;
  };
  if (generator.run('').startsWith('python') || 'java' in generator.needs) {
    const made = await step('a virtual environment', `python3 -m venv ${VENV}`)
      && await step('mypy', `pip install --quiet ${MYPY}`);
    if (!made) return row;
  }
  row.generates = yes(await step('installs and generates', blockOf(name, 'bash')));
  if (row.generates === 'no') return row;
  row.compiles = yes(await step('compiles', generator.compile));
  if (row.compiles === 'no') return row;
  const flows = new Map<string, Flow>();
  for (const day of ['today', 'fields', 'values'] as const) {
    say(`${name}: flow, ${day}`);
    const program = shell(generator.run(generator.flow), folder);
    flows.set(day, await runFlow(service, day, program, variables));
    const { done, code, output } = flows.get(day)!;
    if (code !== 0) say(`${done.join()}\n${output.trim().replaceAll(/^/gm, '    ')}`);
  }
  const whole = (day: string) => flows.get(day)!.code === 0
    && STEPS.every((one) => flows.get(day)!.done.includes(one));
  const { done, resumed } = flows.get('today')!;
  say(`${name}: the example of ${PROGRAMS}`);
  const example = await runExample(service, shell(generator.run(generator.example), folder),
    { variables });
  if (!example.good) say(example.output.trim().replaceAll(/^/gm, '    '));
  row.flow = yes(example.good && whole('today'));
  row['streams and resumes'] = yes(done.includes('stream') && resumed);
  row['accepts new fields'] = whole('values') ? 'yes' : whole('fields') ? 'no new values' : 'no';
  return row;
}

/** An empty folder with the document's views, the flow, and what the page has. */
async function prepare(
  { name, flow, example }: Generator, folder: string, service: Service): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const put = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  for (const view of ['openapi.json', 'openapi.codegen.json']) {
    const served = await fetch(new URL(`/docs/${view}`, service.base_url));
    await put(view, await served.text());
  }
  await mkdir(dirname(join(folder, flow)), { recursive: true });
  await cp(join(ROOT, `test/clients/flows/${name}${extname(flow)}`), join(folder, flow));
  await put(example, blockOf(name, { '.py': 'python', '.go': 'go' }[extname(flow)] ?? 'java'));
}

/** Prints the table; false if a row is not as the page has it. What was skipped says why. */
function report(rows: Map<string, Row | string>): boolean {
  const told = tableOf(PAGE, ['generator', ...COLUMNS]);
  const line = (cells: string[]) => say(`| ${cells.join(' | ')} |`);
  say('');
  line(['generator', ...COLUMNS]);
  line(['---', ...COLUMNS.map(() => '---')]);
  let good = true;
  for (const [name, row] of rows) {
    if (typeof row === 'string') {
      say(`${name} ${row}`);
      continue;
    }
    line([name, ...COLUMNS.map((column) => row[column])]);
    const promised = told.find((one) => one.generator?.startsWith(`${name} `));
    const broken = COLUMNS.filter((column) => promised?.[column] !== row[column]);
    if (broken.length > 0) {
      good = false;
      say(`  → ${PAGE} says otherwise of ${name}: ${broken.join(', ')}`);
    }
  }
  return good;
}

function yes(holds: boolean): string {
  return holds ? 'yes' : 'no';
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
