import { text as readAll } from 'node:stream/consumers';
import { ApiError, type Client, type Schemas } from './client.ts';
import { adminCommand, AS_ADMIN, group } from './command.ts';
import { EXIT, Failure, refuseBoth, refuseEmpty } from './failure.ts';
import { argument, choice, flag, repeated, toggle, type Values } from './inputs.ts';
import { listCommand, minute, remove } from './output.ts';
import { oneLine } from './terminal.ts';
import type { Workplace } from './workplace.ts';

const PATH = '/admin/connections/{connection_id}';
const SECRET = 'The secret (token, key, password, client secret) is read from standard input, so'
  + ' that\nneither the list of processes nor the shell\'s history holds it.';
const EXAMPLE = 'printf %s "$TOKEN" | gatehouse connections';
const EXAMPLE_ID = 'con_01kagz50a1b3c5d7e9f1g3h5j7';
const CONNECTION = argument('<connection_id>', 'the connection');

const KINDS = [
  'none', 'bearer', 'api_key', 'basic', 'oauth2', 'client_credentials', 'authorization_code'];
const authFlag = (otherwise: string) =>
  choice('--auth <kind>', `how the account is used; ${otherwise} if left out`, KINDS);

/** The flags of all kinds of accounts. */
const CREDENTIALS = {
  in: choice('--in <place>', 'where an api key goes', ['header', 'query', 'cookie']),
  header: flag('--header <name>', 'name of the header, parameter or cookie of an api key; that of'
    + ' the document if left out'),
  prefix: flag('--prefix <text>', 'what stands before the api key, such as "Token "'),
  username: flag('--username <name>', 'for basic'),
  client_id: flag('--client-id <id>',
    "for OAuth 2.0; what follows is the document's if left out"),
  scheme: flag('--scheme <name>', 'which OAuth scheme of the document counts'),
  token_url: flag('--token-url <url>', 'for OAuth 2.0'),
  authorize_url: flag('--authorize-url <url>', 'for OAuth 2.0 with an authorization code'),
  issuer: flag('--issuer <url>', 'what the server calls itself, if it says so (RFC 9207)'),
  refresh_url: flag('--refresh-url <url>', 'where tokens are renewed, if not at the token URL'),
  client_auth: choice('--client-auth <way>',
    'how the client secret is sent: in a header (basic), or in the body', ['basic', 'post']),
  scopes: repeated('--scope <scope>', 'for OAuth 2.0; may be repeated, and "" asks for none'),
};
/** The flags for fields that are called otherwise in a request. */
const FLAGS: Record<string, string> = { name: '--header', grant: '--auth', scopes: '--scope' };

const add = adminCommand('add', {
  summary: 'connect an account of an integration',
  description: 'Connects an account of an integration to a workspace.',
  inputs: {
    integration: argument('<integration>', 'the slug of the integration'),
    workspace_id: flag('--workspace <id>', 'the workspace; that of credentials.json if left out'),
    name: flag('--name <name>', 'what the connection is called; the slug if left out'),
    account_label: flag('--account <label>', 'whose account it is, such as octocat'),
    ...AS_ADMIN, auth: authFlag("as the integration's document says"), ...CREDENTIALS,
  },
  notes: SECRET,
  example: `${EXAMPLE} add github --auth bearer`,
  async run(workplace, { integration, workspace_id, name, account_label, auth, ...flags }) {
    const made = await workplace.client.request('POST', '/admin/connections', { body: {
      workspace_id: workplace.workspaceFor('connection', workspace_id),
      integration, name: name ?? integration, account_label,
      credentials: await credentialsOf(
        auth ?? await declaredAuth(workplace, integration, workspace_id), flags),
    } }).catch(withFlag);
    printMade(workplace, made);
  },
});

const reconnect = adminCommand('reconnect', {
  summary: 'give a connection new credentials',
  description: 'Gives a connection new credentials; its id and its grants stay.',
  inputs: {
    id: CONNECTION, ...AS_ADMIN, auth: authFlag('as before'), ...CREDENTIALS,
  },
  notes: SECRET,
  example: `${EXAMPLE} reconnect ${EXAMPLE_ID}`,
  async run(workplace, { id, auth, ...flags }) {
    const { client } = workplace;
    const credentials = await credentialsOf(auth ?? await authOf(client, id), flags);
    printMade(workplace, await client.request('PATCH', PATH, { id, body: { credentials } })
      .catch(withFlag));
  },
});

const update = adminCommand('update', {
  summary: 'switch a connection off and on, or call it something else',
  description: 'Changes a connection, but for its credentials: `connections reconnect` gives it'
    + ' new ones.',
  inputs: {
    id: CONNECTION,
    disable: toggle('--disable',
      'nobody uses it from the next call on; its credentials and grants stay'),
    enable: toggle('--enable', 'it can be used again'),
    name: flag('--name <name>', 'what it is called'),
    account: flag('--account <label>',
      'whose account it is, such as octocat; "" to say nothing of it'),
  },
  example: `gatehouse connections update ${EXAMPLE_ID} --disable`,
  async run(workplace, { id, disable, enable, name, account }) {
    refuseBoth(['--disable', disable], ['--enable', enable]);
    const body: Schemas['UpdateConnectionRequest'] = {
      status: disable ? 'disabled' : enable ? 'connected' : undefined,
      name, account_label: account === '' ? null : account,
    };
    refuseEmpty(body);
    const made = await workplace.client.request('PATCH', PATH, { id, body });
    const { status, account_label } = made;
    workplace.terminal.out(`${made.id} (${oneLine(made.name, 60)}`
      + `${account_label === null ? '' : `, ${oneLine(account_label, 60)}`}) is ${status}.\n`);
    if (made.authorization_url !== null) printNext(workplace, made);
  },
});

const list = listCommand('connections', '/admin/connections', {
  summary: 'list connections',
  description: 'Lists connections, the newest first.',
  inputs: {
    workspace_id: flag('--workspace <id>', 'only those of this workspace'),
    integration: flag('--integration <slug>', 'only those to this integration'),
  },
  nothing: 'connections',
  headings: ['ID', 'INTEGRATION', 'NAME', 'ACCOUNT', 'AUTH', 'STATUS', 'WHY'],
  row: (one) => [one.id, one.integration, oneLine(one.name, 30),
    oneLine(one.account_label ?? '-', 30), one.auth_type, one.status,
    oneLine(one.status_reason ?? '-', 60)],
});

const check = adminCommand('check', {
  summary: 'use a connection and see whether it works',
  description: 'Uses the connection for the cheapest thing there is.',
  inputs: { id: CONNECTION },
  example: `gatehouse connections check ${EXAMPLE_ID}`,
  async run({ client, terminal }, { id }) {
    const { ok, status, action, message } =
      await client.request('POST', `${PATH}/check`, { id });
    const found = !ok ? 'It does not work' : action === null ? 'Not tried' : 'It works';
    terminal.out(`${found} (${status}): ${oneLine(message, 300)}\n`);
    return ok ? EXIT.ok : EXIT.failed;
  },
});

const removeConnection = adminCommand('remove', {
  summary: 'remove a connection and its secrets',
  description: 'Removes a connection and its secrets.',
  inputs: { id: CONNECTION },
  example: `gatehouse connections remove ${EXAMPLE_ID}`,
  run: (workplace, { id }) => remove(workplace, PATH, id),
});

/** `connections`: accounts of integrations, linked to a workspace. */
export const addConnectionCommands = group('connections', {
  summary: 'connect, change, list, check and remove accounts',
  description: 'Connects, changes, lists, checks and removes accounts, with the admin token.',
  example: `${EXAMPLE} add github --auth bearer`,
}, [add, reconnect, update, list, check, removeConnection]);

/**
 * Gives the one kind of account that the document declares. Throws Failure if it declares several
 * or none, with a command for each that there may be.
 */
async function declaredAuth(
  { client, again }: Workplace, slug: string, workspace_id: string | undefined): Promise<string> {
  const { auth_methods } = await client.request('GET', '/admin/integrations/{slug}', { id: slug });
  const [only, ...others] = auth_methods;
  if (only !== undefined && others.length === 0) return only;
  const commands = (only === undefined ? KINDS.slice(0, 5) : auth_methods).map((kind) =>
    (kind === 'none' ? '' : 'printf %s "$SECRET" | ') + again('connections', 'add', slug,
      ...(workspace_id === undefined ? [] : ['--workspace', workspace_id]), '--auth', kind,
      ...neededWith(kind)));
  throw new Failure(`${only === undefined ? 'The document does not say how accounts are used'
    : 'Accounts can be used in several ways'}. Give --auth:\n${commands.join('\n')}`, EXIT.usage);
}

/** The flags that a kind of account needs in any case. */
export function neededWith(kind: string): string[] {
  return { basic: ['--username', '…'], oauth2: ['--client-id', '…'] }[kind] ?? [];
}

/** Names the flag for what neither the command nor the document says. */
function withFlag(error: unknown): never {
  const [, field] = (error instanceof ApiError && /^Give (\w+)[: ]/.exec(error.message)) || [];
  if (field === undefined) throw error;
  throw new Failure(`${(error as ApiError).message}\nHere: ${
    FLAGS[field] ?? `--${field.replace('_', '-')}`}`, EXIT.failed, error);
}

/** Prints how the account is used, what comes next, and the id. */
function printMade(workplace: Workplace, made: Schemas['Connection']): void {
  const { terminal } = workplace;
  if (made.settings !== null) {
    const { scopes, ...rest } = made.settings;
    const used = { ...rest, ...(scopes && { scopes: scopes.join(' ') || 'none' }) };
    terminal.err(`It is used so; what is not given is of the document, and flags say otherwise:\n${
      Object.entries(used).map(([field, value]) => `  ${field}: ${oneLine(value, 300)}\n`).join('')
    }`);
  }
  printNext(workplace, made);
  terminal.out(`${made.id}\n`);
}

/** Says what comes next, because the account has not been used yet. */
function printNext(
  { again, terminal }: Workplace,
  { id, status, authorization_url, authorization_expires_at }: Schemas['Connection']): void {
  terminal.err(`${authorization_url === null
    ? `It is ${status}, and was not tried yet. Try it with:`
    : `Open this until ${minute(authorization_expires_at)}, and consent; it opens once, in one`
      + ` browser:\n${authorization_url}\nThen try it with:`
  } ${again('connections', 'check', id)}\n`);
}

/** How the account is used. The service does not tell which grant of OAuth 2.0 it is. */
async function authOf(client: Client, id: string): Promise<string> {
  const { auth_type } = await client.request('GET', PATH, { id });
  if (auth_type !== 'oauth2') return auth_type;
  throw new Failure('It is used with OAuth 2.0. Give --auth client_credentials or --auth'
    + ' authorization_code, with what goes with it.', EXIT.usage);
}

async function credentialsOf(
  auth: string, flags: Values<typeof CREDENTIALS>): Promise<Schemas['Credentials']> {
  switch (auth) {
    case 'none': return { type: 'none' };
    case 'bearer': return { type: 'bearer', token: await secret() };
    case 'api_key': return {
      type: 'api_key', in: flags.in ?? (flags.header === undefined ? undefined : 'header'),
      name: flags.header, value: await secret(), prefix: flags.prefix,
    };
    case 'basic': return {
      type: 'basic', username: required(flags.username, '--username'), password: await secret(),
    };
    default: {
      const { scheme, token_url, authorize_url, issuer, client_auth, scopes } = flags;
      return {
        type: 'oauth2', grant: auth === 'oauth2' ? undefined : auth as Schemas['OAuthGrant'],
        client_id: required(flags.client_id, '--client-id'), scheme, token_url, authorize_url,
        refresh_url: flags.refresh_url, issuer, client_auth,
        scopes: scopes?.filter((one) => one !== ''),
        client_secret: await secret(true) || undefined,
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
