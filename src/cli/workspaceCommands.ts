import type { Command } from 'commander';
import type { Act } from './act.ts';
import type { Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import {
  collect, openWorkplace, wholeNumber, withAdminToken, workspaceOf, type ClientOptions,
} from './options.ts';
import { AS_ADMIN, minute, none } from './output.ts';
import { oneLine, table } from './terminal.ts';

interface AgentOptions {
  model?: string;
  allowModel: string[];
  anyModel?: boolean;
  instructions?: string;
  /** 0: no longer a limit. */
  maxSteps?: number;
  timeout?: number;
  maxTokens?: number;
  maxTokensPerDay?: number;
}

interface CreateOptions extends ClientOptions, AgentOptions { name: string }
interface UpdateOptions extends ClientOptions, AgentOptions { name?: string }

const NAME_CHARACTERS = 40;
const TOKENS = 1_000_000_000;
const DEFAULT = '"" for the service\'s';

/** `workspaces`: what belongs together, and what its agents may use. */
export function addWorkspaceCommands(program: Command, act: Act): void {
  const workspaces = program.command('workspaces')
    .summary('create, change and list workspaces')
    .description('Creates, changes and lists workspaces, with the admin token.')
    .addHelpText('after', '\nExample:\n  gatehouse workspaces create --name growth');
  withAgents(withAdminToken(workspaces.command('create')
    .summary('create a workspace')
    .description('Creates a workspace and prints its id.')
    .requiredOption('--name <name>', 'what it is called')))
    .addHelpText('after', '\nExample:\n  gatehouse workspaces create --name growth'
      + ' --max-tokens-per-day 5000000')
    .action(act(create));
  withAgents(withAdminToken(workspaces.command('update')
    .summary('change a workspace: its model, instructions and limits')
    .description('Changes a workspace. What is not named stays as it is; runs that there are'
      + ' keep what they have.')
    .argument('[workspace_id]', 'the workspace; that of credentials.json if left out')
    .option('--name <name>', 'what it is called')))
    .addHelpText('after', '\nExample:\n  gatehouse workspaces update --model rehearsal'
      + ' --allow-model rehearsal --allow-model "openai/*"')
    .action(act(update));
  withAdminToken(workspaces.command('list')
    .summary('list workspaces')
    .description('Lists workspaces, the newest first.'))
    .addHelpText('after', '\nExample:\n  gatehouse workspaces list')
    .action(act(list));
}

const NONE = '; none to take it back';

/** A parser for a limit, or `none`, which is 0: Commander makes an empty text of null. */
function limit(max: number): (text: string) => number {
  const parse = wholeNumber(1, max);
  return (text) => (text === 'none' ? 0 : parse(text));
}

/** Gives a command the flags that say what agents of the workspace are, and may use. */
function withAgents(command: Command): Command {
  return command
    .option('--model <model>', `the model of its runs; ${DEFAULT}`)
    .option('--allow-model <model>', 'a model that its runs may name, or the beginning of some, as'
      + ' openai/*; may be repeated', collect, [])
    .option('--any-model', 'its runs may name all models that the service allows')
    .option('--instructions <text>', 'what its agents are told first; "" for nothing')
    .option('--max-steps <number>', `model steps of a run${NONE}`, limit(1_000))
    .option('--timeout <seconds>', `time of a run${NONE}`, limit(86_400))
    .option('--max-tokens <number>', `tokens of a run, all its steps${NONE}`, limit(TOKENS))
    .option('--max-tokens-per-day <number>', `tokens of all its runs of a day (UTC)${NONE}`,
      limit(TOKENS * 1_000));
}

/** What the flags say of agents; limits that are not named stay as `before` has them. */
function agentsOf(
  options: AgentOptions, before: Schemas['WorkspaceLimits'] = {},
): Omit<Schemas['UpdateWorkspaceRequest'], 'name'> {
  const { model, allowModel, anyModel, instructions } = options;
  if (allowModel.length > 0 && anyModel) {
    throw new Failure('Give --allow-model or --any-model, not both.', EXIT.usage);
  }
  const limits = {
    max_steps: options.maxSteps, timeout_s: options.timeout,
    max_total_tokens: options.maxTokens, max_total_tokens_per_day: options.maxTokensPerDay,
  };
  const named = Object.entries(limits).filter(([, value]) => value !== undefined);
  return {
    ...(model !== undefined && { model: model === '' ? null : model }),
    ...(allowModel.length > 0 && { allowed_models: allowModel }),
    ...(anyModel && { allowed_models: null }),
    ...(instructions !== undefined && { instructions: instructions === '' ? null : instructions }),
    ...(named.length > 0 && { limits: Object.fromEntries(
      Object.entries({ ...before, ...Object.fromEntries(named) })
        .filter(([, value]) => value !== 0)) }),
  };
}

/** The id alone goes to standard output. */
async function create(options: CreateOptions): Promise<number> {
  const { client, terminal, again } = openWorkplace(options);
  const { id } = await client.request<Schemas['Workspace']>('POST', '/admin/workspaces',
    { ...AS_ADMIN, body: { name: options.name, ...agentsOf(options) } });
  terminal.err(`The workspace is there. Give it a key with: ${again('keys', 'create', '--name', '…',
    '--workspace', id)}\n`);
  terminal.out(`${id}\n`);
  return EXIT.ok;
}

async function update(given: string | undefined, options: UpdateOptions): Promise<number> {
  const { client, terminal, profile } = openWorkplace(options);
  const path = `/admin/workspaces/${encodeURIComponent(workspaceOf(given, profile, 'change'))}`;
  const { limits } = await client.request<Schemas['Workspace']>('GET', path, AS_ADMIN);
  const { name } = options;
  const body = { ...(name !== undefined && { name }), ...agentsOf(options, limits) };
  if (Object.keys(body).length === 0) {
    throw new Failure('Say what to change; --help lists what can be.', EXIT.usage);
  }
  const made = await client.request<Schemas['Workspace']>('PATCH', path, { ...AS_ADMIN, body });
  terminal.out(`${made.id} ${oneLine(made.name, NAME_CHARACTERS)}\n`
    + `  model: ${made.model ?? "the service's"}\n`
    + `  instructions: ${made.instructions === null ? 'none' : oneLine(made.instructions, 200)}\n`
    + `  runs may name: ${made.allowed_models?.join(', ') ?? 'all that the service allows'}\n`);
  for (const [limit, value] of Object.entries(made.limits)) terminal.out(`  ${limit}: ${value}\n`);
  return EXIT.ok;
}

async function list(options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const workspaces = await Array.fromAsync(
    client.list<Schemas['Workspace']>('/admin/workspaces', AS_ADMIN));
  if (workspaces.length === 0) return none(terminal.err, 'workspaces');
  terminal.out(table(['ID', 'NAME', 'MODEL', 'CREATED'],
    workspaces.map(({ id, name, model, created_at }) =>
      [id, oneLine(name, NAME_CHARACTERS), model ?? '-', minute(created_at)]), terminal.style));
  return EXIT.ok;
}
