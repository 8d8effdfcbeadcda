import { setTimeout as delay } from 'node:timers/promises';
import {
  LOG_LEVELS, readClientEnvironment, readSettings, ROLES, SETTINGS, unknownVariables, type Config,
} from '../config.ts';
import type { Log } from '../log.ts';
import { localCommand, ON_DATABASE } from './command.ts';
import { dashboardLink } from './dashboardCommand.ts';
import { EXIT, Failure } from './failure.ts';
import { choice, flag, wholeNumber } from './inputs.ts';
import { logText } from './logText.ts';
import type { RunningService } from './serviceModule.ts';
import { onEndSignal } from './signals.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { welcome } from './welcome.ts';

/** What has failed may take so long to stop. */
const FATAL_STOP_MS = 5_000;

const VARIABLES = ['Environment variables, with their defaults; flags win over them:',
  ...Object.values(SETTINGS).map(({ variable, fallback, says }) =>
    `  ${variable}${fallback === null ? '' : ` (${fallback})`}\n      ${says}`)].join('\n');

export const addServeCommand = localCommand('serve', {
  summary: 'start the service',
  description: 'Starts the service: on the embedded PostgreSQL, or on that of DATABASE_URL.\n'
    + 'Logs go to standard error as lines of JSON; with a terminal on both ends only warnings,'
    + ' as text.',
  inputs: {
    port: flag('--port <number>', 'as PORT', wholeNumber(SETTINGS.port.min, SETTINGS.port.max)),
    host: flag('--host <address>', 'as HOST'),
    role: choice('--role <role>', 'as GATEHOUSE_ROLE', ROLES),
    ...ON_DATABASE,
    concurrency: flag('--concurrency <number>', 'as GATEHOUSE_CONCURRENCY',
      wholeNumber(SETTINGS.concurrency.min, SETTINGS.concurrency.max)),
    log_level: choice('--log-level <level>', 'as LOG_LEVEL', LOG_LEVELS),
  },
  example: 'gatehouse serve --port 8080',
  appendix: VARIABLES,
  async run({ load, terminal, callable }, settings) {
    // Log lines would disturb the person who reads the messages on the same terminal.
    const is_watched = process.stdout.isTTY === true && process.stderr.isTTY === true;
    const { config, wrong } =
      readSettings(undefined, settings, is_watched ? { log_level: 'warn' } : {});
    const { startService, settingFaults, createServiceLog } = await load();
    // What is wrong may be the level itself, and nothing else is logged then.
    const { log, log_scrubber } = createServiceLog(wrong.length > 0 ? 'fatal' : config.log_level,
      is_watched ? { destination: linesOf(processTerminal(readClientEnvironment())) } : {});
    /** Throws it for a person to read; else it is the last line of the log. */
    const end = (failure: Failure): number => {
      if (is_watched || !log.isLevelEnabled('fatal')) throw failure;
      log.fatal(callable(failure.message, config.data_dir));
      return failure.exit_code;
    };
    const faults = [...wrong, ...await settingFaults(config)];
    if (faults.length > 0) return end(new Failure(faults.join('\n')));
    warnOfUnknown(log);
    process.stdout.on('error', () => {}); // the service goes on without a reader
    const ending = watchForEnd(log, terminal);
    let service: RunningService;
    try {
      service = await startService({
        config, log, log_scrubber, owns_process: true,
        onProgress: (message) => terminal.out(progressLine(message, terminal)),
      });
    } catch (error) {
      log.debug({ err: error }, 'the service did not start');
      return end(startFailure(error, config));
    }
    const link = terminal.interactive && config.role !== 'worker' && !ending.begun()
      ? await dashboardLink(service.base_url, config) : null;
    if (!ending.begun()) terminal.out(`\n${welcome(service, config, terminal, link)}`);
    return await ending.thenStop(() => service.stop());
  },
});

/** Whoever sets what is no setting, or is none any more, believes that it counts. */
function warnOfUnknown(log: Log): void {
  const unknown = unknownVariables();
  if (unknown.length === 0) return;
  log.warn(`${unknown.join(', ')}: set, but no setting, and without effect. Correct the name, or`
    + ' unset it; `gatehouse serve --help` lists all settings.');
}

/**
 * Waits for a signal, or for a fault that nobody caught; a second one ends the process at once. A
 * signal before the service has started does not interrupt its start, so that what the start has
 * begun is ended in order. `thenStop`: waits, stops, and gives the exit code.
 */
export function watchForEnd(log: Log, terminal: Terminal): {
  begun(): boolean; thenStop(stop: () => Promise<void>): Promise<number>;
} {
  const { promise, resolve } = Promise.withResolvers<number>();
  let begun = false;
  const begin = (exit_code: number) => {
    begun = true;
    resolve(exit_code);
  };
  onEndSignal(() => {
    if (begun) process.exit(EXIT.interrupted);
    terminal.out('\nStopping … (again: at once)\n');
    begin(EXIT.ok);
  });
  const onFault = (error: unknown) => {
    log.fatal({ err: error }, 'a fault that nothing caught; the service stops');
    if (begun) process.exit(EXIT.failed);
    begin(EXIT.failed);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  return {
    begun: () => begun,
    async thenStop(stop) {
      const exit_code = await promise;
      if (exit_code === EXIT.ok) await stop();
      else await Promise.race([stop(), delay(FATAL_STOP_MS)]);
      terminal.out('Stopped.\n');
      return exit_code;
    },
  };
}

/** Where a log goes that a person reads: as text, also if that person wants no hints. */
function linesOf({ err, err_style }: Terminal): { write(line: string): void } {
  return { write: (line) => err(logText(line, err_style)) };
}

function progressLine(message: string, { style }: Terminal): string {
  return `${style('dim', `${message.charAt(0).toUpperCase()}${message.slice(1)} …`)}\n`;
}

/** What to do about a start that failed. */
function startFailure(error: unknown, { host, port }: Config): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return portInUse('serve', 'gatehouse', host, port);
  if (code === 'EACCES' && port < 1_024) {
    return new Failure(`Port ${port} needs privileges that this user does not have. Take one from`
      + ' 1024 on: gatehouse serve --port 3000');
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Failure(`${message}. HOST is ${host}; it must be an address of this machine.`);
  }
  return new Failure(`The service did not start: ${message}`
    + ' (LOG_LEVEL=debug tells more.)', EXIT.failed, error);
}

/** Of a port that somebody else has, `perhaps` another one of what was to be started. */
export function portInUse(
  command: string, perhaps: string, host: string, port: number): Failure {
  const other = port < SETTINGS.port.max ? port + 1 : port - 1;
  return new Failure(`Port ${port} on ${host} is in use, perhaps by another ${perhaps}. Stop that,`
    + ` or take another port: gatehouse ${command} --port ${other} (0: any free one).`);
}
