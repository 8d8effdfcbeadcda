/** Which programs of this machine may be started as MCP servers. */
import { parseJson } from '../../json.ts';

/** A command as an operator wants to have it started. */
export interface WantedCommand {
  command: string;
  args?: readonly string[] | undefined;
  /** The environment variables that it is to be given. */
  env_names: readonly string[];
}

interface AllowedCommand {
  env_names: ReadonlySet<string>;
  /** The command and its arguments. */
  words: readonly string[];
  /** Whether any arguments may follow. */
  more: boolean;
}

const VARIABLE = /^([A-Za-z_]\w*)=$/;
const WORDS_HELP = 'GATEHOUSE_MCP_STDIO must be commands by commas, such as'
  + ' "TOKEN= npx -y @example/server, /opt/server *", or a JSON array of arrays of words.';

/**
 * The commands that GATEHOUSE_MCP_STDIO names. An MCP server that is a process has the rights of
 * the service on its machine, so that who holds an admin token must not choose it alone. Variables
 * are named too: NODE_OPTIONS, PATH or LD_PRELOAD would make another program of the command.
 */
export class AllowedCommands {
  readonly #allowed: readonly AllowedCommand[];

  /** Throws an Error that says what the setting must be. Null and '' allow nothing. */
  constructor(setting: string | null) {
    this.#allowed = wordsOf(setting?.trim() ?? '').map(allowedCommand);
  }

  has({ command, args = [], env_names }: WantedCommand): boolean {
    const wanted = [command, ...args];
    return this.#allowed.some((one) => env_names.every((name) => one.env_names.has(name))
      && (one.more ? wanted.length >= one.words.length : wanted.length === one.words.length)
      && one.words.every((word, index) => word === wanted[index]));
  }

  /** What has to be added to the setting so that the command may be started. */
  static entryFor({ command, args = [], env_names }: WantedCommand): string {
    const words = [...env_names.map((name) => `${name}=`), command, ...args];
    const plain = words.every((word) => /^[^\s,"[*]+$/.test(word));
    return plain ? words.join(' ') : JSON.stringify(words);
  }
}

/** The words of each entry. */
function wordsOf(setting: string): string[][] {
  if (!setting.startsWith('[')) {
    return setting.split(',').map((entry) => entry.split(/\s+/).filter((word) => word !== ''))
      .filter((words) => words.length > 0);
  }
  const entries = parseJson(setting);
  const right = Array.isArray(entries) && entries.every((words) =>
    Array.isArray(words) && words.every((word) => typeof word === 'string'));
  if (!right) throw new Error(WORDS_HELP);
  return entries as string[][];
}

function allowedCommand(words: string[]): AllowedCommand {
  const begin = words.findIndex((word) => !VARIABLE.test(word));
  const command = begin === -1 ? [] : words.slice(begin);
  const more = command.at(-1) === '*';
  if (more) command.pop();
  // A star alone would leave the choice to the holder of an admin token again.
  if (command.length === 0 || command[0] === '' || command[0] === '*') {
    throw new Error(`${WORDS_HELP} An entry of it names no command.`);
  }
  return {
    env_names: new Set(words.slice(0, begin).map((word) => VARIABLE.exec(word)![1]!)),
    words: command, more,
  };
}
