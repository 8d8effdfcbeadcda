import type { Command } from 'commander';
import type { Act } from './act.ts';
import type { Schemas } from './client.ts';
import { EXIT } from './failure.ts';
import { jsonObject } from './jsonInput.ts';
import { openWorkplace, wholeNumber, withApiKey, type ClientOptions } from './options.ts';
import { none } from './output.ts';
import { oneLine, safeText, table, type Terminal } from './terminal.ts';

interface InvokeOptions extends ClientOptions {
  input?: string;
  connection?: string;
  fields?: string;
  cursor?: string;
}

const DESCRIBE = 'gateway.actions.describe';

/** `actions`: what can be called, and calling what only reads. */
export function addActionCommands(program: Command, act: Act): void {
  const actions = program.command('actions')
    .summary('list, search, describe and invoke actions')
    .description('Lists, searches, describes and invokes actions, with an api key.')
    .addHelpText('after', '\nExample:\n  gatehouse actions search "list my sessions"');
  withApiKey(actions.command('list')
    .summary('list the actions that can be called')
    .description('Lists the actions of connected integrations, by name.')
    .option('--integration <slug>', 'only those of this integration'))
    .addHelpText('after', '\nExample:\n  gatehouse actions list --integration gatehouse')
    .action(act(list));
  withApiKey(actions.command('search')
    .summary('find actions by words')
    .description('Finds the actions that fit the words best.')
    .argument('<query...>', 'a few words on what is to be done')
    .option('--limit <number>', 'how many at most', wholeNumber(1, 50), 10))
    .addHelpText('after', '\nExample:\n  gatehouse actions search "list my sessions"')
    .action(act(search));
  withApiKey(actions.command('describe')
    .summary('show what an action does and takes')
    .description('Shows what an action does, and the schemas of its input and result.')
    .argument('<action>', 'its dotted name'))
    .addHelpText('after', '\nExample:\n  gatehouse actions describe gatehouse.runs.list')
    .action(act(describe));
  withApiKey(actions.command('invoke')
    .summary('call an action that only reads')
    .description('Calls an action that only reads, and prints its result as JSON.')
    .argument('<action>', 'its dotted name')
    .option('--input <json>', 'its input; @file reads a file, - standard input')
    .option('--connection <id>', 'which account, if there are several')
    .option('--fields <paths>', 'only these fields of the result, comma-separated: data.id')
    .option('--cursor <cursor>', 'the next page'))
    .addHelpText('after', '\nExample:\n  gatehouse actions invoke gatehouse.runs.list'
      + ` --input '{"query": {"limit": 2}}' --fields data.id`)
    .action(act(invoke));
}

async function list(options: ClientOptions & { integration?: string }): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const query: Record<string, string> =
    options.integration === undefined ? {} : { integration: options.integration };
  return show(terminal, await Array.fromAsync(
    client.list<Schemas['Action']>('/actions', { query })));
}

async function search(
  words: string[], options: ClientOptions & { limit: number }): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const body: Schemas['SearchActionsRequest'] = { query: words.join(' '), limit: options.limit };
  const found = await client.request<Schemas['ScoredActionList']>('POST', '/actions/search',
    { body });
  return show(terminal, found.data);
}

function show(terminal: Terminal, actions: readonly Schemas['Action'][]): number {
  if (actions.length === 0) return none(terminal.err, 'such actions');
  terminal.out(table(['ACTION', 'EFFECT', 'TITLE'], actions.map(({ name, effect, title }) =>
    [name, effect, oneLine(title, 80)]), terminal.style));
  return EXIT.ok;
}

async function describe(action: string, options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const body: Schemas['CreateActionInvocationRequest'] = {
    action: DESCRIBE, input: { name: action },
  };
  const { result } = await client.request<Schemas['ActionInvocation']>('POST',
    '/action_invocations', { body });
  return print(terminal, result);
}

async function invoke(action: string, options: InvokeOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const body: Schemas['CreateActionInvocationRequest'] = {
    action,
    input: await jsonObject(options.input ?? '{}',
      { what: 'The input', example: '{"query": {"limit": 2}}' }),
    ...(options.connection !== undefined && { connection_id: options.connection }),
    ...(options.fields !== undefined && { fields: options.fields.split(',') }),
    ...(options.cursor !== undefined && { cursor: options.cursor }),
  };
  const { result, truncated, page } = await client.request<Schemas['ActionInvocation']>('POST',
    '/action_invocations', { body });
  if (truncated) terminal.err('The result is longer than what is kept of one.\n');
  if (page) terminal.err(`There is more: --cursor ${safeText(page.next_cursor)}\n`);
  return print(terminal, result);
}

function print(terminal: Terminal, value: unknown): number {
  const text = JSON.stringify(value, null, 2);
  terminal.out(`${terminal.interactive ? text.split('\n').map(safeText).join('\n') : text}\n`);
  return EXIT.ok;
}
