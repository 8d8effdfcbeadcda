import { readClientEnvironment, type Config } from '../config.ts';
import { shellWord } from '../shellWord.ts';
import { invocation } from './invocation.ts';
import { resolveProfile } from './profile.ts';
import { beside } from './message.ts';
import type { RunningService } from './serviceModule.ts';
import type { Terminal } from './terminal.ts';
import { padTo } from './width.ts';

const NAME_COLUMNS = 12;
const PROMPT = 'Which sessions do I have?';

type Place = Pick<Terminal, 'style' | 'interactive' | 'screen'>;
type Started = Omit<RunningService, 'stop'>;

/**
 * What a person needs once the service runs: addresses, where the credentials are, and commands to
 * paste, which work as they stand. The credentials of a first start are shown on a terminal alone:
 * what else reads this is often a log, which keeps them. `link`: one that signs in to the
 * dashboard.
 */
export function welcome(
  started: Started, config: Config, terminal: Place, link: string | null = null): string {
  const { base_url, credentials_file, master_key_file, embedded } = started;
  const credentials = terminal.interactive ? started.credentials : null;
  if (config.role === 'worker') return welcomeWorker(base_url, config, terminal);
  const again = invocation(config.data_dir);
  const rows: [string, string][] = [
    ['API', base_url], ['Docs page', base_url.replace(/\/v1$/, '/docs')],
    ['Dashboard', link ?? base_url.replace(/\/v1$/, '/dashboard')],
    ['', `${link === null ? 'for a link that signs in'
      : 'the link signs in once, within ten minutes; for another'}: ${again} dashboard`],
    ['Model', config.model],
  ];
  if (config.role === 'api') rows.push(['Role', 'api: runs wait for a node with the role worker']);
  const file = credentials_file !== null && (embedded || isFor(base_url, config.data_dir))
    ? credentials_file : null;
  if (credentials) {
    rows.push(['Workspace', credentials.workspace_id], ['Api key', credentials.api_key],
      ['Admin token', credentials.admin_token],
      ['', `shown this once, and kept in ${file}`]);
  } else if (file) rows.push(['Credentials', file]);
  if (master_key_file !== null) {
    rows.push(['Master key', master_key_file],
      ['', 'keep a copy elsewhere: the secrets of integrations are lost without it']);
  }
  const { style, screen } = terminal;
  const lines = table(rows, terminal);
  if (!file) lines.push('', ...withoutFile(embedded, again, screen));
  const key = credentials?.api_key
    ?? (file ? `$(sed -n 's/.*"api_key": "\\(.*\\)".*/\\1/p' ${shellWord(file)})` : 'YOUR_API_KEY');
  const client = file ? again : `GATEHOUSE_BASE_URL=${base_url} GATEHOUSE_API_KEY=$KEY ${again}`;
  return [
    style('bold', `Gatehouse ${config.version} is ready.`), '', ...lines, '',
    'Try it in another terminal:', '',
    ...(file ? [] : [`  KEY=${key}`]),
    `  ${client} run "${PROMPT}" --follow`, '',
    'or the same with curl, in bash or zsh:', '',
    ...curlExample(base_url, key).map((line) => `  ${line}`), '',
    style('dim', 'Ctrl-C stops the service.'), '',
  ].join('\n');
}

/** How somebody comes to an api key, where no file has one. */
function withoutFile(embedded: boolean, again: string, screen: Terminal['screen']): string[] {
  if (!embedded) {
    return [beside('  ', 'No api key yet? With DATABASE_URL as it is here, this makes the first:',
      screen), '', `  ${again} setup --save`];
  }
  return [beside('  ', 'No api key? The first ones are in no file any more. Start the service with'
    + ' an admin token of your own, of 32 characters or more, as GATEHOUSE_ADMIN_TOKEN, and make'
    + ' others with it:', screen), '', `  ${again} workspaces list`,
  `  ${again} keys create --name NAME --workspace WORKSPACE_ID`];
}

/** A worker has no API, so there are no commands to try. */
function welcomeWorker(base_url: string, config: Config, terminal: Place): string {
  const { style } = terminal;
  return [
    style('bold', `Gatehouse ${config.version} is ready.`), '',
    ...table([
      ['Role', `worker: executes up to ${config.concurrency} runs at once, serves no API`],
      ['Health', base_url.replace(/\/v1$/, '/readyz')],
    ], terminal), '',
    style('dim', 'Ctrl-C stops the service.'), '',
  ].join('\n');
}

function table(rows: [string, string][], { style, screen }: Place): string[] {
  return rows.map(([name, value]) =>
    beside(`  ${padTo(style('dim', name), NAME_COLUMNS)} `, value, screen));
}

function curlExample(base_url: string, key: string): string[] {
  const body = JSON.stringify({
    input: [{ role: 'user', content: [{ type: 'input_text', text: PROMPT }] }], stream: true,
  });
  return [
    `KEY=${key}`,
    `API=${base_url}`,
    'SESSION=$(curl -sS -X POST "$API/sessions" -H "Authorization: Bearer $KEY" |'
      + ` sed 's/.*"id":"\\(ses_[^"]*\\)".*/\\1/')`,
    'curl -sSN "$API/sessions/$SESSION/runs" -H "Authorization: Bearer $KEY" \\',
    `  -H "Content-Type: application/json" -d '${body}'`,
  ];
}

/** Whether the command line would send this address the api key that `setup --save` has kept. */
function isFor(base_url: string, data_dir: string): boolean {
  const profile = resolveProfile({ base_url }, { ...readClientEnvironment({}), data_dir });
  return profile.api_key !== null;
}
