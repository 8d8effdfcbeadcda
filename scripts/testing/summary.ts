import { failureText, lastLine, type Tally } from './testReport.ts';
import { seconds, type Outcome } from './outcome.ts';

const COSTLIEST = 10;
/** More at once are no accident of the machine. */
const MOST_SECOND_TRIES = 3;

export interface SecondTry { before: Outcome; again: Outcome }

/** Why none of the files that failed may be tried once more; null if they may. */
export function noSecondTry(failed: readonly Outcome[]): string | null {
  if (failed.length > MOST_SECOND_TRIES) {
    return `${failed.length} files failed, and no more than ${MOST_SECOND_TRIES} have a second try`;
  }
  const unsound = failed.flatMap(({ file, failures }) => failures
    .filter((failure) => failure.unsound !== undefined)
    .map((failure) => `${file} (${failure.unsound})`));
  if (unsound.length === 0) return null;
  return `no second try is given to a check of what may never happen: ${unsound.join(', ')}`;
}

/** The one line about a file that failed once and then passed. */
export function secondTryText({ before: { file, failures } }: SecondTry): string {
  const [{ test, message } = { test: '', message: '' }] = failures;
  return `passed at the second try: ${file}: ${test}: ${message.split('\n')[0]}\n`;
}

/**
 * What a run ends with: the costliest files, every failure once more, and the tally in the last
 * line, so that the tail of a log tells all.
 */
export function summaryText(
  files: number, outcomes: readonly Outcome[], tries: readonly SecondTry[], took_ms: number,
): string {
  const cpu_ms = outcomes.reduce((sum, outcome) => sum + outcome.cpu_ms, 0);
  const lines = [`\n${outcomes.length} files, ${seconds(took_ms)}, CPU ${seconds(cpu_ms)}\n`];
  if (outcomes.length > COSTLIEST) lines.push('the costliest:\n', ...costliest(outcomes));
  const failed = outcomes.filter(({ ok }) => !ok);
  if (failed.length > 0) lines.push('\nWhat failed:\n\n');
  lines.push(...failed.flatMap(({ file, failures }) =>
    failures.map((failure) => `${failureText(file, failure)}\n`)));
  const again = tries.filter(({ again }) => !again.ok).flatMap(({ again }) =>
    again.failures.map((failure) => `second try: ${failureText(again.file, failure)}\n`));
  lines.push(...again, ...failed.map(({ file }) => `NOT OK ${file}\n`));
  const left = files - outcomes.length;
  if (left > 0) lines.push(`interrupted: ${left} of ${files} files were not run\n`);
  lines.push(...tries.filter(({ again }) => again.ok).map(secondTryText));
  lines.push(`${lastLine(sumOf(outcomes.map(({ tally }) => tally)))}\n`);
  return lines.join('');
}

function costliest(outcomes: readonly Outcome[]): string[] {
  return outcomes.toSorted((a, b) => b.cpu_ms - a.cpu_ms).slice(0, COSTLIEST)
    .map(({ file, took_ms, cpu_ms }) =>
      `  CPU ${seconds(cpu_ms).padStart(7)}, ${seconds(took_ms).padStart(7)}  ${file}\n`);
}

function sumOf(tallies: readonly Tally[]): Tally {
  const sum = (of: keyof Tally) => tallies.reduce((all, tally) => all + tally[of], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
