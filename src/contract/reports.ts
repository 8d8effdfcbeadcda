/** Results in the forms that other programs read. */
import { topicOf, TOPICS, type CheckTopic } from './check.ts';
import type { KitReport, Result } from './kit.ts';

/** The Test Anything Protocol, version 14: a test point as soon as its check is done. */
export class Tap {
  #number = 0;

  begin(): string {
    return 'TAP version 14\n';
  }

  result({ check, status, reason, duration_ms }: Result): string {
    this.#number += 1;
    const words = (text: string) => text.replace(/[\\#]/g, '\\$&').replace(/\s+/g, ' ');
    const point = `${status === 'failed' ? 'not ok' : 'ok'} ${this.#number} - ${check.name}`
      + (status === 'skipped' ? ` # SKIP ${words(reason)}` : '');
    // A JSON string is one of YAML, too.
    const particulars = {
      shows: check.shows, ...(status === 'failed' && { message: reason }),
      duration_ms: Math.round(duration_ms),
    };
    const lines = Object.entries(particulars)
      .map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
    return [point, '  ---', ...lines, '  ...', ''].join('\n');
  }

  /**
   * The plan, and before it why fewer checks were made than chosen, or say less: nothing of TAP may
   * follow a plan that comes last, and parsers then took what was interrupted for a whole run that
   * passed.
   */
  end({ interrupted, gone }: KitReport): string {
    const why = interrupted ? 'interrupted' : gone;
    return `${why === null ? '' : this.stopped(why)}1..${this.#number}\n`;
  }

  /** Why nothing follows. A version alone would be a run of no checks, and parsers pass that. */
  stopped(why: string): string {
    return `Bail out! ${why.replace(/\s+/g, ' ')}\n`;
  }
}

/** JUnit's XML, as CI servers read it: a suite for each topic. */
export function junit({ results, duration_ms, interrupted, gone }: KitReport): string {
  if (interrupted) {
    const why = 'interrupted: not all checks were made';
    return junitOf(results, duration_ms, { name: 'interrupted', why });
  }
  return junitOf(results, duration_ms, gone === null ? null : { name: 'gone', why: gone });
}

/** The same for a target of which no check says anything, and why. */
export function junitStopped(why: string): string {
  return junitOf([], 0, { name: 'stopped', why });
}

/**
 * JUnit knows no end before the end, so that is an error of a suite of its own: servers look at the
 * file even if the command failed, and an empty file is no failure to some.
 */
function junitOf(
  results: Result[], duration_ms: number, end: { name: string; why: string } | null): string {
  const topics = [...new Set(results.map(({ check }) => topicOf(check)))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="gatehouse contract" ${counts(results, end !== null)} `
      + `${seconds(duration_ms)}>`,
    ...topics.flatMap((topic) => suite(topic, results.filter(({ check }) =>
      topicOf(check) === topic))),
    ...end === null ? [] : [
      `  <testsuite name="${end.name}" ${counts([], true)} ${seconds(0)}>`,
      `    <testcase classname="gatehouse.contract" name="${end.name}" ${seconds(0)}>`
        + `<error type="${end.name}" message="${xml(end.why)}"/></testcase>`,
      '  </testsuite>'],
    '</testsuites>', ''].join('\n');
}

function suite(topic: CheckTopic, results: Result[]): string[] {
  const duration_ms = results.reduce((sum, result) => sum + result.duration_ms, 0);
  return [
    `  <testsuite name="${xml(`${topic}: ${TOPICS[topic]}`)}" ${counts(results)}`
      + ` ${seconds(duration_ms)}>`,
    ...results.map((result) => `    ${testcase(result)}`),
    '  </testsuite>'];
}

function testcase({ check, status, reason, duration_ms }: Result): string {
  const head = `<testcase classname="gatehouse.contract.${topicOf(check)}"`
    + ` name="${xml(check.name)}" ${seconds(duration_ms)}`;
  if (status === 'passed') return `${head}/>`;
  const outcome = status === 'skipped' ? `<skipped message="${xml(reason)}"/>`
    : `<failure type="contract" message="${xml(reason)}">${xml(check.shows)}</failure>`;
  return `${head}>${outcome}</testcase>`;
}

function counts(results: Result[], stopped = false): string {
  const number = (status: Result['status']) =>
    results.filter((result) => result.status === status).length;
  return `tests="${results.length + Number(stopped)}" failures="${number('failed')}"`
    + ` errors="${Number(stopped)}" skipped="${number('skipped')}"`;
}

function seconds(duration_ms: number): string {
  return `time="${(duration_ms / 1_000).toFixed(3)}"`;
}

/** A text in XML, which has no place for most controls, for halves of letters and for U+FFFE. */
function xml(text: string): string {
  return text.toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
    .replace(/[\t\n\r]/g, ' ');
}
