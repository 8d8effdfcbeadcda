import { inspect } from 'node:util';
import { Parser, type Result } from 'tap-parser';

export interface Tally { passed: number; failed: number; skipped: number }

/** What a comment of a test begins with that is meant for people, such as a time it measured. */
const MEASURED = '# measured: ';

/**
 * Reads TAP and writes one line per file, what is skipped and why, every failure in full, what was
 * measured, and whatever the tests printed. Counts assertions: a subtest counts only if it failed
 * on its own account (a timeout, a missing plan), not for what failed inside it. `tally` is
 * complete when the parser has emitted `complete`.
 */
export function testReport(write: (text: string) => void): { parser: Parser; tally: Tally } {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  const parser = new Parser();

  function watch(of: Parser, depth: number): void {
    let failed_before = 0;
    of.on('child', (child: Parser) => {
      failed_before = tally.failed;
      watch(child, depth + 1);
    });
    of.on('assert', (result: Result) => {
      if (result.skip || result.todo) {
        tally.skipped++;
        write(`skipped: ${result.fullname}: ${result.skip || result.todo}\n`);
      } else if (!result.ok && !(result.closingTestPoint && tally.failed > failed_before)) {
        tally.failed++;
        write(failure(result));
      } else if (!result.closingTestPoint) tally.passed++;
      if (depth === 0) write(line(result));
    });
    of.on('extra', (text: string) => write(text));
    of.on('comment', (text: string) => {
      if (text.includes(MEASURED)) write(`${text.trim().replace(/^# */, '')}\n`);
    });
    of.on('bailout', (reason: string) => {
      if (depth > 0) return;
      tally.failed++;
      write(`Bail out! ${reason}\n`);
    });
  }

  watch(parser, 0);
  return { parser, tally };
}

/** The one plain line that a run ends with. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function line(result: Result): string {
  const time = result.time === null ? '' : ` (${Math.round(result.time)} ms)`;
  return `${result.ok ? 'ok' : 'NOT OK'} ${result.name}${time}\n`;
}

/** Name, place, difference and stack; then what else the assertion told. */
function failure({ fullname, name, diag }: Result): string {
  // `source` quotes the test and `at` repeats the top of the stack.
  const { diff, stack, at, source: _, ...rest } = (diag ?? {}) as Record<string, any>;
  const place = at?.fileName ? `${at.fileName}:${at.lineNumber}:${at.columnNumber}` : '';
  const parts = [
    place && `at ${place}`,
    diff,
    Object.keys(rest).length > 0 && inspect(rest, { depth: 8, breakLength: 100 }),
    stack,
  ].filter(Boolean).map((part) => indent(String(part).trimEnd()));
  const title = fullname.endsWith(name) ? fullname : `${fullname} > ${name}`;
  return `\nnot ok: ${title}\n${parts.join('\n')}\n\n`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
