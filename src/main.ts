/** The `gatehouse` command. The service's rooms are loaded by the commands that need them. */
import { runProgram } from './cli/program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `gatehouse events … | head`: whoever read has seen enough.
  if (error.code === 'EPIPE' && process.argv[2] !== 'serve') process.exit(0);
});

const exit_code = await runProgram(process.argv, () => import('./service.ts'));
// A pipe may take what was written later; only then may the process end, whatever else is open.
await new Promise((resolve) => process.stdout.write('', resolve));
process.exit(exit_code);
