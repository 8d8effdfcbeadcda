/** A process of `oneProcess.ts`: it is told command lines, and tells how each of them has ended. */
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../src/cli/program.ts';
import type { Order } from './oneProcess.ts';
import type { Ended } from './support.ts';

class Kept extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, onDone: () => void): void {
    this.#chunks.push(chunk);
    onDone();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

process.on('message', (order: Order) => {
  void run(order).then((ended) => process.send!(ended));
});
process.on('disconnect', () => process.exit());

async function run({ args, cwd, env, input, columns }: Order): Promise<Ended> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [out, err] = [new Kept(), new Kept()];
  if (columns > 0) for (const each of [out, err]) Object.assign(each, { isTTY: true, columns });
  for (const [name, stream] of Object.entries({
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]), stdout: out, stderr: err,
  })) Object.defineProperty(process, name, { value: stream, configurable: true });
  const code = await runProgram(['node', 'gatehouse', ...args],
    () => import('../../src/service.ts'), () => import('../../src/mock/mock.ts'));
  return { code, out: out.text(), err: err.text() };
}
