import { InvalidArgumentError, type Command } from 'commander';
import type { Act } from './act.ts';
import type { Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import {
  report, sourceOf, withAdvice, withSource, type SourceOptions,
} from './integrationImport.ts';
import { jsonObject } from './jsonInput.ts';
import { collect, openWorkplace, withAdminToken, type ClientOptions } from './options.ts';
import { AS_ADMIN } from './output.ts';
import { oneLine } from './terminal.ts';

type Overrides = Schemas['Overrides'];
type Override = Overrides[string];

interface OverrideOptions {
  /** Of several flags of the kind `<operation>=<value>`, or of operations alone. */
  effect: [key: string, effect: Schemas['ActionEffect']][];
  hide: string[];
  show: string[];
  hideParameter: [key: string, parameter: string][];
  reset: string[];
  overrides?: string;
}

interface UpdateOptions extends ClientOptions, SourceOptions, OverrideOptions {
  title?: string;
  apiUrl?: string;
  allow: string[];
  publicOnly?: boolean;
  workspace: string[];
  allWorkspaces?: boolean;
}

const HOW = `An <operation> is named by its method and path as the document has them, such as
"POST /pets/search", and by * for all of them; that of an MCP server by the tool's name. What is
not named stays as it is.

Example:
  gatehouse integrations update github --effect "POST /markdown=read"
  gatehouse integrations update github --hide "DELETE /repos/{owner}/{repo}"
  gatehouse integrations update github --workspace wsp_01kagz3xz1a3b5c7d9e1f3g5h7`;

/** `integrations update`: what an operator knows better, and whom an integration is for. */
export function addUpdateCommand(integrations: Command, act: Act): void {
  withAdminToken(withSource(integrations.command('update')
    .summary('change what an integration offers, to whom, and where it is')
    .description('Changes an integration. Its actions are made anew, and keep their names.')
    .argument('<slug>', 'the integration')
    .option('--effect <operation=effect>', 'it is read, write or destructive, whatever the rules'
      + ' say; may be repeated', collectEffect, [])
    .option('--hide <operation>', 'do not offer it; may be repeated', collect, [])
    .option('--show <operation>', 'offer it again; may be repeated', collect, [])
    .option('--hide-parameter <operation=parameter>', 'callers do not get to set it, such as'
      + ' "GET /pets=header.x-tenant"; may be repeated', collectParameter, [])
    .option('--reset <operation>', 'forget all of the above of it; may be repeated',
      collect, [])
    .option('--no-trust-hints', 'do not believe it any more')
    .option('--overrides <json>', 'all of the above at once, in place of what there was, as'
      + ' openapi.yaml describes it; @file reads a file, - standard input')
    .option('--workspace <id>', 'offer it to this workspace alone; may be repeated', collect, [])
    .option('--all-workspaces', 'offer it to all workspaces')
    .option('--title <title>', 'what it is called')
    .option('--api-url <url>', 'where the API is')
    .option('--allow <cidr:port>', 'an address that is not public, such as 10.1.0.0/16:443, in'
      + ' place of those before; may be repeated', collect, [])
    .option('--public-only', 'take back all that --allow has allowed')))
    .addHelpText('after', `\n${HOW}`)
    .action(act(update));
}

/** What stands before and behind the last `=`; a path may have some of its own. */
function assignment(text: string, example: string): [string, string] {
  const equals = text.lastIndexOf('=');
  if (equals > 0 && equals < text.length - 1) {
    return [text.slice(0, equals), text.slice(equals + 1)];
  }
  throw new InvalidArgumentError(`It must be like "${example}".`);
}

function collectEffect(
  text: string, previous: OverrideOptions['effect']): OverrideOptions['effect'] {
  const [key, effect] = assignment(text, 'POST /pets/search=read');
  if (effect === 'read' || effect === 'write' || effect === 'destructive') {
    return [...previous, [key, effect]];
  }
  throw new InvalidArgumentError('It must end in =read, =write or =destructive.');
}

function collectParameter(
  text: string, previous: OverrideOptions['hideParameter']): OverrideOptions['hideParameter'] {
  return [...previous, assignment(text, 'GET /pets=header.x-tenant')];
}

async function update(slug: string, options: UpdateOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const path = `/admin/integrations/${encodeURIComponent(slug)}`;
  refuseBoth(options.workspace.length > 0 && options.allWorkspaces, '--workspace',
    '--all-workspaces');
  refuseBoth(options.allow.length > 0 && options.publicOnly, '--allow', '--public-only');
  const before = await client.request<Schemas['Integration']>('GET', path, AS_ADMIN);
  const overrides = await overridesOf(before.overrides, options);
  const source = await sourceOf(options) ?? trusted(options);
  const { title, apiUrl, allow, publicOnly, workspace, allWorkspaces } = options;
  const body: Schemas['UpdateIntegrationRequest'] = {
    ...source,
    ...(overrides !== null && { overrides }),
    ...(title !== undefined && { title }),
    ...(apiUrl !== undefined && { base_url: apiUrl }),
    ...((allow.length > 0 || publicOnly) && { egress_allow: allow }),
    ...(workspace.length > 0 && { workspace_ids: workspace }),
    ...(allWorkspaces && { workspace_ids: null }),
  };
  if (Object.keys(body).length === 0) {
    throw new Failure('Say what to change; --help lists what can be.', EXIT.usage);
  }
  const made = await client.request<Schemas['Integration']>('PATCH', path,
    { ...AS_ADMIN, body }).catch(withAdvice);
  report(terminal, made);
  for (const [key, override] of Object.entries(made.overrides)) {
    terminal.out(`  you say: ${oneLine(key, 80)}: ${wordsOf(override)}\n`);
  }
  if (made.workspace_ids !== null) {
    terminal.out(`  offered to: ${made.workspace_ids.join(', ') || 'no workspace'}\n`);
  }
  return EXIT.ok;
}

function refuseBoth(given: boolean | undefined, one: string, other: string): void {
  if (given === true) throw new Failure(`Give ${one} or ${other}, not both.`, EXIT.usage);
}

/** The overrides with what the flags change; null if they change none. */
async function overridesOf(before: Overrides, options: OverrideOptions): Promise<Overrides | null> {
  const { effect, hide, show, hideParameter, reset } = options;
  const given = options.overrides === undefined ? null
    : await jsonObject(options.overrides, { what: '--overrides',
      example: '{"POST /pets/search": {"effect": "read"}}' }) as Overrides;
  if (given === null && [effect, hide, show, hideParameter, reset].every((all) => !all.length)) {
    return null;
  }
  const next = new Map(Object.entries(reset.includes('*') ? {} : given ?? before));
  const change = (key: string, make: (override: Override) => Override) =>
    next.set(key, make(next.get(key) ?? {}));
  for (const key of reset) next.delete(key);
  for (const [key, value] of effect) change(key, (one) => ({ ...one, effect: value }));
  for (const key of hide) change(key, (one) => ({ ...one, hidden: true }));
  for (const key of show) change(key, ({ hidden: _, ...rest }) => rest);
  for (const [key, parameter] of hideParameter) {
    change(key, (one) => ({ ...one,
      hidden_parameters: [...new Set([...one.hidden_parameters ?? [], parameter])] }));
  }
  return Object.fromEntries([...next].filter(([, one]) => Object.keys(one).length > 0));
}

/** Whether the MCP server, as it is, is believed from now on; null if that is not asked for. */
function trusted({ trustHints }: SourceOptions): { mcp: Schemas['McpServer'] } | null {
  return trustHints === undefined ? null : { mcp: { trust_hints: trustHints } };
}

function wordsOf({ effect, hidden, hidden_parameters = [], soft_error }: Override): string {
  return [
    ...(effect === undefined ? [] : [effect]),
    ...(hidden === true ? ['hidden'] : []),
    ...(hidden_parameters.length === 0 ? [] : [`without ${hidden_parameters.join(', ')}`]),
    ...(soft_error === undefined ? [] : [`failed if ${soft_error.pointer} is`
      + ` ${JSON.stringify(soft_error.equals)}`]),
  ].map((word) => oneLine(word, 200)).join('; ');
}
