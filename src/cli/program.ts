import { Command, CommanderError, Help, type Option } from 'commander';
import { readClientEnvironment, VERSION } from '../config.ts';
import type { Act } from './act.ts';
import { addActionCommands } from './actionCommands.ts';
import { addAuditCommands } from './auditCommands.ts';
import { addConnectionCommands } from './connectionCommands.ts';
import { addDoctorCommand } from './doctorCommand.ts';
import { EXIT, Failure } from './failure.ts';
import { addGrantCommands } from './grantCommands.ts';
import { addIntegrationCommands } from './integrationCommands.ts';
import { callable } from './invocation.ts';
import { addKeyCommands } from './keyCommands.ts';
import { addRunCommands } from './runCommands.ts';
import { addServeCommand } from './serveCommand.ts';
import type { LoadService } from './serviceModule.ts';
import { addSetupCommand } from './setupCommand.ts';
import { addWorkspaceCommands } from './workspaceCommands.ts';

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
    const names = program.commands.map((command) => command.name());
    const message = callable((error as Error).message, names, readClientEnvironment().data_dir);
    process.stderr.write(`${message}\n`);
    return error instanceof Failure ? error.exit_code : EXIT.failed;
  }
}

/** Options that may be repeated begin with an empty list, which says nothing to a reader. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: [])', '');
}

function createProgram(load: LoadService, act: Act): Command {
  const program = new Command('gatehouse')
    .description('Runs model-driven agents, durably, with a gateway that holds the secrets.')
    .version(VERSION)
    .configureHelp({ optionDescription })
    .showHelpAfterError('(add --help for how it is used)')
    .exitOverride()
    .addHelpText('after', '\nExample:\n  gatehouse serve\n'
      + '  gatehouse run "Which sessions do I have?" --follow');
  addServeCommand(program, act, load);
  addSetupCommand(program, act, load);
  addDoctorCommand(program, act, load);
  addRunCommands(program, act);
  addActionCommands(program, act);
  addKeyCommands(program, act, load);
  addWorkspaceCommands(program, act);
  addIntegrationCommands(program, act);
  addConnectionCommands(program, act);
  addGrantCommands(program, act);
  addAuditCommands(program, act);
  return program;
}
