/** What a run is asked: a prompt, files, and standard input. */
import type { Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { inputName, readText, STANDARD_INPUT } from './readText.ts';

/** So many parts the API takes in one item. */
const MOST_PARTS = 64;

/**
 * The input of a run: the prompt first, then each file under its name. A lone file is the prompt
 * itself. Throws Failure for what is empty, no text, or cannot be read.
 */
export async function runInput(
  prompt: string | undefined, files: readonly string[]): Promise<Schemas['InputItem'][]> {
  const sources = [...(prompt === undefined ? [] : [prompt]), ...files];
  if (sources.length === 0) {
    throw new Failure('There is no prompt. Say what to do, or give --file, or - for standard'
      + ' input.', EXIT.usage);
  }
  if (sources.length > MOST_PARTS) {
    throw new Failure(`A run takes ${MOST_PARTS} texts at most, with the prompt.`, EXIT.usage);
  }
  if (sources.filter((one) => one === STANDARD_INPUT).length > 1) {
    throw new Failure('Standard input can be read once.', EXIT.usage);
  }
  const texts: string[] = [];
  if (prompt !== undefined) {
    const text = prompt === STANDARD_INPUT ? await textOf(prompt) : prompt;
    if (text.trim() === '') throw new Failure('The prompt is empty. Say what to do.', EXIT.usage);
    texts.push(text);
  }
  for (const file of files) {
    const text = await textOf(file);
    texts.push(sources.length === 1 ? text : `${inputName(file)}:\n\n${text}`);
  }
  return [{ role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) }];
}

/** What a file holds. Throws Failure if that is nothing, or no text. */
async function textOf(file: string): Promise<string> {
  const text = await readText(file);
  if (text.trim() !== '') return text;
  throw new Failure(`${inputName(file)} is empty.`, EXIT.usage);
}
