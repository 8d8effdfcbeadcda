/** The credentials of an account: of flags, of what the document says, and of standard input. */
import type { Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { choice, flag, repeated, toggle, type InputValues } from './inputs.ts';
import { readSecrets } from './secretInput.ts';
import { oneLine } from './terminal.ts';
import type { Workplace } from './workplace.ts';

export const EXAMPLE = 'printf %s "$TOKEN" | gatehouse connections';
export const SECRET = 'The secret (token, key, password, client secret) is read from standard'
  + ' input, or typed at a prompt that does not show it, so that neither the list of processes nor'
  + ' the shell\'s history holds it. With several --scheme it is one to a line, in their order.';

const KINDS = [
  'none', 'bearer', 'api_key', 'basic', 'oauth2', 'client_credentials', 'authorization_code'];
export const authFlag = (otherwise: string) =>
  choice('--auth <kind>', `how the account is used; ${otherwise} if left out`, KINDS);

/** The flags of all kinds of accounts. */
export const CREDENTIALS = {
  in: choice('--in <place>', 'where an api key goes', ['header', 'query', 'cookie']),
  header: flag('--header <name>', 'name of the header, parameter or cookie of an api key; that of'
    + ' the document if left out'),
  prefix: flag('--prefix <text>', 'what stands before the api key, such as "Token "'),
  username: flag('--username <name>', 'for basic'),
  key_as_username: toggle('--key-as-username',
    'for basic: the secret is the user name, and the password is empty'),
  client_id: flag('--client-id <id>',
    "for OAuth 2.0; an MCP server may know one without. What follows is the document's or the"
      + " server's if left out"),
  schemes: repeated('--scheme <name>', 'which scheme of the document counts; repeated for those'
    + ' that the API wants together'),
  alone: toggle('--alone', 'the document wants further keys with it, but it suffices'),
  token_url: flag('--token-url <url>', 'for OAuth 2.0'),
  authorize_url: flag('--authorize-url <url>', 'for OAuth 2.0 with an authorization code'),
  issuer: flag('--issuer <url>', 'what the server calls itself, if it says so (RFC 9207)'),
  refresh_url: flag('--refresh-url <url>', 'where tokens are renewed, if not at the token URL'),
  revoke_url: flag('--revoke-url <url>', 'where tokens are revoked when the connection is removed;'
    + ' what its server says of itself if left out'),
  client_auth: choice('--client-auth <way>',
    'how the client secret is sent: in a header (basic), or in the body', ['basic', 'post']),
  audience: flag('--audience <text>', 'whom the tokens are for, if the server has to be told'
    + ' (Auth0)'),
  resource: flag('--resource <url>', 'which resource the tokens are for (RFC 8707)'),
  scopes: repeated('--scope <scope>', 'for OAuth 2.0; may be repeated, and "" asks for none'),
};

type Flags = InputValues<typeof CREDENTIALS> & { auth: string | undefined };
type Scheme = Schemas['SecurityScheme'];

/** What the credentials are for, asked only if the flags do not say it all. */
export interface CredentialQuestions {
  integration(): Promise<Schemas['Integration']>;
  /** The kind of account, if neither the flags nor the document name it. */
  auth(integration: Schemas['Integration']): Promise<string> | string;
  /** The command as it was called, ready to paste. */
  again: string;
}

/** Throws Failure for what cannot be meant, and for a secret that is lacking. */
export async function credentialsFrom(
  flags: Flags, asked: CredentialQuestions): Promise<Schemas['Credentials']> {
  const { auth, schemes = [], alone } = flags;
  if (auth !== undefined && schemes.length < 2) return await oneOf(auth, flags, asked.again);
  const integration = await asked.integration();
  const together = schemes.length > 0 ? schemes.map((name) => schemeOf(integration, name))
    : alone ? [] : onlyTogether(integration);
  const unusable = together.find(({ type }) => type === 'unsupported');
  if (unusable) {
    throw new Failure(`${unusable.name} is of a kind that is not served.`, EXIT.usage);
  }
  if (together.length > 1) return await severalOf(together, flags);
  const kind = together[0]?.type ?? await asked.auth(integration);
  return await oneOf(kind, flags, asked.again);
}

async function oneOf(
  auth: string, flags: Flags, again: string): Promise<Schemas['Credentials']> {
  if (auth === 'basic' && !flags.key_as_username) usernameOf(flags);
  // Not asked for where none is needed: a public client has none, nor has one that nobody names.
  const given = auth === 'none' || (isOAuth(auth) && flags.client_id === undefined) ? ''
    : await secret(isOAuth(auth), again);
  const one = credentialsOf(auth, flags, given, flags.schemes?.[0]);
  return flags.alone && one.type !== 'none' ? { ...one, also: [] } : one;
}

/** Of several schemes: the one that is no api key, if there is one, and the keys besides. */
async function severalOf(
  schemes: readonly Scheme[], flags: Flags): Promise<Schemas['Credentials']> {
  const secrets = await secretsFor(schemes);
  const given = schemes.map((scheme, at) => ({ scheme, secret: secrets[at]! }));
  const others = given.filter(({ scheme }) => scheme.type !== 'api_key');
  if (others.length > 1) {
    throw new Failure(`${others.map(({ scheme }) => scheme.name).join(' and ')} cannot be used`
      + ' together: both go to the header Authorization.', EXIT.usage);
  }
  const first = others[0] ?? given[0]!;
  const { auth = '' } = flags;
  const kind = first.scheme.type === 'oauth2' && isOAuth(auth) ? auth : first.scheme.type;
  return {
    ...credentialsOf(kind, { ...flags, in: undefined, header: undefined }, first.secret,
      first.scheme.name) as Exclude<Schemas['Credentials'], { type: 'none' }>,
    also: given.filter((one) => one !== first)
      .map(({ scheme, secret: value }) => ({ scheme: scheme.name, value })),
  };
}

function credentialsOf(
  auth: string, flags: Flags, given: string, scheme: string | undefined): Schemas['Credentials'] {
  switch (auth) {
    case 'none': return { type: 'none' };
    case 'bearer': return { type: 'bearer', token: given };
    case 'api_key': return {
      type: 'api_key', scheme, in: flags.in ?? (flags.header === undefined ? undefined : 'header'),
      name: flags.header, value: given, prefix: flags.prefix,
    };
    case 'basic': return flags.key_as_username ? { type: 'basic', username: given, password: '' }
      : { type: 'basic', username: usernameOf(flags), password: given };
    default: {
      const { token_url, authorize_url, issuer, client_auth, audience, resource, scopes } = flags;
      return {
        type: 'oauth2', grant: auth === 'oauth2' ? undefined : auth as Schemas['OAuthGrant'],
        client_id: flags.client_id, scheme, token_url, authorize_url,
        refresh_url: flags.refresh_url, revoke_url: flags.revoke_url, issuer, client_auth, audience,
        resource,
        scopes: scopes?.filter((one) => one !== ''), client_secret: given || undefined,
      };
    }
  }
}

function isOAuth(auth: string): boolean {
  return ['oauth2', 'client_credentials', 'authorization_code'].includes(auth);
}

function schemeOf({ slug, report }: Schemas['Integration'], name: string): Scheme {
  const schemes = report.security_schemes ?? [];
  const found = schemes.find((scheme) => scheme.name === name);
  if (found !== undefined) return found;
  const names = schemes.map((scheme) => oneLine(scheme.name, 200)).join(', ');
  throw new Failure(`The document of ${slug} declares no scheme that is called ${name}. It`
    + ` declares: ${names || 'none'}.`, EXIT.usage);
}

/** The schemes that the document wants together, if there is no other way; else none. */
function onlyTogether(integration: Schemas['Integration']): Scheme[] {
  const [only, ...others] = waysOf(integration);
  return only !== undefined && others.length === 0 ? only : [];
}

/** The ways to authenticate that the actions ask for, if one of them takes several schemes. */
function waysOf(integration: Schemas['Integration']): Scheme[][] {
  const { security_alternatives: alternatives = [] } = integration.report;
  const ways = alternatives.filter(({ schemes }) => schemes.length > 0);
  if (ways.every(({ schemes }) => schemes.length < 2)) return [];
  return ways.map(({ schemes }) => schemes.map((name) => schemeOf(integration, name)))
    .filter((way) => way.every(({ type }) => type !== 'unsupported'));
}

/**
 * Gives the one kind of account that the document declares. Throws Failure if it declares several
 * or none, with a command for each that there may be.
 */
export function declaredAuth(
  { again }: Workplace, integration: Schemas['Integration'],
  workspace_id: string | undefined): string {
  const { slug, auth_methods } = integration;
  const workspace = workspace_id === undefined ? [] : ['--workspace', workspace_id];
  const ways = waysOf(integration);
  const [only, ...others] = auth_methods;
  if (only !== undefined && others.length === 0 && ways.length === 0) return only;
  const kinds = only === undefined ? KINDS.slice(0, 5) : auth_methods;
  const commands = ways.length > 0
    ? ways.map((way) => wayCommand(again, [slug, ...workspace], way))
    : kinds.map((kind) => kindCommand(again, integration, [slug, ...workspace], kind));
  throw new Failure(`${only === undefined ? 'The document does not say how accounts are used'
    : 'Accounts can be used in several ways'}. Give ${ways.length > 0 ? '--scheme' : '--auth'}:\n${
    commands.join('\n')}`, EXIT.usage);
}

/** The command that connects with these schemes together. */
function wayCommand(
  again: Workplace['again'], place: readonly string[], way: readonly Scheme[]): string {
  const secrets = way.map((_, at) => `"$SECRET${way.length > 1 ? at + 1 : ''}"`).join(' ');
  return `printf '%s\\n' ${secrets} | ${again('connections', 'add', ...place,
    ...way.flatMap(({ name, type }) => ['--scheme', oneLine(name, 200), ...neededWith(type)]))}`;
}

/** The command that connects with this kind of account. */
export function kindCommand(
  again: Workplace['again'], integration: Schemas['Integration'], place: readonly string[],
  kind: string): string {
  const key = kind === 'api_key' ? likeliestKey(integration) : undefined;
  if (key !== undefined) return wayCommand(again, place, [key]);
  // An MCP server gives its client itself.
  const [secret, needed] = kind === 'none' || (kind === 'oauth2' && integration.kind === 'mcp')
    ? ['', []] : ['printf %s "$SECRET" | ', neededWith(kind)];
  return secret + again('connections', 'add', ...place, '--auth', kind, ...needed);
}

/** Of api keys that go to several places one that suffices alone, rather in a header. */
function likeliestKey({ report }: Schemas['Integration']): Scheme | undefined {
  const keys = (report.security_schemes ?? []).filter(({ placement }) => placement !== undefined);
  const places = new Set(keys.map(({ placement }) => `${placement?.in} ${placement?.name}`));
  if (places.size < 2) return undefined;
  const alone = keys.filter(({ name }) => report.security_alternatives
    ?.some(({ schemes }) => schemes.length === 1 && schemes[0] === name));
  const among = alone.length > 0 ? alone : keys;
  return among.find(({ placement }) => placement?.in === 'header') ?? among[0];
}

/** The command that connects with what the document wants together; null if one thing suffices. */
export function togetherCommand(
  again: Workplace['again'], integration: Schemas['Integration'], place: readonly string[],
): string | null {
  const [way] = waysOf(integration);
  return way === undefined || way.length < 2 ? null : wayCommand(again, place, way);
}

/** The flags that a kind of account needs in any case. */
function neededWith(kind: string): string[] {
  return { basic: ['--username', '…'], oauth2: ['--client-id', '…'] }[kind] ?? [];
}

function usernameOf({ username }: Flags): string {
  if (username !== undefined) return username;
  throw new Failure('--username is needed with this kind of account.', EXIT.usage);
}

/** The secret: typed, or from standard input without the line's end. */
async function secret(optional: boolean, again: string): Promise<string> {
  const text = await readSecrets([optional ? 'Secret, if there is one' : 'Secret']);
  if (text === '' && !optional) {
    throw new Failure('There is no secret on standard input. Try: printf %s "$TOKEN" |'
      + ` ${again}`, EXIT.usage);
  }
  return text;
}

/** A secret for each scheme, one to a line; that of a client may be empty. */
async function secretsFor(schemes: readonly Scheme[]): Promise<string[]> {
  const names = schemes.map(({ name }) => oneLine(name, 200));
  const lines = (await readSecrets(names.map((name) => `Secret of ${name}`))).split(/\r?\n/);
  if (lines.length === schemes.length
    && lines.every((line, at) => line !== '' || schemes[at]!.type === 'oauth2')) return lines;
  throw new Failure(`Give ${schemes.length} secrets on standard input, one to a line: ${
    names.join(', ')}. There ${lines.length === 1 ? 'is 1' : `are ${lines.length}`}.`, EXIT.usage);
}
