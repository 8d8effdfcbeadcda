import { isObject, parseNoticing, roundedIn, type JsonObject } from '../json.ts';
import { EXIT, Failure } from './failure.ts';
import { textGiven } from './readText.ts';
import { oneLine } from './terminal.ts';

/**
 * The JSON object that a flag gives: as its text, as @file, or as - for standard input. Throws
 * Failure if it is none, cannot be read, or has an integer that would be sent as another one.
 */
export async function jsonObject(
  given: string, { what, example }: { what: string; example: string },
): Promise<JsonObject> {
  const text = await textGiven(given);
  const wrong = (why = '') => new Failure(
    `${what} must be a JSON object, such as '${example}'.${why}`, EXIT.usage);
  let value: unknown;
  try {
    value = parseNoticing(text);
  } catch (error) {
    // Without the piece of the text that Node.js quotes: a secret may be in it.
    const why = (error as Error).message.replace(/, (?:\.{3})?".*/s, '');
    throw wrong(` It is no JSON: ${oneLine(why, 200)}`);
  }
  const rounded = roundedIn(value);
  if (rounded) throw new Failure(`${what}: ${rounded.path} ${rounded.message}.`, EXIT.usage);
  if (isObject(value)) return value;
  throw wrong();
}
