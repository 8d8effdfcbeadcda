import { Option, type Command } from 'commander';
import { readClientEnvironment } from '../config.ts';
import { EXIT } from './failure.ts';
import { addHelpText, type HelpText } from './helpText.ts';
import { flag, type Input, type Inputs, type InputValues } from './inputs.ts';
import type { Credential } from './profile.ts';
import type { LoadMock, LoadService } from './serviceModule.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

/** What every command gets of the call of the program. */
export interface Call {
  load: LoadService;
  loadMock: LoadMock;
  /** Rewrites the commands that a message names so that a person can paste them. */
  callable(message: string, data_dir: string): string;
  onEnd(exit_code: number): void;
}

/** Adds a command to the program or to a group. */
export type AddCommand = (parent: Command, call: Call) => void;

export interface Help extends HelpText {
  /** Another name of it. */
  alias?: string;
  summary: string;
  description: string;
}

interface CommandSpec<I extends Inputs, C> extends Help {
  inputs?: I;
  /** Gives the exit code if it is not 0. Throws Failure. */
  run(context: C, values: InputValues<I>): Promise<number | void>;
}

const PLACE = {
  profile: flag('--profile <name>', 'the profile of `gatehouse login` to use'),
  base_url: flag('--base-url <url>', 'the service, such as http://127.0.0.1:3000/v1'),
};

/** The flags of every client of the workspace. */
export const AS_APPLICATION = {
  ...PLACE,
  api_key: flag('--api-key <key>',
    'the api key (better set GATEHOUSE_API_KEY: others see flags)'),
};

/** The flags of every operator's command: --help shows them last, or where its inputs do. */
export const AS_ADMIN = {
  ...PLACE,
  admin_token: flag('--admin-token <token>',
    'the admin token (better set GATEHOUSE_ADMIN_TOKEN: others see flags)'),
};

/** The flags of commands that work with the service's own code, on its database. */
export const ON_DATABASE = {
  database_url: flag('--database-url <url>', 'as DATABASE_URL'),
  data_dir: flag('--data-dir <folder>', 'as GATEHOUSE_DATA_DIR'),
};

/** The flag of what is made in a workspace. */
export const FOR_WORKSPACE = flag('-w, --workspace <id>',
  'the workspace; that of GATEHOUSE_WORKSPACE, the profile or credentials.json if left out');

/** Makes a command of a client of the workspace, with an api key. */
export const clientCommand = remote('api_key', AS_APPLICATION);

/** Makes a command of an operator, with the admin token. */
export const adminCommand = remote('admin_token', AS_ADMIN);

/** Makes a command that works on this machine, with the service's own code. */
export function localCommand<I extends Inputs>(
  name: string, spec: CommandSpec<I, Call & { terminal: Terminal }>): AddCommand {
  return (parent, call) => {
    const command = withHelp(parent.command(name), spec);
    const inputs = Object.entries<Input<unknown>>(spec.inputs ?? {});
    for (const [, { as }] of inputs) {
      if (as instanceof Option) command.addOption(as);
      else command.addArgument(as);
    }
    command.option('-q, --quiet', 'print what was asked for alone: no hints, no waiting');
    command.action(async () => {
      const [options, words] = [command.opts(), [...command.processedArgs]];
      const values = inputs.map(([key, { as }]) =>
        [key, as instanceof Option ? options[as.attributeName()] : words.shift()]);
      const terminal = processTerminal(readClientEnvironment(), options.quiet);
      call.onEnd(await spec.run({ ...call, terminal },
        Object.fromEntries(values.filter(([, value]) => value !== undefined))) ?? EXIT.ok);
    });
  };
}

/** Makes a command that only holds others. */
export function group(name: string, help: Help, commands: AddCommand[]): AddCommand {
  return (parent, call) => {
    const command = withHelp(parent.command(name), help);
    for (const addTo of commands) addTo(command, call);
  };
}

/** What counts where no flag says which service is meant, and as whom: for --help. */
export function withoutFlags(as: Credential): string {
  return 'Without flags, environment variables count (GATEHOUSE_BASE_URL,'
    + ` GATEHOUSE_${as.toUpperCase()}), then`
    + ' the profile of GATEHOUSE_PROFILE or `gatehouse profiles use`, or, where there is none,'
    + ' credentials.json in GATEHOUSE_DATA_DIR (.gatehouse), which the first start writes.';
}

function remote(as: Credential, flags: Inputs) {
  const place = withoutFlags(as);
  return <I extends Inputs>(name: string, spec: CommandSpec<I, Workplace>) =>
    localCommand<Inputs>(name, {
      ...spec, inputs: { ...spec.inputs, ...flags },
      notes: spec.notes === undefined ? place : `${place}\n\n${spec.notes}`,
      run: (call, { profile, base_url, api_key, admin_token, ...values }) => spec.run(
        openWorkplace(call, { profile, base_url, api_key, admin_token }, as),
        values as InputValues<I>),
    });
}

function withHelp(
  command: Command, { alias, summary, description, ...text }: Help): Command {
  if (alias !== undefined) command.alias(alias);
  return addHelpText(command.summary(summary).description(description), text);
}
