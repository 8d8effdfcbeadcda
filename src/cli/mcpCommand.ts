import { readClientEnvironment, type ClientEnvironment } from '../config.ts';
import { AS_APPLICATION, localCommand } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { flag, toggle } from './inputs.ts';
import { programFile } from './invocation.ts';
import { bridge, noDoorAt } from './mcpBridge.ts';
import { configurations, type BridgeCommand } from './mcpClients.ts';
import { resolveProfile, secretFor, type ClientFlags, type Profile } from './profile.ts';
import { profileNamed } from './profileStore.ts';

const KEY = 'GATEHOUSE_API_KEY';
/** The configurations can be printed without an answer. */
const ASKING_MS = 3_000;

export const addMcpCommand = localCommand('mcp', {
  summary: 'connect an MCP client (an editor, an assistant)',
  description: 'Prints what to put into the configuration of MCP clients, so that they use the '
    + 'gateway with its grants, approvals and records. With --stdio it is what a client starts '
    + 'that only knows processes: it passes messages on to the service.',
  inputs: {
    stdio: toggle('--stdio', 'pass messages between standard input and the service'),
    actions: flag('--actions <patterns>', 'offer these actions as tools of their own, by commas:'
      + ' github.issues.*'),
    ...AS_APPLICATION,
  },
  notes: 'No secret is printed. Where a client sends the key itself, it reads it from'
    + ` ${KEY}. Where the service has an identity provider, a client that signs people in needs the`
    + ' address alone.',
  example: "gatehouse mcp --actions 'gatehouse.runs.*'",
  async run({ terminal }, { stdio = false, actions, ...flags }) {
    const environment = readClientEnvironment();
    const profile = resolveProfile(flags, environment);
    const url = addressOf(profile, actions);
    if (stdio) {
      await bridge({ url, api_key: secretFor(profile, 'api_key'), input: process.stdin,
        write: (line) => terminal.out(line) });
      return;
    }
    if (await isMissing(url)) throw new Failure(noDoorAt(url), EXIT.failed);
    terminal.out(configurations(url, processOf(environment, profile, { ...flags, actions }), KEY));
  },
});

/** Whether the service runs, and has no MCP server. What cannot be reached now may be so later. */
async function isMissing(url: string): Promise<boolean> {
  return await fetch(url, { signal: AbortSignal.timeout(ASKING_MS), redirect: 'manual' })
    .then(async ({ status, body }) => {
      await body?.cancel();
      return status === 404;
    }, () => false);
}

function addressOf({ base_url }: Profile, actions: string | undefined): string {
  const url = new URL(`${base_url.replace(/\/v1$/, '')}/mcp`);
  if (actions !== undefined) url.searchParams.set('actions', actions);
  if (url.href.length > 2_000) throw new Failure('--actions is too long.', EXIT.usage);
  return url.href.replaceAll('%2C', ',').replaceAll('%2A', '*');
}

/**
 * What a client starts: with the place of the credentials where they are kept, not with them. The
 * profile in use is named: another one may be in use later.
 */
function processOf(
  environment: ClientEnvironment, { base_url, address_from }: Profile,
  { actions, ...flags }: ClientFlags & { actions: string | undefined }): BridgeCommand {
  const { data_dir, config_dir } = environment;
  const given = flags.api_key ?? (flags.profile === undefined ? environment.api_key : null);
  const named = given === null ? profileNamed(flags.profile, environment) : null;
  return {
    command: programFile() ?? 'gatehouse',
    args: ['mcp', '--stdio', ...(actions === undefined ? [] : ['--actions', actions]),
      ...(named === null ? [] : ['--profile', named.name]),
      ...(named === null || address_from !== null ? [] : ['--base-url', base_url])],
    env: named !== null ? { GATEHOUSE_CONFIG_DIR: config_dir! } : {
      ...(given === null ? { GATEHOUSE_DATA_DIR: data_dir } : { [KEY]: '<API_KEY>' }),
      GATEHOUSE_BASE_URL: base_url,
    },
  };
}
