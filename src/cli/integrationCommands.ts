import { InvalidArgumentError } from 'commander';
import { ALLOW, withAllowing } from './allowing.ts';
import type { Schemas } from './client.ts';
import { adminCommand, group } from './command.ts';
import { kindCommand, togetherCommand } from './credentials.ts';
import { EXIT, Failure } from './failure.ts';
import { argument, flag, like, repeated, toggle } from './inputs.ts';
import { report, showRenames, SOURCE, sourceOf, unclearSource } from './integrationImport.ts';
import { addUpdateCommand, NEW_ACTIONS, printChoices } from './integrationUpdate.ts';
import { LONG_ANSWER_MS } from './longAnswer.ts';
import { listCommand, remove } from './output.ts';
import { moment, printFacts, showCommand } from './records.ts';
import { oneLine, safeText } from './terminal.ts';
import type { Workplace } from './workplace.ts';

const INTEGRATION = argument('<slug>', 'the integration');

const add = adminCommand('add', {
  summary: 'make actions of an OpenAPI document or an MCP server',
  description: 'Makes actions of an OpenAPI document (2.0, 3.0, 3.1 or 3.2) or of an MCP server.',
  inputs: {
    slug: argument('<slug>', 'what its actions begin with, such as github',
      like(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'It must be of a-z, 0-9, _ and -, such as github.')),
    ...SOURCE,
    title: flag('--title <title>', "instead of the document's"),
    api_url: flag('--api-url <url>', 'where the API is, if the document does not say'),
    egress_allow: repeated('--allow <cidr:port>', 'an address that is not public, such as'
      + ' 10.1.0.0/16:443; may be repeated'),
    insecure: toggle('--insecure', 'send credentials to public addresses also by plain http'),
    other_origins: repeated('--origin <origin>', 'where operations may be called besides, if the'
      + ' document has them there, such as https://uploads.github.com; may be repeated'),
    new_actions: NEW_ACTIONS,
    set: repeated('--set <parameter=value>', 'every call sends it, and callers do not get to set'
      + ' it, such as header.Notion-Version=2022-06-28; may be repeated', (text) => {
      const [, name, value] = /^((?:header|query|path)\.[^=]+)=(.+)$/s.exec(text) ?? [];
      if (value !== undefined) return [name!, value] as const;
      throw new InvalidArgumentError('It must be like header.Notion-Version=2022-06-28.');
    }),
  },
  example: `gatehouse integrations add github --document github-openapi.json
  gatehouse integrations add files --mcp-command`
    + ' "npx -y @modelcontextprotocol/server-filesystem /srv/files"',
  async run(workplace, { slug, title, api_url, egress_allow, insecure, other_origins, new_actions,
    set, ...flags }) {
    const { client, terminal, again } = workplace;
    const source = await sourceOf(flags);
    if (source === null) throw unclearSource();
    const kind = 'mcp' in source ? 'mcp' : 'openapi';
    const made = await client.request('POST', '/admin/integrations',
      { doing: `importing ${slug}`, limit_ms: LONG_ANSWER_MS, body: {
        slug, kind, ...source, title, base_url: api_url, egress_allow, insecure_http: insecure,
        other_origins, new_actions,
        overrides: set && { '*': { parameters: Object.fromEntries(set) } } } })
      .catch((error: unknown) => withAllowing(error, () => ALLOW));
    report(workplace, made);
    // What reads resources is no tool. A server that lists none yet does so to an account, and
    // nobody is told anything then: whoever consents does it in a browser.
    const { read, write, destructive } = made.actions;
    if (made.kind === 'mcp' && !flags.trust_hints && (write + destructive > 0 || read === 0)) {
      terminal.err('Every tool counts as one that writes. If you trust what the server says of its'
        + ' tools, those it calls read-only can be called without a grant:'
        + ` ${again('integrations', 'update', slug, '--trust-hints')}\n`);
    }
    if (made.base_url !== null) terminal.err(`The API is called at: ${safeText(made.base_url)}\n`);
    terminal.err(howToConnect(workplace, made));
  },
});

const list = listCommand('integrations', '/admin/integrations', {
  summary: 'list integrations',
  description: 'Lists the integrations that were added, the newest first.',
  nothing: 'integrations besides the built-in ones',
  headings: ['SLUG', 'KIND', 'READ', 'WRITE', 'DESTRUCTIVE', 'QUARANTINED', 'TITLE'],
  row: ({ slug, kind, actions, title }) => [slug, kind, String(actions.read),
    String(actions.write), String(actions.destructive), String(actions.quarantined),
    oneLine(title, 40)],
});

const show = showCommand(adminCommand, '/admin/integrations/{slug}', {
  summary: 'show an integration: where it is, and what was imported',
  description: 'Shows an integration: where it is, how accounts are connected, what its last import'
    + ' has made and left out, and what has changed and is set aside until it is accepted.',
  id: INTEGRATION,
  example: 'gatehouse integrations show github',
  print(workplace, found) {
    const { mcp } = found;
    const command = mcp?.command && [mcp.command, ...mcp.args ?? []].join(' ');
    printFacts(workplace.terminal, found.title, {
      api: found.base_url, document: found.document_url, server: mcp?.url ?? command,
      'gets variables': mcp?.env_names?.join(', '),
      'read-only hints': mcp && (mcp.trust_hints ? 'are believed' : 'are not believed'),
      accounts: found.auth_methods.join(', '),
      'other origins': found.other_origins?.join(', '),
      'addresses allowed': found.egress_allow.join(', '),
      'plain http': found.insecure_http ? 'is allowed' : null,
      'new actions': found.new_actions === 'wait' ? 'wait until they are accepted'
        : 'are offered at once',
      added: moment(found.created_at), changed: moment(found.updated_at),
    });
    report(workplace, found);
    printChoices(workplace.terminal, found);
  },
});

const refresh = adminCommand('refresh', {
  summary: 'import an integration anew',
  description: 'Fetches the document, or asks the MCP server, again. Shows what has changed and is'
    + ' set aside until it is accepted.',
  inputs: {
    slug: INTEGRATION,
    accept: toggle('--accept', 'accept what was shown to have changed, as it was shown'),
    rename: toggle('--rename', 'refresh, and show which actions would have other names'
      + ' if they were new'),
    yes: toggle('--yes', 'with --rename: give them those names; grants and overrides go along'),
  },
  example: `gatehouse integrations refresh github
  gatehouse integrations refresh github --rename --yes`,
  async run(workplace, { slug, accept = false, rename = false, yes = false }) {
    if (yes && !rename) throw new Failure('--yes belongs to --rename.', EXIT.usage);
    const made = await workplace.client.request('POST', '/admin/integrations/{slug}/refresh',
      { id: slug, doing: `importing ${oneLine(slug, 64)} anew`, limit_ms: LONG_ANSWER_MS,
        body: { accept_changes: accept, ...(rename && { rename: yes ? 'apply' : 'show' }) } });
    report(workplace, made);
    if (rename) showRenames(workplace, made);
  },
});

const removeIntegration = adminCommand('remove', {
  summary: 'remove an integration',
  description: 'Removes an integration with its actions; refused while accounts are connected.',
  inputs: { slug: INTEGRATION },
  example: 'gatehouse integrations remove github',
  run: (workplace, { slug }) => remove(workplace, '/admin/integrations/{slug}', slug),
});

export const addIntegrationCommands = group('integrations', {
  summary: 'add, change, list, show, refresh and remove integrations',
  description: 'Adds, changes, lists, shows, refreshes and removes integrations, with the admin'
    + ' token.',
  example: 'gatehouse integrations add github --document github-openapi.json',
}, [add, addUpdateCommand, list, show, refresh, removeIntegration]);

/** How to connect, in the likeliest way that the document names, or in both if it names none. */
function howToConnect(
  { again, workspaceToName }: Workplace, integration: Schemas['Integration']): string {
  const { slug, mcp, auth_methods } = integration;
  const place = [slug, ...workspaceToName];
  const withNone = again('connections', 'add', ...place, '--auth', 'none');
  if (mcp?.command !== undefined) {
    return 'It runs once for all workspaces that connect it, and they share what it keeps. To keep'
      + ` it to one: ${again('integrations', 'update', slug, '--workspace')} wsp_…\n`
      + `Connect it with: ${withNone}\n`;
  }
  const together = togetherCommand(again, integration, place);
  if (together !== null) return `Connect an account with: ${together}\n`;
  // A server that says itself how it is authorized.
  if (mcp !== null && auth_methods.join() === 'oauth2') {
    return `Connect an account, by a browser, with: ${again('connections', 'add', ...place)}\n`;
  }
  const open = auth_methods.length === 0 || auth_methods.includes('none')
    ? `or, if it needs no account: ${withNone}\n` : '';
  const kind = ['bearer', 'api_key', 'basic', 'oauth2'].find((one) => auth_methods.includes(one))
    ?? 'bearer';
  return `Connect an account with: ${kindCommand(again, integration, place, kind)}\n${open}`;
}
