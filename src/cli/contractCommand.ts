import { InvalidArgumentError } from 'commander';
import type { KitReport, Result } from '../contract/kit.ts';
import { refusedCertificate } from '../certificates.ts';
import { readClientEnvironment } from '../config.ts';
import { AS_APPLICATION, localCommand, withoutFlags } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { choice, flag, toggle, wholeNumber, withDefault } from './inputs.ts';
import { beside, hanging } from './message.ts';
import { resolveProfile, secretFor, type ClientFlags } from './profile.ts';
import { oneLine, safeText, table, type Format, type Terminal } from './terminal.ts';

const SIGNS: Record<Result['status'], [sign: string, format: Format]> = {
  passed: ['✓', 'green'], failed: ['✗', 'red'], skipped: ['-', 'dim'],
};
const NAME_WIDTH = 31;
const REASON_CHARACTERS = 2_000;
/** After so long without a result, people are told what is being waited for. */
const SILENCE_MS = 5_000;

/** `contract`: the checks of src/contract/ on a running service, which may be anybody's. */
export const addContractCommand = localCommand('contract', {
  summary: 'check a running service against the contract',
  description: 'Checks a running service by its address and a key alone: states, streams, resuming,'
    + ' idempotency, pages, errors, keys, isolation. It makes sessions of its own, and cancels and'
    + ' archives them in the end; what others have there is left alone.',
  inputs: {
    only: flag('--only <names>', 'topics or checks, by commas: streams,paging.runs', names),
    except: flag('--except <names>', 'topics or checks that are left out', names),
    list: toggle('--list', 'print the checks, and make none'),
    bail: toggle('--bail', 'end with the first check that fails'),
    format: withDefault(choice('--format <format>', 'how results are printed',
      ['table', 'tap', 'junit']), 'table'),
    timeout: withDefault(flag('--timeout <seconds>', 'how long one answer, or one event, may take',
      wholeNumber(1, 600)), 15),
    parallel: withDefault(flag('--parallel <number>', 'checks at once', wholeNumber(1, 32)), 8),
    ...AS_APPLICATION,
    other_api_key: flag('--other-api-key <key>', 'a key of another workspace there, to see that'
      + ' the two are apart (or GATEHOUSE_OTHER_API_KEY)'),
  },
  notes: `${withoutFlags('api_key')}\n\nExit codes: 0 all is well, 1 a check has failed, 2 the`
    + ' service cannot be reached or does not take the key, or wrong usage, 130 interrupted.',
  example: 'gatehouse contract --base-url https://gatehouse.example/v1 --only streams',
  async run(
    { terminal },
    { only, except, list, bail, format, timeout, parallel, other_api_key, ...flags }) {
    const kit = await import('../contract/kit.ts');
    const { Unreachable } = await import('../contract/expect.ts');
    const interrupt = new AbortController();
    let ended_by: number = EXIT.interrupted;
    // Nobody has seen that all is well if the reader, such as `head`, is gone.
    const onUnread = ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE' && !interrupt.signal.aborted) {
        terminal.err(`The output could not be written: ${message}\n`);
      }
      ended_by = EXIT.failed;
      interrupt.abort();
    };
    let show: Reporter | undefined;
    try {
      if (list) return print(terminal, kit.selectChecks(only, except));
      process.stdout.on('error', onUnread);
      show = await reporter(format, terminal);
      const { address_from, ...target } = targetOf(flags, other_api_key);
      const onSignal = () => interrupt.abort();
      process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
      // A profile that is in use may be that of a service where others work.
      terminal.err(`Checking ${target.base_url}${address_from === null ? ''
        : ` (${oneLine(address_from, 200)})`}\n`);
      const report = await kit.runKit({
        ...target, only, except, patience_ms: timeout * 1_000, parallel, bail,
        signal: interrupt.signal,
        onStart: ({ name }) => show?.started(name),
        onResult: (result) => show?.result(safe(result)),
      }).catch((error: Error) => {
        throw ofCertificate(target.base_url, error) ?? error;
      }).finally(() => process.off('SIGINT', onSignal).off('SIGTERM', onSignal));
      const { left, gone } = report;
      show.end({ ...report, results: report.results.map(safe),
        gone: gone && oneLine(gone, REASON_CHARACTERS) });
      for (const one of left) terminal.err(`Not tidied up: ${oneLine(one, 500)}\n`);
      if (gone !== null) {
        terminal.err(`After the checks, ${oneLine(gone, 500)}\nWhat has failed may say no more`
          + ' than that.\n');
      }
      // Only then is it known whether anybody has read it.
      await new Promise((resolve) => { process.stdout.write('', resolve); });
      if (interrupt.signal.aborted) return ended_by;
      const failed = report.results.some(({ status }) => status === 'failed');
      return failed || left.length > 0 ? EXIT.failed : EXIT.ok;
    } catch (error) {
      // Who reads the report alone, as CI servers do, must not take it for one that passed.
      show?.stopped(interrupt.signal.aborted ? 'interrupted'
        : oneLine((error as Error).message, REASON_CHARACTERS));
      if (interrupt.signal.aborted) return ended_by;
      if (error instanceof Unreachable) throw new Failure(error.message, EXIT.usage, error);
      throw error;
    }
  },
});

/** Of an error of the kit that comes from a certificate; undefined for any other. */
function ofCertificate(base_url: string, error: Error): Failure | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const refused = refusedCertificate(base_url, cause);
    if (refused) {
      return new Failure(`Nothing was sent: ${refused.said}. ${refused.advice}`, EXIT.usage, error);
    }
  }
  return undefined;
}

/** The service and the keys for it. Throws Failure. */
function targetOf(flags: ClientFlags, other_by_flag: string | undefined) {
  const environment = readClientEnvironment();
  const profile = resolveProfile(flags, environment);
  const other = other_by_flag ?? environment.other_api_key;
  // The second key is a secret like the first one, and is sent where that may be sent.
  const other_api_key = other === null ? undefined
    : secretFor(resolveProfile({ ...flags, api_key: other }, environment), 'api_key', {
      place: other_by_flag === undefined ? 'GATEHOUSE_OTHER_API_KEY' : '--other-api-key',
      without: 'the checks of isolation are skipped' });
  const { base_url, address_from } = profile;
  return { base_url, address_from, api_key: secretFor(profile, 'api_key'), other_api_key };
}

function names(text: string): string[] {
  const all = text.split(',').map((name) => name.trim());
  if (all.every((name) => name !== '')) return all;
  throw new InvalidArgumentError('It must be names by commas: streams,paging.runs.');
}

/** What a target has said stands in the reasons: it must not steer the terminal. */
function safe(result: Result): Result {
  return { ...result, reason: oneLine(result.reason, REASON_CHARACTERS) };
}

function print(terminal: Terminal, checks: { name: string; shows: string; needs?: string }[]) {
  const needs: Record<string, string> = {
    offline: 'the rehearsal model', other: '--other-api-key',
  };
  terminal.out(table(['check', 'what it shows', 'needs'], checks.map((check) =>
    [check.name, check.shows, needs[check.needs ?? ''] ?? '']), terminal.style, terminal.screen));
}

/** How results are printed: each as it comes, or all in the end. */
interface Reporter {
  started(name: string): void;
  result(result: Result): void;
  /** All was done that could be. */
  end(report: KitReport): void;
  /** No check says anything; a message besides tells people why. */
  stopped(why: string): void;
}

async function reporter(format: 'table' | 'tap' | 'junit', terminal: Terminal): Promise<Reporter> {
  const { Tap, junit, junitStopped } = await import('../contract/reports.ts');
  const nothing = () => {};
  if (format === 'table') return tableReporter(terminal);
  if (format === 'junit') {
    return { started: nothing, result: nothing, end: (report) => terminal.out(junit(report)),
      stopped: (why) => terminal.out(junitStopped(why)) };
  }
  const tap = new Tap();
  terminal.out(tap.begin());
  return { started: nothing, result: (result) => terminal.out(tap.result(result)),
    end: (report) => terminal.out(tap.end(report)),
    stopped: (why) => terminal.out(tap.stopped(why)) };
}

function tableReporter({ out, err, style, screen }: Terminal): Reporter {
  const open = new Set<string>();
  const timer = setInterval(() => err(`… at work: ${[...open].join(', ')}\n`), SILENCE_MS);
  return {
    started: (name) => void open.add(name),
    stopped: () => clearInterval(timer),
    result({ check, status, reason, duration_ms }) {
      timer.refresh();
      open.delete(check.name);
      const [sign, format] = SIGNS[status];
      const time = status === 'skipped' ? '' : `${(duration_ms / 1_000).toFixed(1)} s`;
      const name = `${style(format, sign)} ${check.name.padEnd(NAME_WIDTH)} ${time.padStart(7)}  `;
      const shows = safeText(status === 'skipped' ? `skipped: ${reason}` : check.shows);
      out(`${beside(name, style('dim', shows), screen)}\n`);
      if (status === 'failed') out(`${beside(`    ${style('bold', '→')} `, reason, screen)}\n`);
    },
    end: (report) => {
      clearInterval(timer);
      out(hanging(`\n${summary(report)}\n`, screen));
    },
  };
}

function summary({ results, requests, unavailable, duration_ms, interrupted }: KitReport): string {
  const failed = results.filter(({ status }) => status === 'failed');
  const skipped = results.filter(({ status }) => status === 'skipped').length;
  const counts = `${results.length} checks with ${requests} requests in`
    + ` ${(duration_ms / 1_000).toFixed(1)} s: ${results.length - failed.length - skipped} passed,`
    + ` ${failed.length} failed, ${skipped} skipped.`
    + (unavailable === 0 ? '' : ` ${unavailable} were answered 503, and repeated.`);
  if (interrupted) return `Interrupted. ${counts}`;
  if (failed.length === 0) return counts;
  return `${counts} To repeat what has failed: --only`
    + ` ${failed.map(({ check }) => check.name).join(',')}`;
}
