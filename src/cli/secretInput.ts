import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT, Failure } from './failure.ts';
import { readText, STANDARD_INPUT } from './readText.ts';

const LIMIT_BYTES = 1_048_576;

/**
 * Secrets: typed at prompts that do not show them, one for each question, or all of standard input
 * where no person types, without the end of its last line. Never an argument, which other users of
 * the machine and the shell's history would see. Throws Failure if a prompt is left by Ctrl-C or
 * Ctrl-D.
 */
export async function readSecrets(questions: readonly string[]): Promise<string> {
  if (!process.stdin.isTTY) {
    return (await readText(STANDARD_INPUT, LIMIT_BYTES)).replace(/\r?\n$/, '');
  }
  const nowhere = new Writable({ write: (_chunk, _encoding, onDone) => onDone() });
  const reader = createInterface({
    input: process.stdin, output: nowhere, terminal: true, historySize: 0,
  });
  reader.once('SIGINT', () => reader.close());
  // It keeps the lines that are pasted before they are asked for.
  const lines = reader[Symbol.asyncIterator]();
  const typed: string[] = [];
  try {
    for (const question of questions) {
      process.stderr.write(`${question}: `);
      const { value, done } = await lines.next();
      process.stderr.write('\n');
      if (done) throw new Failure('No secret was given. Nothing was done.', EXIT.interrupted);
      typed.push(value);
    }
    return typed.join('\n');
  } finally {
    reader.close();
  }
}
