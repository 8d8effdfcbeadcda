import { isObject, parseJson, type JsonObject } from '../json.ts';
import { EXIT, Failure } from './failure.ts';
import { readText, STANDARD_INPUT } from './readText.ts';

/**
 * The JSON object that a flag gives: as its text, as @file, or as - for standard input. Throws
 * Failure if it is none, or cannot be read.
 */
export async function jsonObject(
  given: string, { what, example }: { what: string; example: string },
): Promise<JsonObject> {
  const text = given === STANDARD_INPUT ? await readText(given)
    : given.startsWith('@') ? await readText(given.slice(1)) : given;
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new Failure(`${what} must be a JSON object, such as '${example}'.`, EXIT.usage);
}
