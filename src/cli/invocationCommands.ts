import { clientCommand, group } from './command.ts';
import { argument, choice, flag } from './inputs.ts';
import { printJson } from './output.ts';
import {
  ago, duration, moment, newestCommand, printFacts, showCommand,
} from './records.ts';

const list = newestCommand('/action_invocations', {
  summary: 'list calls of actions',
  description: 'Lists attempts to perform an action, by applications and agents, the newest first.',
  inputs: {
    action: flag('--action <action>', 'only those of this action'),
    status: choice('--status <status>', 'only those', ['completed', 'failed']),
    source: choice('--source <source>',
      'only those by applications (api), agents (run) or MCP clients (mcp)', ['api', 'run', 'mcp']),
    run_id: flag('--run <id>', 'only those by this run'),
  },
  query: async (client, { run_id, ...rest }) => ({
    ...rest, run_id: run_id && await client.wholeId('run_id', run_id),
  }),
  example: 'gatehouse invocations list --status failed',
  nothing: 'such calls',
  headings: ['ID', 'STATUS', 'AGE', 'TOOK', 'BY', 'ACTION', 'ERROR'],
  row: (one) => [one.invocation_id, one.status, ago(one.created_at), duration(one.duration_ms),
    one.source, one.action, one.error?.code ?? '-'],
});

const show = showCommand(clientCommand, '/action_invocations/{invocation_id}', {
  summary: 'show a call and its result',
  description: 'Shows an attempt to perform an action, and its result as JSON.',
  id: argument('<invocation_id>', 'the call, or the beginning of its id'),
  example: 'gatehouse invocations show inv_01kagz4ec9',
  print({ terminal }, found) {
    const { error } = found;
    printFacts(terminal, found.action, {
      id: found.invocation_id, status: found.status, by: found.run_id ?? found.source,
      connection: found.connection_id, made: moment(found.created_at),
      took: duration(found.duration_ms), error: error && `${error.code}: ${error.message}`,
    });
    if (found.truncated) terminal.err('The result is longer than what is kept of one.\n');
    if (error === null) printJson(terminal, found.result);
    else if (error.details !== undefined) printJson(terminal, error.details);
  },
});

export const addInvocationCommands = group('invocations', {
  summary: 'list and show calls of actions',
  description: 'Lists and shows calls of actions by applications and agents, with an api key.',
  example: 'gatehouse invocations list',
}, [list, show]);
