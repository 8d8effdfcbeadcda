import { Command, CommanderError } from 'commander';
import { VERSION } from '../config.ts';
import type { Act } from './act.ts';
import { addAdminCommands } from './adminCommands.ts';
import { EXIT, Failure } from './failure.ts';
import { addRunCommands } from './runCommands.ts';
import { addServeCommand } from './serveCommand.ts';
import type { LoadService } from './serviceModule.ts';
import { addSetupCommand } from './setupCommand.ts';

/** Runs the command line and gives the exit code. Every message has been printed then. */
export async function runProgram(argv: string[], load: LoadService): Promise<number> {
  let exit_code: number = EXIT.ok;
  const program = createProgram(load, (action) => async (...args) => {
    exit_code = await action(...args);
  });
  try {
    await program.parseAsync(argv);
    return exit_code;
  } catch (error) {
    // Commander has printed its own; its exit code is 0 for help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    process.stderr.write(`${(error as Error).message}\n`);
    return error instanceof Failure ? error.exit_code : EXIT.failed;
  }
}

function createProgram(load: LoadService, act: Act): Command {
  const program = new Command('gatehouse')
    .description('Runs model-driven agents, durably, with a gateway that holds the secrets.')
    .version(VERSION)
    .showHelpAfterError('(add --help for how it is used)')
    .exitOverride()
    .addHelpText('after', '\nExample:\n  gatehouse serve\n'
      + '  gatehouse run "Which sessions do I have?" --follow');
  addServeCommand(program, act, load);
  addSetupCommand(program, act, load);
  addRunCommands(program, act);
  addAdminCommands(program, act);
  return program;
}
