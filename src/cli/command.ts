import { Option, type Command } from 'commander';
import { readClientEnvironment } from '../config.ts';
import { EXIT } from './failure.ts';
import { flag, type Input, type Inputs, type Values } from './inputs.ts';
import type { Credential } from './profile.ts';
import type { LoadService } from './serviceModule.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

/** What every command gets of the call of the program. */
export interface Call {
  load: LoadService;
  /** Rewrites the commands that a message names so that a person can paste them. */
  callable(message: string, data_dir: string): string;
  onEnd(exit_code: number): void;
}

/** Adds a command to the program or to a group. */
export type AddCommand = (parent: Command, call: Call) => void;

export interface Help {
  summary: string;
  description: string;
  /** What --help says before the example. */
  notes?: string;
  /** Whole command lines. */
  example: string;
}

interface CommandSpec<I extends Inputs, C> extends Help {
  inputs?: I;
  /** Gives the exit code if it is not 0. Throws Failure. */
  run(context: C, values: Values<I>): Promise<number | void>;
}

const BASE_URL = flag('--base-url <url>', 'the service, such as http://127.0.0.1:3000/v1');

/** The flags of every client of the workspace. */
const AS_APPLICATION = {
  base_url: BASE_URL,
  api_key: flag('--api-key <key>',
    'the api key (better set GATEHOUSE_API_KEY: others see flags)'),
};

/** The flags of every operator's command: --help shows them last, or where its inputs do. */
export const AS_ADMIN = {
  base_url: BASE_URL,
  admin_token: flag('--admin-token <token>',
    'the admin token (better set GATEHOUSE_ADMIN_TOKEN: others see flags)'),
};

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
    command.action(async () => {
      const [options, words] = [command.opts(), [...command.processedArgs]];
      const values = inputs.map(([key, { as }]) =>
        [key, as instanceof Option ? options[as.attributeName()] : words.shift()]);
      const terminal = processTerminal(readClientEnvironment());
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

function remote(as: Credential, flags: Inputs) {
  const place = 'Without flags, environment variables count (GATEHOUSE_BASE_URL,'
    + ` GATEHOUSE_${as.toUpperCase()}), then\n`
    + 'credentials.json in GATEHOUSE_DATA_DIR (.gatehouse), which the first start writes.';
  return <I extends Inputs>(name: string, spec: CommandSpec<I, Workplace>) =>
    localCommand<Inputs>(name, {
      ...spec, inputs: { ...spec.inputs, ...flags },
      notes: spec.notes === undefined ? place : `${place}\n\n${spec.notes}`,
      run: (_call, { base_url, api_key, admin_token, ...values }) =>
        spec.run(openWorkplace({ base_url, api_key, admin_token }, as), values as Values<I>),
    });
}

function withHelp(command: Command, { summary, description, notes, example }: Help): Command {
  return command.summary(summary).description(description).addHelpText('after',
    `${notes === undefined ? '' : `\n${notes}\n`}\nExample:\n  ${example}`);
}
