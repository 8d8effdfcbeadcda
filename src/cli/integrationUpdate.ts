import { InvalidArgumentError } from 'commander';
import { isObject } from '../json.ts';
import { ALLOW, withAllowing } from './allowing.ts';
import type { Schemas } from './client.ts';
import { adminCommand } from './command.ts';
import { EXIT, Failure, refuseBoth, refuseEmpty } from './failure.ts';
import { argument, choice, flag, repeated, toggle, type InputValues } from './inputs.ts';
import { report, SOURCE, sourceOf } from './integrationImport.ts';
import { jsonObject } from './jsonInput.ts';
import { LONG_ANSWER_MS } from './longAnswer.ts';
import { linesTo } from './output.ts';
import { oneLine, type Terminal } from './terminal.ts';

const PATH = '/admin/integrations/{slug}';

type Overrides = Schemas['Overrides'];
type GivenOverride = Overrides[string];

const HOW = 'An <operation> is named by its method and path as the document has them, such as'
  + ' "POST /pets/search"; that of an MCP server by the tool\'s name. Several are named by a'
  + ' pattern of their actions\' names, such as "pets.search.*", and all by *; what is more'
  + ' specific wins. What is not named stays as it is.';

/** The flags that say what an operator knows better than the document. */
const OVERRIDES = {
  effect: repeated('--effect <operation=effect>', 'it is read, write or destructive, whatever the'
    + ' rules say; may be repeated', effectOf),
  hide: repeated('--hide <operation>', 'do not offer it; may be repeated'),
  show: repeated('--show <operation>', 'offer it again; may be repeated'),
  hide_parameter: repeated('--hide-parameter <operation=parameter>', 'callers do not get to set it,'
    + ' such as "GET /pets=header.x-tenant"; may be repeated',
  (text) => assignment(text, 'GET /pets=header.x-tenant')),
  set: repeated('--set <operation=parameter=value>', 'every call sends it, and callers do not get'
    + ' to set it, such as "*=header.Notion-Version=2022-06-28"; without a value no longer; may be'
    + ' repeated, and is no place for secrets', setParameter),
  reset: repeated('--reset <operation>', 'forget all of the above of it; may be repeated'),
  // Commander makes it the value `false` of --trust-hints.
  no_trust_hints: toggle('--no-trust-hints', 'do not believe it any more'),
  overrides: flag('--overrides <json>', 'all of the above at once, in place of what there was, as'
    + ' openapi.yaml describes it; @file reads a file, - standard input'),
};

/** What becomes of an action that the source adds later. */
export const NEW_ACTIONS = choice('--new-actions <when>', 'whether actions that the document or the'
  + ' server adds later wait until you accept them, or are offered at once', ['wait', 'offer']);

export const addUpdateCommand = adminCommand('update', {
  summary: 'change what an integration offers, to whom, and where it is',
  description: 'Changes an integration. Its actions are made anew, and keep their names.',
  inputs: {
    slug: argument('<slug>', 'the integration'),
    ...OVERRIDES,
    workspace_ids: repeated('--workspace <id>',
      'offer it to this workspace alone; may be repeated'),
    all_workspaces: toggle('--all-workspaces', 'offer it to all workspaces'),
    title: flag('--title <title>', 'what it is called'),
    api_url: flag('--api-url <url>', 'where the API is'),
    allow: repeated('--allow <cidr:port>', 'an address that is not public, such as 10.1.0.0/16:443,'
      + ' in place of those before; may be repeated'),
    public_only: toggle('--public-only', 'take back all that --allow has allowed'),
    insecure: toggle('--insecure', 'send credentials to public addresses also by plain http'),
    // Commander makes it the value `false` of --insecure.
    no_insecure: toggle('--no-insecure', 'do not do that any more'),
    origins: repeated('--origin <origin>', 'where operations may be called besides, if the document'
      + ' has them there, such as https://uploads.github.com, in place of those before; may be'
      + ' repeated'),
    one_origin: toggle('--one-origin', 'take back all that --origin has allowed'),
    new_actions: NEW_ACTIONS,
    own_redirect: toggle('--own-redirect', 'have browsers come back to <public url>/oauth/callback/'
      + '<slug>, once that is registered at the other service'),
    ...SOURCE,
  },
  notes: HOW,
  example: `gatehouse integrations update github --effect "POST /markdown=read"
  gatehouse integrations update github --hide "DELETE /repos/{owner}/{repo}"
  gatehouse integrations update github --workspace wsp_01kagz3xz1a3b5c7d9e1f3g5h7`,
  async run(workplace, flags) {
    const { client, terminal } = workplace;
    const { slug, workspace_ids, all_workspaces, title, api_url, allow, public_only } = flags;
    const { insecure, new_actions, own_redirect, origins, one_origin } = flags;
    refuseBoth(['--workspace', workspace_ids], ['--all-workspaces', all_workspaces]);
    refuseBoth(['--allow', allow], ['--public-only', public_only]);
    refuseBoth(['--origin', origins], ['--one-origin', one_origin]);
    const before = await client.request('GET', PATH, { id: slug });
    const body: Schemas['UpdateIntegrationRequest'] = {
      overrides: await overridesOf(before.overrides, flags),
      ...(await sourceOf(flags) ?? trusted(flags)),
      title, base_url: api_url,
      egress_allow: public_only ? [] : allow, insecure_http: insecure, own_redirect, new_actions,
      other_origins: one_origin ? [] : origins,
      workspace_ids: all_workspaces ? null : workspace_ids,
    };
    refuseEmpty(body);
    const doing = `changing ${oneLine(slug, 64)}`; // which may import it anew
    const made = await client.request('PATCH', PATH,
      { id: slug, body, doing, limit_ms: LONG_ANSWER_MS })
      .catch((error: unknown) => withAllowing(error, () => ALLOW));
    report(workplace, made);
    printChoices(terminal, made);
  },
});

/** Prints what the operator knows better than the document, and who is offered its actions. */
export function printChoices(
  terminal: Terminal, { overrides, workspace_ids }: Schemas['Integration']): void {
  const out = linesTo(terminal);
  for (const [key, override] of Object.entries(overrides)) {
    out(`  you say: ${oneLine(key, 80)}: ${wordsOf(override)}\n`);
  }
  if (workspace_ids !== null) {
    out(`  offered to: ${workspace_ids.join(', ') || 'no workspace'}\n`);
  }
}

/** What stands before and behind the last `=`, because a path may have more of them. */
function assignment(text: string, example: string): [string, string] {
  const equals = text.lastIndexOf('=');
  if (equals > 0 && equals < text.length - 1) {
    return [text.slice(0, equals), text.slice(equals + 1)];
  }
  throw new InvalidArgumentError(`It must be like "${example}".`);
}

function effectOf(text: string): [key: string, effect: Schemas['ActionEffect']] {
  const [key, effect] = assignment(text, 'POST /pets/search=read');
  if (effect === 'read' || effect === 'write' || effect === 'destructive') return [key, effect];
  throw new InvalidArgumentError('It must end in =read, =write or =destructive.');
}

function setParameter(text: string): [key: string, parameter: string, value: string] {
  const [, key, parameter, value] = /^(.+?)=((?:header|query|path)\.[^=]+)=(.*)$/s.exec(text) ?? [];
  if (value !== undefined) return [key!, parameter!, value];
  throw new InvalidArgumentError('It must be like "*=header.Notion-Version=2022-06-28".');
}

/** The overrides with what the flags change; undefined if they change none. */
async function overridesOf(
  before: Overrides, flags: InputValues<typeof OVERRIDES>): Promise<Overrides | undefined> {
  const { effect, hide, show, hide_parameter, set, reset, overrides } = flags;
  const all = [effect, hide, show, hide_parameter, set, reset, overrides];
  if (all.every((one) => one === undefined)) return undefined;
  const given = overrides === undefined ? before : await overridesGiven(overrides);
  const next = new Map(Object.entries(reset?.includes('*') ? {} : given));
  const change = (key: string, make: (override: GivenOverride) => GivenOverride) =>
    next.set(key, make(next.get(key) ?? {}));
  for (const key of reset ?? []) next.delete(key);
  for (const [key, value] of effect ?? []) change(key, (one) => ({ ...one, effect: value }));
  for (const key of hide ?? []) change(key, (one) => ({ ...one, hidden: true }));
  for (const key of show ?? []) {
    const said = isHiddenByPattern(next, key) ? { hidden: false } : {};
    change(key, ({ hidden: _, ...rest }) => ({ ...rest, ...said }));
  }
  for (const [key, parameter] of hide_parameter ?? []) {
    change(key, (one) => ({ ...one,
      hidden_parameters: [...new Set([...one.hidden_parameters ?? [], parameter])] }));
  }
  for (const [key, parameter, value] of set ?? []) {
    change(key, ({ parameters: before = {}, ...one }) => {
      const { [parameter]: _, ...others } = before;
      const parameters = value === '' ? others : { ...before, [parameter]: value };
      return { ...one, ...(Object.keys(parameters).length > 0 && { parameters }) };
    });
  }
  return Object.fromEntries([...next].filter(([, one]) => Object.keys(one).length > 0));
}

/** Throws Failure if they are none. */
async function overridesGiven(text: string): Promise<Overrides> {
  const given = await jsonObject(text,
    { what: '--overrides', example: '{"POST /pets/search": {"effect": "read"}}' });
  const [wrong] = Object.entries(given).filter(([, one]) => !isObject(one));
  if (wrong === undefined) return given as Overrides;
  throw new Failure(`--overrides: ${wrong[0]} must have an object, such as {"effect": "read"}.`,
    EXIT.usage);
}

/**
 * Whether a pattern may hide what this key names: to offer it again needs a word of its own then.
 * Which names a pattern holds for, the service alone knows; such a word does no harm.
 */
function isHiddenByPattern(said: ReadonlyMap<string, GivenOverride>, key: string): boolean {
  return key !== '*' && [...said].some(([other, { hidden }]) => hidden === true && other !== key
    && (other === '*' || /^[^\s.]+\.\S+$/.test(other)));
}

/** Changes whether an MCP server is believed, and nothing else of it. */
function trusted({ trust_hints }: InputValues<typeof SOURCE>): { mcp?: Schemas['McpServer'] } {
  return { mcp: trust_hints === undefined ? undefined : { trust_hints } };
}

function wordsOf(override: GivenOverride): string {
  const {
    effect, hidden, hidden_parameters = [], soft_error, path_slashes = {}, signed_elsewhere,
    account_label, parameters = {}, media_type,
  } = override;
  return [
    effect,
    hidden && 'hidden',
    hidden === false && 'offered',
    hidden_parameters.length > 0 && `without ${hidden_parameters.join(', ')}`,
    signed_elsewhere && 'signed elsewhere',
    media_type && `sent as ${media_type}`,
    ...Object.entries(path_slashes).map(([name, how]) => `slashes in ${name} ${how}`),
    ...Object.entries(parameters).map(([name, value]) => `sends ${name}: ${value}`),
    soft_error && `failed if ${soft_error.pointer} is ${JSON.stringify(soft_error.equals)}`,
    account_label && `says whose account it is in ${account_label}`,
  ].filter((word) => typeof word === 'string').map((word) => oneLine(word, 200)).join('; ');
}
