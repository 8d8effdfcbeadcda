import { Command, CommanderError } from 'commander';
import { readClientEnvironment, VERSION } from '../config.ts';
import { addActionCommands } from './actionCommands.ts';
import { addAdminTokenCommands } from './adminTokenCommands.ts';
import { addAuditCommands } from './auditCommands.ts';
import type { Call } from './command.ts';
import { candidateLines, candidates, COMPLETE } from './completion.ts';
import { addCompletionCommand } from './completionCommand.ts';
import { addConnectionCommands } from './connectionCommands.ts';
import { addContractCommand } from './contractCommand.ts';
import { addDashboardCommand } from './dashboardCommand.ts';
import { addDoctorCommand } from './doctorCommand.ts';
import { EXIT, Failure } from './failure.ts';
import { addApprovalCommands, addGrantCommands } from './grantCommands.ts';
import { addHelpText, layOutHelp } from './helpText.ts';
import { addIntegrationCommands } from './integrationCommands.ts';
import { callable, invocation } from './invocation.ts';
import { addInvocationCommands } from './invocationCommands.ts';
import { addKeyCommands } from './keyCommands.ts';
import { addMcpCommand } from './mcpCommand.ts';
import { addMockCommand } from './mockCommand.ts';
import { addLoginCommand, addLogoutCommand, addProfileCommands } from './profileCommands.ts';
import { addRunCommand } from './runCommand.ts';
import { addRunsCommands } from './runsCommands.ts';
import { addServeCommand } from './serveCommand.ts';
import type { LoadMock, LoadService } from './serviceModule.ts';
import { addSessionCommands } from './sessionCommands.ts';
import { addSetupCommand } from './setupCommand.ts';
import { processTerminal, safeText } from './terminal.ts';
import { addWorkspaceCommands } from './workspaceCommands.ts';

/** In the order of --help. */
const COMMANDS = [
  addServeCommand, addSetupCommand, addDashboardCommand, addDoctorCommand, addMockCommand,
  addContractCommand, addLoginCommand, addLogoutCommand, addProfileCommands, addRunCommand,
  addRunsCommands, addSessionCommands, addInvocationCommands, addActionCommands, addKeyCommands,
  addAdminTokenCommands,
  addWorkspaceCommands, addIntegrationCommands, addConnectionCommands, addGrantCommands,
  addApprovalCommands, addAuditCommands, addMcpCommand, addCompletionCommand,
];

/** Runs the command line and gives the exit code. Every message has been printed then. */
export async function runProgram(
  argv: string[], load: LoadService, loadMock: LoadMock): Promise<number> {
  const program = layOutHelp(new Command('gatehouse'))
    .description('Runs model-driven agents, durably, with a gateway that holds the secrets.')
    .version(VERSION)
    .showHelpAfterError('(add --help for how it is used)')
    .exitOverride();
  addHelpText(program, {
    example: 'gatehouse serve\n  gatehouse run "Which sessions do I have?" --follow',
  });
  let exit_code: number = EXIT.ok;
  const call: Call = {
    load, loadMock,
    callable: (message, data_dir) =>
      callable(message, program.commands.map((command) => command.name()), invocation(data_dir)),
    onEnd: (code) => { exit_code = code; },
  };
  for (const addTo of COMMANDS) addTo(program, call);
  if (argv[2] === COMPLETE) return await complete(program, argv.slice(3));
  // Its own are those of help and version alone.
  if (argv[2]?.startsWith('-')) {
    program.showHelpAfterError('(flags go behind the command: gatehouse runs list --json)');
  }
  try {
    await program.parseAsync(groupNamed(program, argv.slice(2)) ? [...argv, '--help'] : argv);
    return exit_code;
  } catch (error) {
    // Commander has printed the message. Its exit code is 0 if somebody asked for help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const environment = readClientEnvironment();
    const message = call.callable((error as Error).message, environment.data_dir);
    processTerminal(environment).err(`${safeText(message)}\n`);
    return error instanceof Failure ? error.exit_code : EXIT.failed;
  }
}

/** Answers a shell, which has no place for errors: then nothing is offered. */
async function complete(program: Command, [current = '=', ...before]: string[]): Promise<number> {
  const found = await candidates(program, current.slice(1), before).catch(() => []);
  process.stdout.write(candidateLines(found));
  return EXIT.ok;
}

/** Whether the words name a command that only holds others, or none: it shows its help. */
function groupNamed(program: Command, words: readonly string[]): boolean {
  const last = words.reduce<Command | undefined>((parent, word) =>
    parent?.commands.find((command) => command.name() === word), program);
  return last !== undefined && last.commands.length > 0;
}
