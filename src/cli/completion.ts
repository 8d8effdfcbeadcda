/** What may come next on a command line: scripts of shells ask for it by `gatehouse __complete`. */
import type { Argument, Command, Option } from 'commander';
import type { paths } from '../../generated/types.ts';
import { readClientEnvironment } from '../config.ts';
import { Client, type ItemOf, type QueryOf } from './client.ts';
import { resolveProfile, type ClientFlags, type Credential } from './profile.ts';
import { profilesFile, readProfiles } from './profileStore.ts';
import { promptOf } from './runsListing.ts';
import { oneLine } from './terminal.ts';

/** The word that asks for it; not a command that a person calls. */
export const COMPLETE = '__complete';

/** So long a shell waits for ids, at most: nobody waits for a key to answer. */
const PATIENCE_MS = 1_500;
const IDS = 50;
const SAYS_CHARACTERS = 60;

/** A shell puts what is offered into the line as it is: nothing that it would read otherwise. */
const PLAIN_WORD = /^[\w.:@/+-]+$/;

/** The flags of `ClientFlags`. */
const PLACE: readonly string[] = ['profile', 'base_url', 'api_key', 'admin_token'];

export interface Candidate {
  value: string;
  says: string;
}

/** What may stand in place of `current`, after the words before it. */
export async function candidates(
  program: Command, current: string, before: readonly string[]): Promise<Candidate[]> {
  let command = program;
  let waiting: Option | undefined;
  let given = 0;
  for (const word of before) {
    if (waiting !== undefined) waiting = undefined;
    else if (word.startsWith('-') && word !== '-') waiting = takesValue(command, word);
    else {
      const below = command.commands.find((one) => namesOf(one).includes(word));
      if (below === undefined) given++;
      else [command, given] = [below, 0];
    }
  }
  const place = placeOf(before);
  // A flag and its value as one word.
  const [begun = '', flag = ''] = waiting ? [] : /^(--[a-z-]+)=/.exec(current) ?? [];
  const option = waiting ?? takesValue(command, flag);
  const all = option !== undefined ? await valuesOf(option, place)
    : current.startsWith('-') ? flagsOf(command, before)
      : command.commands.length > 0 ? command.commands.flatMap((one) => namesOf(one).map((value) =>
        ({ value, says: one.summary() })))
        : await argumentsOf(command, given, place);
  return all.filter(({ value }) => PLAIN_WORD.test(value))
    .map(({ value, says }) => ({ value: begun + value, says }))
    .filter(({ value }) => value.startsWith(current));
}

/** One to a line: the value, and after a tab what it is, if that is said. */
export function candidateLines(found: readonly Candidate[]): string {
  return found.map(({ value, says }) =>
    `${value}${says === '' ? '' : `\t${oneLine(says, SAYS_CHARACTERS)}`}\n`).join('');
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function takesValue(command: Command, word: string): Option | undefined {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option?.required === true ? option : undefined;
}

function flagsOf(command: Command, before: readonly string[]): Candidate[] {
  const used = ({ long, short, parseArg }: Option) => parseArg === undefined
    && before.some((word) => word === long || word === short);
  return [...command.options.filter((option) => !option.hidden && !used(option))
    .map(({ long, short, description }) => ({ value: long ?? short!, says: description })),
  { value: '--help', says: 'how it is used' }];
}

/** Which service the words before name, and as whom: ids of another one are of no use. */
function placeOf(before: readonly string[]): ClientFlags {
  return Object.fromEntries(before.flatMap((word, at) => {
    const [, flag = '', value = before[at + 1]] = /^--([a-z-]+)(?:=(.*))?$/.exec(word) ?? [];
    const name = flag.replace('-', '_');
    return PLACE.includes(name) && value !== undefined ? [[name, value]] : [];
  }));
}

async function valuesOf(option: Option, place: ClientFlags): Promise<Candidate[]> {
  const { long } = option;
  const choices = choicesOf(option);
  if (choices !== undefined) return choices;
  if (long === '--profile') return profileNames();
  return await idsFor(
    long === '--session' ? 'session_id' : long === '--run' ? 'run_id' : '', place);
}

async function argumentsOf(
  command: Command, given: number, place: ClientFlags): Promise<Candidate[]> {
  const all = command.registeredArguments;
  const argument = all[given] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (argument === undefined) return [];
  if (command.parent?.name() === 'profiles') return profileNames();
  return choicesOf(argument) ?? await idsFor(argument.name(), place);
}

function choicesOf({ argChoices }: Option | Argument): Candidate[] | undefined {
  return argChoices?.map((value) => ({ value, says: '' }));
}

function profileNames(): Candidate[] {
  const { byName } = readProfiles(profilesFile(readClientEnvironment()));
  return [...byName].map(([value, { base_url }]) => ({ value, says: base_url }));
}

/** The newest of what an argument names, as the service has it. */
async function idsFor(name: string, place: ClientFlags): Promise<Candidate[]> {
  const newest = async <P extends keyof paths>(
    as: Credential, path: P, shown: (item: ItemOf<P>) => [value: string, says: string],
    query?: QueryOf<P>): Promise<Candidate[]> => {
    const client = new Client(resolveProfile(place, readClientEnvironment()), { as });
    const { data } = await client.upTo(
      path, query, IDS, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return data.map(shown).map(([value, says]) => ({ value, says }));
  };
  switch (name) {
    case 'run_id': return await newest('api_key', '/runs',
      (run) => [run.id, `${run.status} ${promptOf(run)}`]);
    case 'session_id': return await newest('api_key', '/sessions',
      ({ id, title, created_at }) => [id, title ?? created_at]);
    case 'invocation_id': return await newest('api_key', '/action_invocations',
      ({ invocation_id, status, action }) => [invocation_id, `${status} ${action}`]);
    case 'connection_id': return await newest('admin_token', '/admin/connections',
      ({ id, integration, account_label }) => [id, `${integration} ${account_label ?? ''}`]);
    case 'grant_id': return await newest('admin_token', '/admin/grants',
      ({ id, decision, actions }) => [id, `${decision} ${actions}`]);
    case 'approval_id': return await newest('admin_token', '/admin/approvals',
      ({ id, action }) => [id, action], { status: 'pending' });
    case 'slug': return await newest('admin_token', '/admin/integrations',
      ({ slug, title }) => [slug, title]);
    default: return [];
  }
}
