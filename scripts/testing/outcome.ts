import { failureText, WHOLE_FILE, type Failure, type Report, type Tally } from './testReport.ts';

/** How a test file ended. */
export interface Outcome {
  file: string;
  ok: boolean;
  tally: Tally;
  failures: Failure[];
  took_ms: number;
  /** Of the process and of all that it waited for. */
  cpu_ms: number;
}

/** The failure of a file itself, with what there is to say of it. */
export function addFailure(report: Report, message: string, details: string): void {
  report.tally.failed++;
  report.failures.push({ test: WHOLE_FILE, message, details: details.trimEnd() });
}

/** An error that nobody awaited ends a file in the middle of a test, which is no cause. */
export function tellsWhy(report: Report): boolean {
  return report.failures.some(({ message }) => message !== 'test unfinished');
}

/** The line that tells how a file ended, with its failures before it. */
export function outcomeText({ file, ok, failures, took_ms, cpu_ms }: Outcome): string {
  const cost = `${seconds(took_ms)}, CPU ${seconds(cpu_ms)}`;
  return `${failures.map((failure) => `\n${failureText(file, failure)}\n`).join('')}`
    + `${ok ? 'ok' : 'NOT OK'} ${file} (${cost})\n`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
