import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Result } from 'tap-parser';
import { addFailure, tellsWhy, type Outcome } from './outcome.ts';
import { endAfter, forgetGroup, startGroup } from './processGroups.ts';
import type { FileEnd } from './sharedWorker.ts';
import { lastWords, PRELOADED, untilClosed, type TestFileOptions }
  from './testFile.ts';
import { emptyReport, testReport, type Report } from './testReport.ts';

const WORKER = new URL('./sharedWorker.ts', import.meta.url).pathname;
/** For what a file that is done may have left; after that the process is killed. */
const END_AT_ONCE_MS = 0;
/** In bytes. What a module of tests has made is never freed: some 10 MB a file. */
const LARGEST = 800_000_000;

interface Turn {
  file: string;
  report?: Report;
  end?: FileEnd;
  /** Called when both are there. */
  done: () => void;
}

/** How the process ended, and what it said of errors at last. */
interface Ended { message: string; words: string }

/**
 * One process for many test files, one after the other (see sharedWorker.ts). It is worn out when
 * it has grown large, and when a file failed in it: that may still be at work.
 */
class SharedProcess {
  is_worn = false;
  readonly #options: TestFileOptions;
  readonly #child: ChildProcess;
  readonly #closed: Promise<Ended>;
  /** Those that were run, in their order. */
  readonly #files: string[] = [];
  #turn: Turn | undefined;

  constructor(options: TestFileOptions) {
    this.#options = options;
    this.#child = startGroup(process.execPath,
      ['--import', PRELOADED, WORKER, String(options.limit_ms)],
      { cwd: options.cwd, env: { ...options.env, TAP: '1', TAP_TIMEOUT: '0' }, stdin: 'pipe' });
    this.#child.stdin!.on('error', () => { /* how it ended is told by #closed */ });
    this.#closed = this.#child.pid === undefined
      ? new Promise((resolve) =>
        this.#child.once('error', ({ message }) => resolve({ message, words: '' })))
      : this.#read();
  }

  /** Runs one file; never two at once. */
  async run(file: string): Promise<Outcome> {
    const begun_ms = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn: Turn = this.#turn = { file, done: resolve };
    const late = endAfter(this.#child, this.#options.limit_ms);
    this.#child.stdin!.write(`${file}\n`);
    const ended = await Promise.race([promise, this.#closed]);
    clearTimeout(late);
    const report = turn.report ?? emptyReport();
    if (ended && !tellsWhy(report)) {
      addFailure(report, ended.message, `${ended.words.trimEnd()}\n${this.#former()}`);
    }
    const left = turn.end?.left_open ?? [];
    if (left.length > 0) addFailure(report, `left open: ${left.join(', ')}`, '');
    const ok = !ended && report.tally.failed === 0;
    this.is_worn = !ok || turn.end!.rss > LARGEST;
    this.#files.push(file);
    return { file, ok, ...report, cpu_ms: turn.end?.cpu_ms ?? 0,
      took_ms: performance.now() - begun_ms };
  }

  /** Ends it; a file that is being run has failed. */
  async end(): Promise<void> {
    this.#child.stdin!.end();
    const late = endAfter(this.#child, END_AT_ONCE_MS);
    await this.#closed;
    clearTimeout(late);
  }

  /** Hands what is said to the file whose turn it is; resolves with how the process ended. */
  async #read(): Promise<Ended> {
    const { write } = this.#options;
    const { parser, report } = testReport(write);
    const words = lastWords(this.#child, write);
    const take = () => {
      const { file } = this.#turn!;
      this.#turn!.report = ofFile(file, structuredClone(report));
      Object.assign(report.tally, emptyReport().tally);
      report.failures.length = 0;
    };
    // The TAP of a file ends with the one line that says how its test went.
    parser.on('assert', ({ closingTestPoint }: Result) => {
      if (!closingTestPoint) return;
      take();
      this.#proceed();
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => parser.write(text));
    createInterface({ input: this.#child.stdio[3] as NodeJS.ReadableStream }).on('line', (line) => {
      this.#turn!.end = JSON.parse(line) as FileEnd;
      this.#proceed();
    });
    const [code, signal] = await untilClosed(this.#child, () => forgetGroup(this.#child));
    if (this.#turn !== undefined && !this.#turn.report) {
      const complete = once(parser, 'complete');
      parser.end();
      await complete;
      this.#turn.report ?? take();
    }
    return { message: `ended with ${signal ?? code}`, words: words() };
  }

  #proceed(): void {
    const { report, end, done } = this.#turn!;
    if (report && end) done();
  }

  /** For a file that ended the process: what another has left may have done so. */
  #former(): string {
    return this.#files.length === 0 ? '' : `before it, in the same process: ${
      this.#files.slice(-3).join(', ')}`;
  }
}

/** So many test files at once, each in the first process that is free. */
export class SharedProcesses {
  readonly #options: TestFileOptions;
  readonly #idle: SharedProcess[] = [];

  constructor(options: TestFileOptions) {
    this.#options = options;
  }

  async run(file: string): Promise<Outcome> {
    const free = this.#idle.pop() ?? new SharedProcess(this.#options);
    const outcome = await free.run(file);
    if (free.is_worn) await free.end();
    else this.#idle.push(free);
    return outcome;
  }

  /** Once nothing is run any more. */
  async end(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((one) => one.end()));
  }
}

/** Its failures as if the file had been run by itself. */
function ofFile(file: string, { tally, failures }: Report): Report {
  return { tally, failures: failures.map((failure) => ({ ...failure,
    test: failure.test === file ? failure.message : failure.test.replace(`${file} > `, '') })) };
}
