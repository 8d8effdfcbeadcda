import { setTimeout as delay } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import {
  LOG_LEVELS, readClientEnvironment, readConfig, ROLES, SETTINGS, type Config,
} from '../config.ts';
import type { Log } from '../log.ts';
import type { Act } from './act.ts';
import { EXIT, Failure } from './failure.ts';
import { wholeNumber } from './options.ts';
import type { LoadService, RunningService } from './serviceModule.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { welcome } from './welcome.ts';

interface ServeOptions {
  port?: number;
  host?: string;
  role?: string;
  dataDir?: string;
  databaseUrl?: string;
  concurrency?: number;
  logLevel?: string;
}

/** How long a service that has failed may take to stop. */
const FATAL_STOP_MS = 5_000;

/** `serve`: the service itself. */
export function addServeCommand(program: Command, act: Act, load: LoadService): void {
  program.command('serve')
    .summary('start the service')
    .description('Starts the service: on the embedded PostgreSQL, or on that of DATABASE_URL.\n'
      + 'Logs go to standard error as lines of JSON; with a terminal on both ends only warnings.')
    .option('--port <number>', 'as PORT', wholeNumber(SETTINGS.port.min, SETTINGS.port.max))
    .option('--host <address>', 'as HOST')
    .addOption(new Option('--role <role>', 'as GATEHOUSE_ROLE').choices(ROLES))
    .option('--data-dir <folder>', 'as GATEHOUSE_DATA_DIR')
    .option('--database-url <url>', 'as DATABASE_URL')
    .option('--concurrency <number>', 'as GATEHOUSE_CONCURRENCY',
      wholeNumber(SETTINGS.concurrency.min, SETTINGS.concurrency.max))
    .addOption(new Option('--log-level <level>', 'as LOG_LEVEL').choices(LOG_LEVELS))
    .addHelpText('after', () => `\nExample:\n  gatehouse serve --port 8080\n\n${variablesHelp()}`)
    .action(act((options: ServeOptions) => serve(options, load)));
}

/** The table of environment variables. */
export function variablesHelp(): string {
  const lines = Object.values(SETTINGS).map(({ variable, fallback, says }) =>
    `  ${variable}${fallback === null ? '' : ` (${fallback})`}\n      ${says}`);
  return ['Environment variables, with their defaults; flags win over them:', ...lines].join('\n');
}

async function serve(options: ServeOptions, load: LoadService): Promise<number> {
  const config = configOf(options);
  const { startService, createServiceLog } = await load();
  const { log, log_scrubber } = createServiceLog(config.log_level);
  const terminal = processTerminal(readClientEnvironment());
  process.stdout.on('error', () => {}); // nobody reads any more; the service goes on
  const ending = watchForEnd(log, terminal);
  let service: RunningService;
  try {
    service = await startService({
      config, log, log_scrubber,
      on_progress: (message) => terminal.out(progressLine(message, terminal)),
    });
  } catch (error) {
    log.debug({ err: error }, 'the service did not start');
    throw startFailure(error, config);
  }
  if (!ending.begun()) terminal.out(`\n${welcome(service, config, terminal.style)}`);
  const exit_code = await ending.code;
  const stopped = service.stop();
  if (exit_code === EXIT.ok) await stopped;
  else await Promise.race([stopped, delay(FATAL_STOP_MS)]);
  terminal.out('Stopped.\n');
  return exit_code;
}

function configOf(options: ServeOptions): Config {
  const { port, host, role, dataDir, databaseUrl, concurrency, logLevel } = options;
  // Two readers of one terminal would only disturb each other.
  const quiet = process.stdout.isTTY === true && process.stderr.isTTY === true;
  try {
    return readConfig(undefined, {
      port, host, role, data_dir: dataDir, database_url: databaseUrl, concurrency,
      log_level: logLevel,
    }, quiet ? { log_level: 'warn' } : {});
  } catch (error) {
    throw new Failure((error as Error).message);
  }
}

/**
 * Waits for a signal, or for a fault that nobody caught. The code resolves with the first; a second
 * signal ends the process at once. Before the service has started there is nothing to wait for but
 * its start, so that what it has begun is ended in order.
 */
function watchForEnd(log: Log, terminal: Terminal): { code: Promise<number>; begun(): boolean } {
  const { promise, resolve } = Promise.withResolvers<number>();
  let begun = false;
  const begin = (exit_code: number) => {
    begun = true;
    resolve(exit_code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (begun) process.exit(EXIT.interrupted);
      terminal.out('\nStopping … (again: at once)\n');
      begin(EXIT.ok);
    });
  }
  const onFault = (error: unknown) => {
    log.fatal({ err: error }, 'a fault that nothing caught; the service stops');
    if (begun) process.exit(EXIT.failed);
    begin(EXIT.failed);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  return { code: promise, begun: () => begun };
}

function progressLine(message: string, { style }: Terminal): string {
  return `${style('dim', `${message.charAt(0).toUpperCase()}${message.slice(1)} …`)}\n`;
}

/** What to do about a start that failed. */
function startFailure(error: unknown, { host, port, database_url }: Config): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new Failure(`Port ${port} on ${host} is in use, perhaps by another gatehouse. Stop that,`
      + ` or take another port: gatehouse serve --port ${port + 1} (0: any free one).`);
  }
  if (code === 'EACCES' && port < 1_024) {
    return new Failure(`Port ${port} needs privileges that this user does not have. Take one from`
      + ' 1024 on: gatehouse serve --port 3000');
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const database = database_url !== null && code === 'ENOTFOUND';
    return new Failure(`${message}. ${database ? 'Check the host in DATABASE_URL and in HOST.'
      : `HOST is ${host}; it must be an address of this machine.`}`);
  }
  return new Failure(`The service did not start: ${message}`
    + ' (LOG_LEVEL=debug tells more.)', EXIT.failed, error);
}
