import { Command, CommanderError } from 'commander';
import { readClientEnvironment, VERSION } from '../config.ts';
import { addActionCommands } from './actionCommands.ts';
import { addAdminTokenCommands } from './adminTokenCommands.ts';
import { addAuditCommands } from './auditCommands.ts';
import type { Call } from './command.ts';
import { addConnectionCommands } from './connectionCommands.ts';
import { addDoctorCommand } from './doctorCommand.ts';
import { EXIT, Failure } from './failure.ts';
import { addApprovalCommands, addGrantCommands } from './grantCommands.ts';
import { addIntegrationCommands } from './integrationCommands.ts';
import { callable } from './invocation.ts';
import { addKeyCommands } from './keyCommands.ts';
import { addCancelCommand, addEventsCommand, addRunCommand } from './runCommands.ts';
import { addServeCommand } from './serveCommand.ts';
import type { LoadService } from './serviceModule.ts';
import { addSetupCommand } from './setupCommand.ts';
import { safeText } from './terminal.ts';
import { addWorkspaceCommands } from './workspaceCommands.ts';

/** In the order of --help. */
const COMMANDS = [
  addServeCommand, addSetupCommand, addDoctorCommand, addRunCommand, addCancelCommand,
  addEventsCommand, addActionCommands, addKeyCommands, addAdminTokenCommands,
  addWorkspaceCommands, addIntegrationCommands, addConnectionCommands, addGrantCommands,
  addApprovalCommands, addAuditCommands,
];

/** Runs the command line and gives the exit code. Every message has been printed then. */
export async function runProgram(argv: string[], load: LoadService): Promise<number> {
  const program = new Command('gatehouse')
    .description('Runs model-driven agents, durably, with a gateway that holds the secrets.')
    .version(VERSION)
    .showHelpAfterError('(add --help for how it is used)')
    .exitOverride()
    .addHelpText('after', '\nExample:\n  gatehouse serve\n'
      + '  gatehouse run "Which sessions do I have?" --follow');
  let exit_code: number = EXIT.ok;
  const call: Call = {
    load,
    callable: (message, data_dir) =>
      callable(message, program.commands.map((command) => command.name()), data_dir),
    onEnd: (code) => { exit_code = code; },
  };
  for (const addTo of COMMANDS) addTo(program, call);
  try {
    await program.parseAsync(argv);
    return exit_code;
  } catch (error) {
    // Commander has printed the message. Its exit code is 0 if somebody asked for help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { data_dir } = readClientEnvironment();
    process.stderr.write(`${safeText(call.callable((error as Error).message, data_dir))}\n`);
    return error instanceof Failure ? error.exit_code : EXIT.failed;
  }
}
