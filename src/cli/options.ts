import { InvalidArgumentError, type Command } from 'commander';
import { readClientEnvironment } from '../config.ts';
import { Client } from './client.ts';
import { invocation, quoted } from './invocation.ts';
import { EXIT, Failure } from './failure.ts';
import { resolveProfile, type ClientFlags, type Profile } from './profile.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** What commander makes of the flags that say which service and who. */
export interface ClientOptions {
  baseUrl?: string;
  apiKey?: string;
  adminToken?: string;
}

/** What every client command works with. */
export interface Workplace {
  terminal: Terminal;
  profile: Profile;
  client: Client;
  /** How to call this program again. */
  command: string;
  /** A command line for the same service and as the same caller, ready to paste. */
  again(...args: string[]): string;
}

const PLACE = 'Without flags, environment variables count (GATEHOUSE_BASE_URL, %s), then\n'
  + 'credentials.json in GATEHOUSE_DATA_DIR (.gatehouse), which the first start writes.';

/** Gives a command the flags of a client of the workspace. */
export function withApiKey(command: Command): Command {
  return command
    .option('--base-url <url>', 'the service, such as http://127.0.0.1:3000/v1')
    .option('--api-key <key>', 'the api key (better set GATEHOUSE_API_KEY: others see flags)')
    .addHelpText('after', `\n${PLACE.replace('%s', 'GATEHOUSE_API_KEY')}`);
}

/** Gives a command the flags of the operator. */
export function withAdminToken(command: Command): Command {
  return command
    .option('--base-url <url>', 'the service, such as http://127.0.0.1:3000/v1')
    .option('--admin-token <token>',
      'the admin token (better set GATEHOUSE_ADMIN_TOKEN: others see flags)')
    .addHelpText('after', `\n${PLACE.replace('%s', 'GATEHOUSE_ADMIN_TOKEN')}`);
}

/** Throws Failure if the service's address or the credentials file is wrong. */
export function openWorkplace({ baseUrl, apiKey, adminToken }: ClientOptions): Workplace {
  const environment = readClientEnvironment();
  const flags: ClientFlags = {
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(adminToken !== undefined && { admin_token: adminToken }),
  };
  const profile = resolveProfile(flags, environment);
  const command = invocation(environment.data_dir);
  // A secret is not repeated: what is printed ends up in the logs of others.
  const again = [
    ...(baseUrl === undefined ? [] : ['--base-url', quoted(baseUrl)]),
    ...(apiKey === undefined ? [] : ['--api-key', '…']),
    ...(adminToken === undefined ? [] : ['--admin-token', '…']),
  ];
  return {
    terminal: processTerminal(environment), profile, client: new Client(profile), command,
    again: (...args) => [command, ...args, ...again].join(' '),
  };
}

/** A parser for a whole number within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** A parser for a point in time; gives it as ISO 8601 in UTC. */
export function pointInTime(text: string): string {
  const time_ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time_ms)) return new Date(time_ms).toISOString();
  throw new InvalidArgumentError('It must be a time such as 2027-01-31 or 2027-01-31T12:00:00Z.');
}

/** Collects an option that may be repeated. */
export function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

/** The workspace that was named, or that of the profile. */
export function workspaceOf(given: string | undefined, profile: Profile, what: string): string {
  const workspace_id = given ?? profile.workspace_id;
  if (workspace_id !== null) return workspace_id;
  throw new Failure(`Which workspace is the ${what} for? Give --workspace; \`gatehouse workspaces`
    + ' list` shows them.', EXIT.usage);
}
