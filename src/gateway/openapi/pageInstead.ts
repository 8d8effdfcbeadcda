/** A page for people, come in place of the data that a document promises. */
import { isObject, listOf, objectOf, type JsonObject } from '../../json.ts';
import type { UpstreamResponse } from '../egress/upstream.ts';
import { resolve } from '../schema/references.ts';
import { isSuccess } from './readAnswer.ts';

/**
 * Whether a successful answer is a page where an object or a list is promised. JSON is what was
 * asked for, so this is a page where people sign in, to which a redirect has led, or the start page
 * that an application shows at every address that it does not know.
 */
export function isPageInstead(
  response: Pick<UpstreamResponse, 'status' | 'headers'>, result: unknown,
  promised: JsonObject | null): boolean {
  return isSuccess(response) && typeof result === 'string' && result.trimStart().startsWith('<')
    && /^text\/html\b/i.test(response.headers['content-type'] ?? '')
    && promised !== null && isStructure(promised, promised);
}

/**
 * Documents made of code often leave open what a page is (`{}`), or call it a text. `seen`: a
 * schema may be made of itself, and many times over.
 */
function isStructure(
  schema: JsonObject, whole: JsonObject, seen = new Set<JsonObject>()): boolean {
  const found = resolve(whole, schema);
  if (seen.has(found)) return false;
  seen.add(found);
  const { type, properties, allOf, anyOf, oneOf } = found;
  const types = [type].flat().filter((one) => one !== undefined && one !== 'null');
  const isOne = (part: unknown) => isObject(part) && isStructure(part, whole, seen);
  const isEach = (parts: unknown) => {
    const some = listOf(parts).filter((part) => objectOf(part).type !== 'null');
    return some.length > 0 && some.every(isOne);
  };
  return (types.length > 0 && types.every((one) => one === 'object' || one === 'array'))
    || isObject(properties) || listOf(allOf).some(isOne) || isEach(anyOf) || isEach(oneOf);
}
