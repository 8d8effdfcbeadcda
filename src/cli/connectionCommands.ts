import { text as readAll } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import type { Act } from './act.ts';
import type { Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import {
  collect, openWorkplace, withAdminToken, workspaceOf, type ClientOptions, type Workplace,
} from './options.ts';
import { AS_ADMIN, none } from './output.ts';
import { oneLine, table } from './terminal.ts';

interface CredentialOptions {
  /** Left out: as the account is used already. */
  auth?: string;
  in: 'header' | 'query' | 'cookie';
  header?: string;
  prefix?: string;
  username?: string;
  tokenUrl?: string;
  authorizeUrl?: string;
  clientId?: string;
  scope: string[];
}

interface UpdateOptions extends ClientOptions {
  disable?: boolean;
  enable?: boolean;
  name?: string;
  account?: string;
}

interface AddOptions extends ClientOptions, CredentialOptions {
  workspace?: string;
  name?: string;
  account?: string;
}

const KINDS = ['none', 'bearer', 'api_key', 'basic', 'client_credentials', 'authorization_code'];
const SECRET = 'The secret (token, key, password, client secret) is read from standard input, so'
  + ' that\nneither the list of processes nor the shell\'s history holds it.';
const EXAMPLE = 'printf %s "$TOKEN" | gatehouse connections';

/** `connections`: accounts of integrations, linked to a workspace. */
export function addConnectionCommands(program: Command, act: Act): void {
  const connections = program.command('connections')
    .summary('connect, change, list, check and remove accounts')
    .description('Connects, changes, lists, checks and removes accounts, with the admin token.')
    .addHelpText('after', `\nExample:\n  ${EXAMPLE} add github --auth bearer`);
  withCredentials(withAdminToken(connections.command('add')
    .summary('connect an account of an integration')
    .description('Connects an account of an integration to a workspace.')
    .argument('<integration>', 'the slug of the integration')
    .option('--workspace <id>', 'the workspace; that of credentials.json if left out')
    .option('--name <name>', 'what the connection is called; the slug if left out')
    .option('--account <label>', 'whose account it is, such as octocat')))
    .addHelpText('after', `\n${SECRET}\n\nExample:\n  ${EXAMPLE} add github --auth bearer`)
    .action(act(add));
  withCredentials(withAdminToken(connections.command('reconnect')
    .summary('give a connection new credentials')
    .description('Gives a connection new credentials; its id and its grants stay.')
    .argument('<connection_id>', 'the connection')), true)
    .addHelpText('after', `\n${SECRET}\n\nExample:\n  ${EXAMPLE} reconnect`
      + ' con_01kagz50a1b3c5d7e9f1g3h5j7')
    .action(act(reconnect));
  withAdminToken(connections.command('update')
    .summary('switch a connection off and on, or call it something else')
    .description('Changes a connection, but for its credentials: `connections reconnect` gives it'
      + ' new ones.')
    .argument('<connection_id>', 'the connection')
    .option('--disable', 'nobody uses it from the next call on; its credentials and grants stay')
    .option('--enable', 'it can be used again')
    .option('--name <name>', 'what it is called')
    .option('--account <label>', 'whose account it is, such as octocat; "" to say nothing of it'))
    .addHelpText('after',
      '\nExample:\n  gatehouse connections update con_01kagz50a1b3c5d7e9f1g3h5j7 --disable')
    .action(act(update));
  withAdminToken(connections.command('list')
    .summary('list connections')
    .description('Lists connections, the newest first.')
    .option('--workspace <id>', 'only those of this workspace')
    .option('--integration <slug>', 'only those to this integration'))
    .addHelpText('after', '\nExample:\n  gatehouse connections list')
    .action(act(list));
  withAdminToken(connections.command('check')
    .summary('use a connection and see whether it works')
    .description('Uses the connection for the cheapest thing there is.')
    .argument('<connection_id>', 'the connection'))
    .addHelpText('after',
      '\nExample:\n  gatehouse connections check con_01kagz50a1b3c5d7e9f1g3h5j7')
    .action(act(check));
  withAdminToken(connections.command('remove')
    .summary('remove a connection and its secrets')
    .description('Removes a connection and its secrets.')
    .argument('<connection_id>', 'the connection'))
    .addHelpText('after',
      '\nExample:\n  gatehouse connections remove con_01kagz50a1b3c5d7e9f1g3h5j7')
    .action(act(remove));
}

function withCredentials(command: Command, already = false): Command {
  return command
    .addOption(new Option('--auth <kind>', 'how the account is used'
      + (already ? '; as before if left out' : '')).choices(KINDS).makeOptionMandatory(!already))
    .addOption(new Option('--in <place>', 'where an api key goes')
      .choices(['header', 'query', 'cookie']).default('header'))
    .option('--header <name>', 'name of the header, parameter or cookie of an api key')
    .option('--prefix <text>', 'what stands before the api key, such as "Token "')
    .option('--username <name>', 'for basic')
    .option('--token-url <url>', 'for OAuth 2.0')
    .option('--authorize-url <url>', 'for OAuth 2.0 with an authorization code')
    .option('--client-id <id>', 'for OAuth 2.0')
    .option('--scope <scope>', 'for OAuth 2.0; may be repeated', collect, []);
}

async function add(integration: string, options: AddOptions): Promise<number> {
  const workplace = openWorkplace(options);
  const { client, terminal, profile } = workplace;
  const body: Schemas['CreateConnectionRequest'] = {
    workspace_id: workspaceOf(options.workspace, profile, 'connection'),
    integration,
    name: options.name ?? integration,
    ...(options.account !== undefined && { account_label: options.account }),
    credentials: await credentialsOf(options),
  };
  const made = await client.request<Schemas['Connection']>('POST', '/admin/connections',
    { ...AS_ADMIN, body });
  terminal.err(stateOf(workplace, made));
  terminal.out(`${made.id}\n`);
  return EXIT.ok;
}

async function reconnect(
  id: string, options: ClientOptions & CredentialOptions): Promise<number> {
  const workplace = openWorkplace(options);
  const { client, terminal } = workplace;
  const auth = options.auth ?? await authOf(client, id);
  const body: Schemas['UpdateConnectionRequest'] = {
    credentials: await credentialsOf({ ...options, auth }),
  };
  const made = await client.request<Schemas['Connection']>('PATCH', pathOf(id),
    { ...AS_ADMIN, body });
  terminal.err(stateOf(workplace, made));
  terminal.out(`${made.id}\n`);
  return EXIT.ok;
}

/** How the account is used. The service does not tell which grant of OAuth 2.0 it is. */
async function authOf(client: Workplace['client'], id: string): Promise<string> {
  const { auth_type } = await client.request<Schemas['Connection']>('GET', pathOf(id), AS_ADMIN);
  if (auth_type !== 'oauth2') return auth_type;
  throw new Failure('It is used with OAuth 2.0. Give --auth client_credentials or --auth'
    + ' authorization_code, with what goes with it.', EXIT.usage);
}

async function update(id: string, options: UpdateOptions): Promise<number> {
  const { disable, enable, name, account } = options;
  if (disable === true && enable === true) {
    throw new Failure('Give --disable or --enable, not both.', EXIT.usage);
  }
  const body: Schemas['UpdateConnectionRequest'] = {
    ...(disable && { status: 'disabled' }),
    ...(enable && { status: 'connected' }),
    ...(name !== undefined && { name }),
    ...(account !== undefined && { account_label: account === '' ? null : account }),
  };
  if (Object.keys(body).length === 0) {
    throw new Failure('Say what to change; --help lists what can be.', EXIT.usage);
  }
  const workplace = openWorkplace(options);
  const { client, terminal } = workplace;
  const made = await client.request<Schemas['Connection']>('PATCH', pathOf(id),
    { ...AS_ADMIN, body });
  const { status, account_label } = made;
  terminal.out(`${made.id} (${oneLine(made.name, 60)}`
    + `${account_label === null ? '' : `, ${oneLine(account_label, 60)}`}) is ${status}.\n`);
  if (made.authorization_url !== null) terminal.err(stateOf(workplace, made));
  return EXIT.ok;
}

/** What comes next: the account has not been used yet. */
function stateOf(
  { again }: Workplace, { id, status, authorization_url }: Schemas['Connection']): string {
  const check = again('connections', 'check', id);
  return authorization_url === null ? `It is ${status}, and was not tried yet. Try it with:`
    + ` ${check}\n`
    : 'Open this within ten minutes, and consent; it opens once, in one browser:\n'
      + `${authorization_url}\nThen try it with:`
      + ` ${check}\n`;
}

async function list(
  options: ClientOptions & { workspace?: string; integration?: string }): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const { workspace, integration } = options;
  const query: Record<string, string> = {
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(integration !== undefined && { integration }),
  };
  const connections = await Array.fromAsync(
    client.list<Schemas['Connection']>('/admin/connections', { ...AS_ADMIN, query }));
  if (connections.length === 0) return none(terminal.err, 'connections');
  terminal.out(table(['ID', 'INTEGRATION', 'NAME', 'ACCOUNT', 'AUTH', 'STATUS', 'WHY'],
    connections.map((row) => [row.id, row.integration, oneLine(row.name, 30),
      oneLine(row.account_label ?? '-', 30), row.auth_type, row.status,
      oneLine(row.status_reason ?? '-', 60)]), terminal.style));
  return EXIT.ok;
}

async function check(id: string, options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const { ok, status, action, message } = await client.request<Schemas['ConnectionCheck']>('POST',
    `${pathOf(id)}/check`, AS_ADMIN);
  const found = !ok ? 'It does not work' : action === null ? 'Not tried' : 'It works';
  terminal.out(`${found} (${status}): ${oneLine(message, 300)}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

async function remove(id: string, options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  await client.request('DELETE', pathOf(id), AS_ADMIN);
  terminal.out(`${id} is removed.\n`);
  return EXIT.ok;
}

function pathOf(id: string): string {
  return `/admin/connections/${encodeURIComponent(id)}`;
}

async function credentialsOf(options: CredentialOptions): Promise<Schemas['Credentials']> {
  switch (options.auth) {
    case 'none': return { type: 'none' };
    case 'bearer': return { type: 'bearer', token: await secret() };
    case 'api_key': return {
      type: 'api_key', in: options.in, name: required(options.header, '--header'),
      value: await secret(), ...(options.prefix !== undefined && { prefix: options.prefix }),
    };
    case 'basic': return {
      type: 'basic', username: required(options.username, '--username'), password: await secret(),
    };
    default: {
      const client_secret = await secret(true);
      return {
        type: 'oauth2', grant: options.auth as 'client_credentials' | 'authorization_code',
        token_url: required(options.tokenUrl, '--token-url'),
        client_id: required(options.clientId, '--client-id'), scopes: options.scope,
        ...(options.authorizeUrl !== undefined && { authorize_url: options.authorizeUrl }),
        ...(client_secret !== '' && { client_secret }),
      };
    }
  }
}

function required(value: string | undefined, flag: string): string {
  if (value !== undefined) return value;
  throw new Failure(`${flag} is needed with this kind of account.`, EXIT.usage);
}

/** The secret from standard input, without the line's end. */
async function secret(optional = false): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Secret, then Ctrl-D:\n');
  const text = (await readAll(process.stdin)).replace(/\r?\n$/, '');
  if (text === '' && !optional) {
    throw new Failure(`There is no secret on standard input. Try: ${EXAMPLE} …`, EXIT.usage);
  }
  return text;
}
