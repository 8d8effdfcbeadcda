import { noSecondTry, secondTryText, type SecondTry } from './summary.ts';
import { outcomeText, type Outcome } from './outcome.ts';

export interface RunAllOptions {
  /** So many files at once. */
  jobs: number;
  /** What failed is tried once more, unless `noSecondTry` says why not. */
  second_tries: boolean;
  /** What a file took the last time, in any unit; who is not there begins last. */
  costs: Readonly<Record<string, number>>;
  /** `is_alone`: nothing else is going on, nor shall anything of a file before it. */
  run: (file: string, is_alone: boolean) => Promise<Outcome>;
  write: (text: string) => void;
  /** Asked before each file. */
  isInterrupted: () => boolean;
}

export interface RunResult { outcomes: Outcome[]; tries: SecondTry[]; is_green: boolean }

/**
 * Runs the files, the longest first, so that none of them is at work alone in the end, and tells
 * how each ended. What failed is run once more, one file after the other, when nothing else is
 * going on; what passes then takes the place of its first outcome.
 */
export async function runAll(files: readonly string[], options: RunAllOptions): Promise<RunResult> {
  const { jobs, costs, write, isInterrupted } = options;
  const queue = files.toSorted((a, b) => (costs[b] ?? 0) - (costs[a] ?? 0));
  const outcomes: Outcome[] = [];
  const runAndTell = async (file: string, is_alone: boolean) => {
    const outcome = await options.run(file, is_alone);
    write(outcomeText(outcome));
    return outcome;
  };
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let file; !isInterrupted() && (file = queue.shift()) !== undefined;) {
      outcomes.push(await runAndTell(file, false));
    }
  }));
  const tries: SecondTry[] = [];
  for (const before of toTryAgain(outcomes, options)) {
    if (isInterrupted()) break;
    write(`\nonce more, alone: ${before.file}\n`);
    const again = await runAndTell(before.file, true);
    tries.push({ before, again });
    if (again.ok) outcomes[outcomes.indexOf(before)] = again;
    if (again.ok) write(secondTryText({ before, again }));
  }
  const is_green = files.length > 0 && outcomes.length === files.length
    && outcomes.every(({ ok }) => ok) && !isInterrupted();
  return { outcomes, tries, is_green };
}

function toTryAgain(
  outcomes: readonly Outcome[], { second_tries, isInterrupted, write }: RunAllOptions): Outcome[] {
  const failed = outcomes.filter(({ ok }) => !ok);
  if (failed.length === 0 || !second_tries || isInterrupted()) return [];
  const refused = noSecondTry(failed);
  if (refused === null) return failed;
  write(`\n${refused}\n`);
  return [];
}
