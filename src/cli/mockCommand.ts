import { LOG_LEVELS, readMockAddress, SETTINGS } from '../config.ts';
import { createLog } from '../log.ts';
import { localCommand } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { choice, flag, wholeNumber, withDefault } from './inputs.ts';
import { portInUse, watchForEnd } from './serveCommand.ts';
import type { RunningMock } from './serviceModule.ts';

const PORT = 4010;
const PACE_MS = 40;

export const addMockCommand = localCommand('mock', {
  summary: 'start a mock for teams that write clients',
  description: 'Starts the service for those who write a client of it: with the offline model, on '
    + 'a database that is thrown away, and every bearer token is accepted. It needs nothing and '
    + 'keeps nothing. What it can be asked to show, GET /mock lists; docs/mock.md tells more.',
  inputs: {
    port: flag('--port <number>', `as PORT (${PORT})`,
      wholeNumber(SETTINGS.port.min, SETTINGS.port.max)),
    host: flag('--host <address>', `as HOST (${SETTINGS.host.fallback})`),
    pace: withDefault(flag('--pace <ms>', 'milliseconds before each piece of an answer',
      wholeNumber(0, 60_000)), PACE_MS),
    seed: flag('--seed <text>', 'the same ids and times each time for the same requests'),
    log_level: withDefault(choice('--log-level <level>', 'of the lines of JSON on standard error',
      LOG_LEVELS), 'fatal'),
  },
  example: 'gatehouse mock --pace 0 --seed 1',
  async run({ loadMock, terminal }, { port: given, host: given_host, pace, seed, log_level }) {
    const { port, host } = readMockAddress({ port: given, host: given_host }, PORT);
    const ending = watchForEnd(createLog(log_level), terminal);
    const { startMock } = await loadMock();
    let mock: RunningMock;
    const wait = terminal.wait('starting the mock');
    try {
      mock = await startMock({
        host, port, pace_ms: pace, seed: seed ?? null, log_level,
        onExamplesOnly: (reason) => terminal.err(terminal.err_style('bold',
          'EXAMPLES ONLY: this mock keeps no state and streams nothing.')
          + ` PostgreSQL cannot run here, so Prism answers alone: ${reason}\n`),
      });
    } catch (error) {
      throw startFailure(error, host, port);
    } finally {
      wait.end();
    }
    if (!ending.begun()) terminal.out(welcome(mock));
    return await ending.thenStop(() => mock.close());
  },
});

function welcome({ base_url, is_service, has_examples }: RunningMock): string {
  const root = base_url.replace(/\/v1$/, '');
  if (!is_service) {
    return `Examples of the API at ${base_url}, with any bearer token. The header Prefer chooses:`
      + ' code=404, example=failed, dynamic=true. Ctrl-C stops it.\n';
  }
  return `The mock is ready: any bearer token will do, and each has a workspace of its own.

  API        ${base_url}
  Scenarios  ${root}/mock
  Docs page  ${root}/docs

  curl -sS -X POST ${base_url}/sessions -H 'Authorization: Bearer me'

The header Prefer chooses: scenario=failed, pace=0${has_examples
  ? ', and code=404 for an example of the document' : ''}.
Ctrl-C stops it, and nothing is kept.
`;
}

function startFailure(error: unknown, host: string, port: number): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' ? portInUse('mock', 'mock', host, port)
    : new Failure(`The mock did not start: ${message}`, EXIT.failed, error);
}
