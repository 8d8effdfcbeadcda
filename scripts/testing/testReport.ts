import { inspect } from 'node:util';
import { Parser, type Result } from 'tap-parser';

export interface Tally { passed: number; failed: number; skipped: number }

export interface Failure {
  /** The names of the test and its subtests, joined by ` > `. */
  test: string;
  /** What the assertion says, or the message of the error that was thrown. */
  message: string;
  /** Place, difference and stack, one below the other. */
  details: string;
  /**
   * What is broken if this is no accident: an assertion with `{ soundness }` in its extra, or any
   * comparison of a file that calls `soundness(t, …)` (test/support/soundness.ts).
   */
  unsound?: string;
}

export interface Report { tally: Tally; failures: Failure[] }

/** What a test of this name is that has none: what the file itself has done. */
export const WHOLE_FILE = 'the whole file';

/** What a comment of a test begins with that is meant for people, such as a time it measured. */
const MEASURED = '# measured: ';
/** What the comment of a file begins with whose comparisons have no second try. */
const SOUNDNESS = '# soundness: ';
/** Of a difference; the rest is told by the test that is run by itself. */
const DIFF_LINES = 40;
const STACK_LINES = 8;
const LINE_CHARACTERS = 300;

/** Nothing was seen yet. */
export function emptyReport(): Report {
  return { tally: { passed: 0, failed: 0, skipped: 0 }, failures: [] };
}

/**
 * Reads the TAP of one file and writes what is skipped and why, what was measured, and whatever the
 * tests printed. Counts assertions: a subtest counts only if it failed on its own account (a
 * timeout, a missing plan), not for what failed inside it. The report is complete when the parser
 * has emitted `complete`.
 */
export function testReport(write: (text: string) => void): { parser: Parser; report: Report } {
  const report = emptyReport();
  const { tally, failures } = report;
  const parser = new Parser();

  function watch(of: Parser, checked?: string): void {
    let failed_before = 0;
    of.on('child', (child: Parser) => {
      failed_before = tally.failed;
      watch(child, checked);
    });
    of.on('assert', (result: Result) => {
      if (result.skip || result.todo) {
        tally.skipped++;
        write(`skipped: ${result.fullname}: ${result.skip || result.todo}\n`);
      } else if (!result.ok && !(result.closingTestPoint && tally.failed > failed_before)) {
        tally.failed++;
        failures.push(failureOf(result, checked));
      } else if (!result.closingTestPoint) tally.passed++;
    });
    of.on('extra', (text: string) => write(text));
    of.on('comment', (text: string) => {
      const line = text.trim();
      if (line.startsWith(MEASURED)) write(`${line.slice(2)}\n`);
      if (line.startsWith(SOUNDNESS)) checked = line.slice(SOUNDNESS.length);
    });
  }

  watch(parser);
  parser.on('bailout', (reason: string) => {
    tally.failed++;
    failures.push({ test: WHOLE_FILE, message: `Bail out! ${reason}`, details: '' });
  });
  return { parser, report };
}

/** The one plain line that a run ends with. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A failure as people read it, the details indented below its title. */
export function failureText(file: string, { test, message, details }: Failure): string {
  return `not ok: ${file}: ${test}: ${message}\n${indent(details)}\n`;
}

function failureOf({ fullname, name, diag }: Result, checked: string | undefined): Failure {
  // `source` quotes the test and `at` repeats the top of the stack.
  const { diff, stack, at, source: _, soundness, ...rest } = (diag ?? {}) as Record<string, any>;
  const isComparison = rest.tapCaught === undefined && rest.expired === undefined;
  const unsound = isComparison ? soundness ?? checked : undefined;
  return {
    // tap-parser joins the names of the tests, and last that of the assertion, by ` > `.
    test: fullname.endsWith(` > ${name}`) ? fullname.slice(0, -name.length - 3) : fullname,
    message: name,
    details: [
      at?.fileName ? `at ${at.fileName}:${at.lineNumber}:${at.columnNumber}` : '',
      diff && firstLines(diff, DIFF_LINES),
      Object.keys(rest).length > 0
        && firstLines(inspect(rest, { depth: 8, breakLength: 100 }), DIFF_LINES),
      stack && firstLines(stack, STACK_LINES),
    ].filter(Boolean).join('\n'),
    ...(unsound !== undefined && { unsound }),
  };
}

function firstLines(text: string, count: number): string {
  const lines = text.trimEnd().split('\n').map((line) =>
    line.length <= LINE_CHARACTERS ? line : `${line.slice(0, LINE_CHARACTERS)} …`);
  if (lines.length <= count) return lines.join('\n');
  return [...lines.slice(0, count), `… ${lines.length - count} more lines`].join('\n');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
