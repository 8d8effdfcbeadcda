import type { Schemas } from './client.ts';
import { adminCommand, AS_ADMIN, FOR_WORKSPACE, group } from './command.ts';
import { refuseBoth, refuseEmpty } from './failure.ts';
import {
  argument, flag, needed, repeated, toggle, wholeNumber, type InputValues,
} from './inputs.ts';
import { AS_JSON, listCommand, minute, printJson } from './output.ts';
import { moment, printFacts } from './records.ts';
import { oneLine, type Terminal } from './terminal.ts';

const PATH = '/admin/workspaces/{workspace_id}';
const NAME_CHARACTERS = 40;
const TOKENS = 1_000_000_000;
const DEFAULT = '"" for the service\'s';
const NONE = '; none to take it back';

const WORKSPACE = argument<string | undefined>('[workspace_id]', FOR_WORKSPACE.as.description);

/** A flag for a limit; `none` gives 0, because Commander makes '' of a parser's null. */
function limit(flags: string, says: string, max: number) {
  const parse = wholeNumber(1, max);
  return flag(flags, `${says}${NONE}`, (text) => (text === 'none' ? 0 : parse(text)));
}

/** The flags that say what agents of the workspace are, and may use. */
const AGENTS = {
  model: flag('--model <model>', `the model of its runs; ${DEFAULT}`),
  allow_model: repeated('--allow-model <model>', 'a model that its runs may name, or the beginning'
    + ' of some, as openai/*; may be repeated'),
  any_model: toggle('--any-model', 'its runs may name all models that the service allows'),
  instructions: flag('--instructions <text>', 'what its agents are told first; "" for nothing'),
  max_steps: limit('--max-steps <number>', 'model steps of a run', 1_000),
  timeout_s: limit('--timeout <seconds>', 'time of a run', 86_400),
  max_total_tokens: limit('--max-tokens <number>', 'tokens of a run, all its steps', TOKENS),
  max_total_tokens_per_day: limit('--max-tokens-per-day <number>',
    'tokens of all its runs of a day (UTC)', TOKENS * 1_000),
  max_queued_runs: limit('--max-queued <number>', 'runs that may wait in its queue', 10_000_000),
  max_running_runs: limit('--max-running <number>', 'runs of it that are executed at once',
    1_000_000),
  max_storage_bytes: limit('--max-storage <bytes>', 'what it may store', 2 ** 50),
};

/** What the flags say of agents; limits that are not named stay as `before` has them. */
function agentsOf(
  flags: InputValues<typeof AGENTS>, before: Schemas['WorkspaceLimits'] = {},
): Omit<Schemas['UpdateWorkspaceRequest'], 'name'> {
  const { model, allow_model, any_model, instructions, ...limits } = flags;
  refuseBoth(['--allow-model', allow_model], ['--any-model', any_model]);
  return {
    model: model === '' ? null : model,
    allowed_models: any_model ? null : allow_model,
    instructions: instructions === '' ? null : instructions,
    limits: Object.keys(limits).length === 0 ? undefined : Object.fromEntries(
      Object.entries({ ...before, ...limits }).filter(([, value]) => value !== 0)),
  };
}

const create = adminCommand('create', {
  summary: 'create a workspace',
  description: 'Creates a workspace and prints its id.',
  inputs: { name: needed(flag('--name <name>', 'what it is called')), ...AS_ADMIN, ...AGENTS },
  example: 'gatehouse workspaces create --name growth --max-tokens-per-day 5000000',
  async run({ client, terminal, again }, { name, ...agents }) {
    const { id } = await client.request('POST', '/admin/workspaces',
      { body: { name, ...agentsOf(agents) } });
    terminal.err('The workspace is there. Give it a key with:'
      + ` ${again('keys', 'create', '--name', '…', '--workspace', id)}\n`);
    terminal.out(`${id}\n`); // alone, so that a script can take it
  },
});

const update = adminCommand('update', {
  summary: 'change a workspace: its model, instructions and limits',
  description: 'Changes a workspace. What is not named stays as it is; runs that there are keep'
    + ' what they have, but for --archive, which refuses all its keys and ends its runs.',
  inputs: {
    workspace_id: WORKSPACE,
    name: flag('--name <name>', 'what it is called'),
    archive: toggle('--archive', 'refuse its keys, and end what runs in it'),
    activate: toggle('--activate', 'its keys are good again; what was ended stays ended'),
    ...AS_ADMIN, ...AGENTS,
  },
  example: 'gatehouse workspaces update --model rehearsal --allow-model rehearsal'
    + ' --allow-model "openai/*"',
  async run({ client, terminal, workspaceFor }, { workspace_id, ...wanted }) {
    const { name, archive, activate, ...agents } = wanted;
    refuseBoth(['--archive', archive], ['--activate', activate]);
    const status = archive ? 'archived' as const : activate ? 'active' as const : undefined;
    const id = workspaceFor('change', workspace_id);
    const { limits } = await client.request('GET', PATH, { id });
    const body = { name, status, ...agentsOf(agents, limits) };
    refuseEmpty(body);
    const made = await client.request('PATCH', PATH, { id, body });
    printWorkspace(terminal, made);
  },
});

const show = adminCommand('show', {
  summary: 'show a workspace: its model, its limits, and what it has stored',
  description: 'Shows what agents of a workspace are told and may use, and what it has stored.',
  inputs: { workspace_id: WORKSPACE, json: AS_JSON },
  example: 'gatehouse workspaces show',
  async run({ client, terminal, workspaceFor }, { workspace_id, json }) {
    const found = await client.request('GET', PATH, { id: workspaceFor('command', workspace_id) });
    if (json) printJson(terminal, found);
    else printWorkspace(terminal, found);
  },
});

function printWorkspace(terminal: Terminal, workspace: Schemas['Workspace']): void {
  const { id, name, status, model, instructions, allowed_models, limits, storage } = workspace;
  printFacts(terminal, name, {
    id, status, model: model ?? "the service's", instructions: instructions ?? 'none',
    'runs may name': allowed_models === null ? 'all that the service allows'
      : allowed_models.join(', ') || 'none',
    ...Object.fromEntries(Object.entries(limits).map(([limit, value]) => [limit, String(value)])),
    stored: `${storage.bytes} bytes${
      storage.limit_bytes === null ? '' : ` of ${storage.limit_bytes}`}`,
    created: moment(workspace.created_at), changed: moment(workspace.updated_at),
  });
}

const list = listCommand('workspaces', '/admin/workspaces', {
  summary: 'list workspaces',
  description: 'Lists workspaces, the newest first.',
  inputs: { run_id: flag('--run <id>', 'only the one that this run is of, by its whole id') },
  nothing: 'workspaces',
  headings: ['ID', 'NAME', 'STATUS', 'MODEL', 'CREATED'],
  row: ({ id, name, status, model, created_at }) =>
    [id, oneLine(name, NAME_CHARACTERS), status, model ?? '-', minute(created_at)],
});

export const addWorkspaceCommands = group('workspaces', {
  summary: 'create, change, list and show workspaces',
  description: 'Creates, changes, lists and shows workspaces, with the admin token.',
  example: 'gatehouse workspaces create --name growth',
}, [create, update, list, show]);
