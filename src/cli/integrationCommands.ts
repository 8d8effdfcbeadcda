import { InvalidArgumentError, type Command } from 'commander';
import type { Act } from './act.ts';
import type { Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import {
  report, sourceOf, withAdvice, withSource, type SourceOptions,
} from './integrationImport.ts';
import { addUpdateCommand } from './integrationUpdate.ts';
import {
  collect, openWorkplace, withAdminToken, type ClientOptions, type Workplace,
} from './options.ts';
import { AS_ADMIN, none } from './output.ts';
import { oneLine, table } from './terminal.ts';

interface AddOptions extends ClientOptions, SourceOptions {
  title?: string;
  apiUrl?: string;
  allow: string[];
}

/** `integrations`: the systems whose actions the gateway offers. */
export function addIntegrationCommands(program: Command, act: Act): void {
  const integrations = program.command('integrations')
    .summary('add, change, list, refresh and remove integrations')
    .description('Adds, changes, lists, refreshes and removes integrations, with the admin token.')
    .addHelpText('after',
      '\nExample:\n  gatehouse integrations add github --document github-openapi.json');
  withAdminToken(withSource(integrations.command('add')
    .summary('make actions of an OpenAPI document or an MCP server')
    .description('Makes actions of an OpenAPI document (2.0, 3.0, 3.1) or of an MCP server.')
    .argument('<slug>', 'what its actions begin with, such as github', slugOf))
    .option('--title <title>', "instead of the document's")
    .option('--api-url <url>', 'where the API is, if the document does not say')
    .option('--allow <cidr:port>', 'an address that is not public, such as 10.1.0.0/16:443;'
      + ' may be repeated', collect, []))
    .addHelpText('after', '\nExample:\n  gatehouse integrations add github --document'
      + ' github-openapi.json\n  gatehouse integrations add files --mcp-command'
      + ' "npx -y @modelcontextprotocol/server-filesystem /srv/files"')
    .action(act(add));
  addUpdateCommand(integrations, act);
  withAdminToken(integrations.command('list')
    .summary('list integrations')
    .description('Lists the integrations that were added, the newest first.'))
    .addHelpText('after', '\nExample:\n  gatehouse integrations list')
    .action(act(list));
  withAdminToken(integrations.command('refresh')
    .summary('import an integration anew')
    .description('Fetches the document, or asks the MCP server, again.')
    .argument('<slug>', 'the integration')
    .option('--accept', 'take tools back that are quarantined because they changed'))
    .addHelpText('after', '\nExample:\n  gatehouse integrations refresh github')
    .action(act(refresh));
  withAdminToken(integrations.command('remove')
    .summary('remove an integration')
    .description('Removes an integration with its actions; refused while accounts are connected.')
    .argument('<slug>', 'the integration'))
    .addHelpText('after', '\nExample:\n  gatehouse integrations remove github')
    .action(act(remove));
}

/** The service would say so with a regular expression. */
function slugOf(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be of a-z, 0-9, _ and -, such as github.');
}

async function add(slug: string, options: AddOptions): Promise<number> {
  const workplace = openWorkplace(options);
  const { client, terminal } = workplace;
  const source = await sourceOf(options);
  if (source === null) {
    throw new Failure('Give one of --document, --mcp-url and --mcp-command: where the actions come'
      + ' from.', EXIT.usage);
  }
  const body: Schemas['CreateIntegrationRequest'] = {
    slug, kind: 'mcp' in source ? 'mcp' : 'openapi', ...source,
    ...(options.title !== undefined && { title: options.title }),
    ...(options.apiUrl !== undefined && { base_url: options.apiUrl }),
    ...(options.allow.length > 0 && { egress_allow: options.allow }),
  };
  const made = await client.request<Schemas['Integration']>('POST', '/admin/integrations',
    { ...AS_ADMIN, body }).catch(withAdvice);
  report(terminal, made);
  if (made.kind === 'mcp' && !options.trustHints && made.actions.read === 0) {
    terminal.err('Every tool counts as one that writes. If you trust what the server says of its'
      + ' tools, those it\ncalls read-only can be called without a grant:'
      + ` ${workplace.again('integrations', 'update', slug, '--trust-hints')}\n`);
  }
  if (made.kind === 'openapi' && made.base_url === null) {
    terminal.err('The document does not say where the API is, so no call can be made. Say it with:'
      + ` ${workplace.again('integrations', 'update', slug, '--api-url', '…')}\n`);
  }
  terminal.err(howToConnect(workplace, made));
  return EXIT.ok;
}

/** The likeliest way of those that the document names; if it names none, nobody knows. */
function howToConnect(
  { again }: Workplace, { slug, mcp, auth_methods }: Schemas['Integration']): string {
  const withNone = again('connections', 'add', slug, '--auth', 'none');
  if (mcp?.command !== undefined) return `Connect it with: ${withNone}\n`;
  const open = auth_methods.length === 0 || auth_methods.includes('none')
    ? `or, if it needs no account: ${withNone}\n` : '';
  const kind = ['bearer', 'api_key', 'basic'].find((one) => auth_methods.includes(one)) ?? 'bearer';
  const further = { api_key: ['--header', '…'], basic: ['--username', '…'] }[kind] ?? [];
  return 'Connect an account with: printf %s "$TOKEN" |'
    + ` ${again('connections', 'add', slug, '--auth', kind, ...further)}\n${open}`;
}

async function list(options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const integrations = await Array.fromAsync(
    client.list<Schemas['Integration']>('/admin/integrations', AS_ADMIN));
  if (integrations.length === 0) {
    return none(terminal.err, 'integrations besides the built-in ones');
  }
  terminal.out(table(['SLUG', 'KIND', 'READ', 'WRITE', 'DESTRUCTIVE', 'QUARANTINED', 'TITLE'],
    integrations.map(({ slug, kind, actions, title }) => [slug, kind, String(actions.read),
      String(actions.write), String(actions.destructive), String(actions.quarantined),
      oneLine(title, 40)]), terminal.style));
  return EXIT.ok;
}

async function refresh(
  slug: string, options: ClientOptions & { accept?: boolean }): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const body: Schemas['RefreshIntegrationRequest'] = { accept_changes: options.accept === true };
  report(terminal, await client.request<Schemas['Integration']>('POST',
    `/admin/integrations/${encodeURIComponent(slug)}/refresh`, { ...AS_ADMIN, body }));
  return EXIT.ok;
}

async function remove(slug: string, options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  await client.request('DELETE', `/admin/integrations/${encodeURIComponent(slug)}`, AS_ADMIN);
  terminal.out(`${slug} is removed.\n`);
  return EXIT.ok;
}
