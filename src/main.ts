/** The `gatehouse` command. The service's rooms are loaded by the commands that need them. */
import { runProgram } from './cli/program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader, such as `head` in `gatehouse events … | head`, has seen enough.
  if (error.code === 'EPIPE' && process.argv[2] !== 'serve') process.exit(0);
});

const exit_code = await runProgram(process.argv, () => import('./service.ts'));
// The process ends once a pipe has taken all that was written, even if connections are open.
await new Promise((resolve) => process.stdout.write('', resolve));
process.exit(exit_code);
