import { isObject, parseNoticing, roundedIn, type JsonObject } from '../json.ts';
import { EXIT, Failure } from './failure.ts';
import { textGiven } from './readText.ts';

/**
 * The JSON object that a flag gives: as its text, as @file, or as - for standard input. Throws
 * Failure if it is none, cannot be read, or has an integer that would be sent as another one.
 */
export async function jsonObject(
  given: string, { what, example }: { what: string; example: string },
): Promise<JsonObject> {
  const value = parsed(await textGiven(given));
  const rounded = roundedIn(value);
  if (rounded) throw new Failure(`${what}: ${rounded.path} ${rounded.message}.`, EXIT.usage);
  if (isObject(value)) return value;
  throw new Failure(`${what} must be a JSON object, such as '${example}'.`, EXIT.usage);
}

function parsed(text: string): unknown {
  try {
    return parseNoticing(text);
  } catch {
    return undefined;
  }
}
