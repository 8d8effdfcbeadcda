/** The `gatehouse` command. The service's rooms are loaded by the commands that need them. */
import { runProgram } from './cli/program.ts';

/** The first two go on without a reader; `contract` ends by itself, for it has to tidy up. */
const STAYS = ['serve', 'mock', 'contract'];

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (STAYS.includes(process.argv[2] ?? '')) return;
  // The reader, such as `head` in `gatehouse runs events … | head`, has seen enough.
  if (error.code === 'EPIPE') process.exit(0);
  // A full disk, as a rule: whoever goes on with the file must not take it for whole.
  process.stderr.write(`The output could not be written: ${error.message}\n`);
  process.exit(1);
});
// Who does not read the messages may still want what was asked for.
process.stderr.on('error', () => {});

const exit_code = await runProgram(
  process.argv, () => import('./service.ts'), () => import('./mock/mock.ts'));
// The process ends once a pipe has taken all that was written, even if connections are open.
await new Promise((resolve) => process.stdout.write('', resolve));
process.exit(exit_code);
