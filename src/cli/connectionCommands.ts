import { howToAllow, isNotPublic, withAllowing } from './allowing.ts';
import { ApiError } from './answers.ts';
import type { Schemas } from './client.ts';
import { adminCommand, AS_ADMIN, FOR_WORKSPACE, group } from './command.ts';
import {
  authFlag, CREDENTIALS, credentialsFrom, declaredAuth, EXAMPLE, SECRET,
} from './credentials.ts';
import { EXIT, Failure, refuseBoth, refuseEmpty } from './failure.ts';
import { argument, flag, givenAgain, toggle } from './inputs.ts';
import { LONG_ANSWER_MS } from './longAnswer.ts';
import { linesTo, listCommand, minute, remove } from './output.ts';
import { moment, printFacts, showCommand } from './records.ts';
import { oneLine, safeText } from './terminal.ts';
import type { Workplace } from './workplace.ts';

const PATH = '/admin/connections/{connection_id}';
const EXAMPLE_ID = 'con_01kagz50a1b3c5d7e9f1g3h5j7';
const CONNECTION = argument('<connection_id>', 'the connection, or the beginning of its id');

/** The flags for fields that are called otherwise in a request. */
const FLAGS: Record<string, string> = {
  name: '--header', grant: '--auth', scopes: '--scope',
  also: '--scheme for each, or --alone if the document is wrong',
};

const ADDED = {
  integration: argument('<integration>', 'the slug of the integration'),
  workspace_id: FOR_WORKSPACE,
  name: flag('--name <name>', 'what the connection is called; the slug if left out'),
  account_label: flag('--account <label>', 'whose account it is, such as octocat'),
  ...AS_ADMIN, auth: authFlag("as the integration's document says"), ...CREDENTIALS,
};

const add = adminCommand('add', {
  summary: 'connect an account of an integration',
  description: 'Connects an account of an integration to a workspace.',
  inputs: ADDED,
  notes: SECRET,
  example: `${EXAMPLE} add github --auth bearer`,
  async run(workplace, given) {
    const { integration, workspace_id, name, account_label, auth, ...flags } = given;
    const made = await workplace.client.request('POST', '/admin/connections', { body: {
      workspace_id: workplace.workspaceFor('connection', workspace_id),
      integration, name: name ?? integration, account_label,
      credentials: await credentialsFrom({ auth, ...flags }, {
        integration: () => integrationOf(workplace, integration),
        auth: async (declaring) =>
          declaredAuth(workplace, await lookedAgain(workplace, declaring), workspace_id),
        again: workplace.again('connections', 'add', ...givenAgain(ADDED, given)),
      }),
    } }).catch((error: unknown) => withFlag(error, async () =>
      howToAllow(workplace.again, await integrationOf(workplace, integration))));
    printMade(workplace, made);
    await warnOfBareKey(workplace, made, flags.prefix);
    await warnOfAlike(workplace, made);
  },
});

const RECONNECTED = {
  id: CONNECTION, ...AS_ADMIN, auth: authFlag('as before'), ...CREDENTIALS,
};

const reconnect = adminCommand('reconnect', {
  summary: 'give a connection new credentials',
  description: 'Gives a connection new credentials; its id and its grants stay, and so does how it'
    + ' is used, where no flag says otherwise: the client, its secret and scopes of OAuth 2.0, the'
    + ' place of an api key. A client of OAuth 2.0 gets another secret with --client-id. Where'
    + ' somebody has to consent, the account keeps what it has until then.',
  inputs: RECONNECTED,
  notes: SECRET,
  example: `${EXAMPLE} reconnect ${EXAMPLE_ID}`,
  async run(workplace, given) {
    const { id, auth, ...flags } = given;
    const { client } = workplace;
    const before = auth === undefined || (flags.schemes ?? []).length > 1
      ? await client.request('GET', PATH, { id }) : null;
    const credentials = await credentialsFrom({ auth, ...flags }, {
      integration: () => integrationOf(workplace, before!.integration),
      auth: () => before!.auth_type,
      again: workplace.again('connections', 'reconnect', ...givenAgain(RECONNECTED, given)),
    });
    printMade(workplace, await client.request('PATCH', PATH, { id, body: { credentials } })
      .catch((error: unknown) => withFlag(error, () => allowingOf(workplace, id))));
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
    linesTo(workplace.terminal)(`${made.id} (${oneLine(made.name, 60)}`
      + `${account_label === null ? '' : `, ${oneLine(account_label, 60)}`}) is ${status}.\n`);
    if (made.authorization_url !== null) printNext(workplace, made);
  },
});

const list = listCommand('connections', '/admin/connections', {
  summary: 'list connections',
  description: 'Lists connections, the newest first.',
  inputs: {
    workspace_id: flag('-w, --workspace <id>', 'only those of this workspace'),
    integration: flag('--integration <slug>', 'only those to this integration'),
  },
  nothing: 'connections',
  headings: ['ID', 'INTEGRATION', 'NAME', 'ACCOUNT', 'AUTH', 'STATUS', 'WORKSPACE', 'WHY'],
  row: (one) => [one.id, one.integration, oneLine(one.name, 30),
    oneLine(one.account_label ?? '-', 30), one.auth_type, one.status,
    one.workspace_id, oneLine(one.status_reason ?? '-', 60)],
});

const show = showCommand(adminCommand, PATH, {
  summary: 'show a connection: whose it is, and what it may do',
  description: 'Shows a connection, but for its credentials, which nobody is shown again.',
  id: CONNECTION,
  example: `gatehouse connections show ${EXAMPLE_ID}`,
  print({ terminal }, found) {
    printFacts(terminal, found.name, {
      id: found.id, integration: found.integration, account: found.account_label,
      status: found.status, why: found.status_reason, auth: found.auth_type,
      scopes: found.granted_scopes.join(' '),
      'expires at': found.expires_at && minute(found.expires_at), workspace: found.workspace_id,
      connected: moment(found.created_at),
      authorized: found.authorized_at && moment(found.authorized_at),
      changed: moment(found.updated_at),
    });
  },
});

const check = adminCommand('check', {
  summary: 'use a connection and see whether it works',
  description: 'Makes the cheapest call that there is with the account, and says whether it works.',
  inputs: { id: CONNECTION },
  example: `gatehouse connections check ${EXAMPLE_ID}`,
  async run(workplace, { id }) {
    const { again, callable, client, terminal } = workplace;
    const { ok, status, action, message } =
      await client.request('POST', `${PATH}/check`, { id, limit_ms: LONG_ANSWER_MS });
    const found = !ok ? 'It does not work' : action === null ? 'Not tried' : 'It works';
    linesTo(terminal)(`${found} (${status}): ${callable(oneLine(message, 2_000))}\n`);
    if (isNotPublic(message)) terminal.err(`${await allowingOf(workplace, id)}\n`);
    if (status === 'disabled') {
      terminal.err(`Enable it with: ${again('connections', 'update', id, '--enable')}\n`);
    }
    if (status === 'pending') {
      terminal.err('Somebody has to consent to it. Begin again with:'
        + ` ${again('connections', 'reconnect', id)}\n`);
    }
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

export const addConnectionCommands = group('connections', {
  summary: 'connect, change, list, show, check and remove accounts',
  description: 'Connects, changes, lists, shows, checks and removes accounts, with the admin'
    + ' token.',
  example: `${EXAMPLE} add github --auth bearer`,
}, [add, reconnect, update, list, show, check, removeConnection]);

/** Names the flag for what neither the command nor the document says, or for an address. */
async function withFlag(error: unknown, toAllow: () => Promise<string>): Promise<never> {
  const [, field] = (error instanceof ApiError && /^Give (\w+)[: ]/.exec(error.message)) || [];
  if (field === undefined) return await withAllowing(error, toAllow);
  throw new Failure(`${(error as ApiError).message}\nHere: ${
    FLAGS[field] ?? `--${field.replace('_', '-')}`}`, EXIT.failed, error);
}

/** How an address is allowed that an account is used at. */
async function allowingOf(workplace: Workplace, id: string): Promise<string> {
  const { integration } = await workplace.client.request('GET', PATH, { id });
  return howToAllow(workplace.again, await integrationOf(workplace, integration));
}

/** It goes on by what it had, until somebody has consented to what is asked for. */
function isAwaited({ status, authorization_url }: Schemas['Connection']): boolean {
  return authorization_url !== null && status !== 'pending';
}

/** Prints how the account is used, what comes next, and the id. */
function printMade(workplace: Workplace, made: Schemas['Connection']): void {
  const { terminal } = workplace;
  if (made.settings !== null) {
    const { scopes, also, ...rest } = made.settings;
    const used = { ...rest, ...(scopes && { scopes: scopes.join(' ') || 'none' }),
      ...(also && { also: also.map((key) => `${key.in} ${key.name}`).join(', ') }) };
    terminal.err(`It is ${isAwaited(made) ? 'asked for' : 'used'} so; what was not given is as the`
      + ` integration says, and flags say otherwise:\n${
      Object.entries(used).map(([field, value]) => `  ${field}: ${oneLine(value, 300)}\n`).join('')
    }`);
  }
  printNext(workplace, made);
  terminal.out(`${made.id}\n`);
}

/** Most APIs want a word before a key in this header, and few documents say so but in prose. */
async function warnOfBareKey(
  workplace: Workplace, { integration, settings }: Schemas['Connection'],
  prefix: string | undefined): Promise<void> {
  const isBare = ({ in: place, name }: { in?: string, name?: string }) =>
    place === 'header' && name?.toLowerCase() === 'authorization';
  if (prefix !== undefined || settings === null || !isBare(settings)) return;
  // The account is connected, whether or not the service can say now what its document says.
  const known = await integrationOf(workplace, integration).catch(() => null);
  const schemes = (known?.report.security_schemes ?? []).filter(({ placement }) =>
    placement !== undefined && isBare(placement));
  // Of several nobody can tell here which it is.
  const said = schemes.length === 1 ? schemes[0]!.description?.trim() : '';
  workplace.terminal.err('The header Authorization holds the secret alone. If the API wants a word'
    + ' before it, such as Token, connect it with --prefix Token.\n'
    + (!said ? '' : `Its document says: ${oneLine(said, 300)}\n`));
}

/** Says that nobody can tell the account from another one, as long as neither has a label. */
async function warnOfAlike(
  { again, client, terminal }: Workplace,
  { id, workspace_id, integration, status, account_label }: Schemas['Connection'],
): Promise<void> {
  if (status !== 'connected' || account_label !== null) return;
  // The account is connected, whether or not its service can say now which others there are.
  const all = await client.upTo('/admin/connections', { workspace_id, integration }, 100)
    .catch(() => ({ data: [] }));
  const alike = all.data.find((one) =>
    one.id !== id && one.status === 'connected' && one.account_label === null);
  if (alike === undefined) return;
  terminal.err(`Another account of ${integration} is connected, ${alike.id}. From now on a call has`
    + ' to name one of them (connection_ambiguous), and neither says whose account it is. Say it'
    + ` with:\n${[alike.id, id].map((one) =>
      `${again('connections', 'update', one)} --account <label>\n`).join('')}`);
}

/** Says what comes next: the account has not been used, but for being asked for its tools. */
function printNext({ again, callable, terminal }: Workplace, made: Schemas['Connection']): void {
  const { id, status, status_reason, authorization_url, authorization_expires_at } = made;
  if (authorization_url === null && status_reason !== null) {
    terminal.err(`It does not work: ${callable(safeText(status_reason))} Reconnect it with: ${
      again('connections', 'reconnect', id)}\n`);
    return;
  }
  terminal.err(`${authorization_url === null
    ? `It is ${status}, and was not tried yet. Try it with:`
    : `Open this until ${minute(authorization_expires_at)}, and consent; it opens once, in one`
      + ` browser:\n${safeText(authorization_url)}\n${isAwaited(made)
        ? 'Until then it keeps what it has. Whether somebody has, tells:' : 'Then try it with:'}`
  } ${again('connections', isAwaited(made) ? 'show' : 'check', id)}\n`);
}

/**
 * A server that lists its tools to accounts alone may have been mended since it was asked how it is
 * authorized: it is asked anew where that is not known. Not where anything is known of it: a
 * refresh would replace changes that wait to be looked at.
 */
async function lookedAgain(
  workplace: Workplace, integration: Schemas['Integration']): Promise<Schemas['Integration']> {
  const { client, terminal, again, callable } = workplace;
  const { slug, mcp, auth_methods, actions, report } = integration;
  const is_known = report.has_resources || Object.values(actions).some((count) => count > 0);
  if (mcp?.url === undefined || auth_methods.length < 2 || is_known) return integration;
  try {
    const asked = await client.request('POST', '/admin/integrations/{slug}/refresh',
      { id: slug, body: {}, doing: `asking ${oneLine(slug, 64)} how it is authorized` });
    const { warnings } = asked.report;
    for (const warning of warnings) terminal.err(`${callable(oneLine(warning, 400))}\n`);
    if (warnings.some(isNotPublic)) terminal.err(`${howToAllow(again, asked)}\n`);
    return asked;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    terminal.err(`${error.message}\n`);
    return integration;
  }
}

async function integrationOf(
  { client }: Workplace, slug: string): Promise<Schemas['Integration']> {
  return await client.request('GET', '/admin/integrations/{slug}', { id: slug });
}
