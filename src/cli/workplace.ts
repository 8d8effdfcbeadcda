import { readClientEnvironment } from '../config.ts';
import { shellWord } from '../shellWord.ts';
import { Client } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { invocation } from './invocation.ts';
import { lastSession, type LastSession } from './lastSession.ts';
import { resolveProfile, type ClientFlags, type Credential } from './profile.ts';
import type { Terminal } from './terminal.ts';

/** What every client command works with. */
export interface Workplace {
  terminal: Terminal;
  client: Client;
  /** The workspace that was named, or that of the profile. Throws Failure if there is neither. */
  workspaceFor(what: string, given: string | undefined): string;
  /** The flag for it in a command to paste, where only a flag can name it: to be filled in. */
  workspaceToName: readonly string[];
  lastSession: LastSession;
  /** Whether the secret that is sent ends as a list shows it: "…5Bv9". */
  endsIn(hint: string): boolean;
  /** A command line for the same service and as the same caller, ready to paste. */
  again(...args: string[]): string;
  /** A message of the service, with its commands ready to paste. */
  callable(message: string): string;
}

/** A word of a command line to paste; what a person has to fill in stays as it is. */
const pasteable = (word: string) => word === '…' ? word : shellWord(word);

/** Throws Failure if the service's address or the credentials file is wrong. */
export function openWorkplace(
  { terminal, callable }:
  { terminal: Terminal; callable(message: string, data_dir: string): string },
  flags: ClientFlags, as: Credential): Workplace {
  const environment = readClientEnvironment();
  const profile = resolveProfile(flags, environment);
  // A secret is not repeated, because what is printed ends up in the logs of others.
  const place = [
    ...(flags.profile === undefined ? [] : ['--profile', shellWord(flags.profile)]),
    ...(flags.base_url === undefined ? [] : ['--base-url', shellWord(flags.base_url)]),
    ...(flags.api_key === undefined ? [] : ['--api-key', '…']),
    ...(flags.admin_token === undefined ? [] : ['--admin-token', '…']),
  ];
  const onWholeId = (given: string, id: string) =>
    terminal.err(terminal.err_style('dim', `${given} is ${id}`) + '\n');
  return {
    terminal, client: new Client(profile, { as, onWholeId, onWait: terminal.wait }),
    lastSession: lastSession(environment.config_dir, profile),
    endsIn: (hint) => profile[as]?.endsWith(hint.replace('…', '')) ?? false,
    workspaceFor(what, given) {
      const workspace_id = given ?? profile.workspace_id;
      if (workspace_id !== null) return workspace_id;
      throw new Failure(`Which workspace is the ${what} for? Give --workspace; \`gatehouse`
        + ' workspaces list` shows them.', EXIT.usage);
    },
    workspaceToName: profile.workspace_id === null ? ['--workspace', '…'] : [],
    again: (...args) =>
      [invocation(environment.data_dir), ...args.map(pasteable), ...place].join(' '),
    callable: (message) => callable(message, environment.data_dir).split('`').map((part, at) =>
      at % 2 === 1 && part.startsWith(`${invocation(environment.data_dir)} `)
        ? [part, ...place].join(' ') : part).join('`'),
  };
}
