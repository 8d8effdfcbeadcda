import { withAllowing } from './allowing.ts';
import type { Schemas } from './client.ts';
import { clientCommand, group } from './command.ts';
import { argument, flag, toggle, wholeNumber, withDefault } from './inputs.ts';
import { jsonObject } from './jsonInput.ts';
import { LONG_ANSWER_MS } from './longAnswer.ts';
import { AS_JSON, printJson, printList, printTable, type Listing } from './output.ts';
import { oneLine, safeText } from './terminal.ts';

const DESCRIBE = 'gateway.actions.describe';

const LISTING: Listing<Schemas['Action']> = {
  nothing: 'such actions',
  headings: ['ACTION', 'EFFECT', 'TITLE'],
  row: ({ name, effect, title }) => [name, effect, oneLine(title, 80)],
};

const INTEGRATION = flag('--integration <slug>', 'only those of this integration');

const list = clientCommand('list', {
  summary: 'list the actions that can be called',
  description: 'Lists the actions of connected integrations, by name.',
  inputs: { integration: INTEGRATION, json: AS_JSON },
  example: 'gatehouse actions list --integration gatehouse',
  async run({ client, terminal }, { json, ...query }) {
    await printList(terminal, client.list('/actions', query), LISTING, json);
  },
});

const search = clientCommand('search', {
  summary: 'find actions by words',
  description: 'Finds the actions that fit the words best.',
  inputs: {
    words: argument<string[]>('<query...>', 'a few words on what is to be done'),
    integration: INTEGRATION,
    read_only: toggle('--read-only', 'only those that read'),
    limit: withDefault(flag('--limit <number>', 'how many at most', wholeNumber(1, 50)), 10),
    json: AS_JSON,
  },
  example: 'gatehouse actions search "list my sessions"',
  async run({ client, terminal }, { words, json, ...rest }) {
    const found = await client.request('POST', '/actions/search',
      { body: { query: words.join(' '), ...rest } });
    if (json) return printJson(terminal, found);
    printTable(terminal, found.data, LISTING);
    if (found.hint) terminal.err(`${safeText(found.hint)}\n`);
  },
});

const describe = clientCommand('describe', {
  summary: 'show what an action does and takes',
  description: 'Shows what an action does and takes, as agents see it: what is left out of a large'
    + ' input is shown by its branch.',
  inputs: {
    name: argument('<action>', 'its dotted name'),
    branch: flag('--branch <path>', 'only this part of the input: body.items'),
    output: toggle('--output', 'what it returns, too; with --branch only that'),
  },
  example: 'gatehouse actions describe gatehouse.runs.list',
  async run({ client, terminal }, input) {
    const { result } = await client.request('POST', '/action_invocations',
      { body: { action: DESCRIBE, input } });
    printJson(terminal, result);
  },
});

const invoke = clientCommand('invoke', {
  summary: 'call an action that only reads',
  description: 'Calls an action that only reads, and prints its result as JSON.',
  inputs: {
    action: argument('<action>', 'its dotted name'),
    input: flag('--input <json>', 'its input; @file reads a file, - standard input'),
    connection_id: flag('--connection <id>', 'which account, if there are several'),
    fields: flag('--fields <paths>', 'only these fields of the result, comma-separated: data.id',
      (text) => text.split(',')),
    cursor: flag('--cursor <cursor>', 'the next page'),
  },
  example: `gatehouse actions invoke gatehouse.runs.list --input '{"query": {"limit": 2}}'`
    + ' --fields data.id',
  async run({ client, terminal }, { input = '{}', ...rest }) {
    const { result, truncated, page } = await client.request('POST', '/action_invocations', {
      body: { ...rest, input: await jsonObject(input,
        { what: 'The input', example: '{"query": {"limit": 2}}' }) },
      limit_ms: LONG_ANSWER_MS,
    }).catch((error: unknown) => withAllowing(error, () =>
      `It is allowed with: gatehouse integrations update ${rest.action.split('.', 1)[0]} --allow`
        + ' <address>:<port>, and --allow for each that is allowed already'));
    if (truncated) terminal.err('The result is longer than what is kept of one.\n');
    if (page) terminal.err(`There is more: --cursor ${safeText(page.next_cursor)}\n`);
    printJson(terminal, result);
  },
});

export const addActionCommands = group('actions', {
  summary: 'list, search, describe and invoke actions',
  description: 'Lists, searches, describes and invokes actions, with an api key.',
  example: 'gatehouse actions search "list my sessions"',
}, [list, search, describe, invoke]);
