/** The parameters of operations as documents declare them, whatever those have in their places. */
import { textOf, wordOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';

/** Name and place are texts: '' and `nowhere` where the document has none. */
export type DeclaredParameter = JsonObject & { name: string, in: string };

/** Those of OpenAPI 3 and, last, of Swagger 2.0 alone. */
const PLACES = ['path', 'query', 'header', 'cookie', 'querystring', 'body', 'formData'];
/** RFC 9110's token. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Those of path items and operations; none of what is no list, and nothing of empty entries. */
export function readParameters(
  document: JsonObject, ...lists: readonly unknown[]): DeclaredParameter[] {
  return lists.filter(Array.isArray).flat().map((item) => resolve(document, item))
    .filter((found) => Object.keys(found).length > 0)
    .map((found) => ({ ...found, name: wordOf(found.name) ?? '', in: placeOf(found.in) }));
}

/** `Query` is nothing else than `query`. */
function placeOf(value: unknown): string {
  const said = textOf(value)?.trim().toLowerCase() ?? '';
  return PLACES.find((place) => place.toLowerCase() === said) ?? 'nowhere';
}

/** What no request can have of it, in a sentence; undefined: one can. `places`: of requests. */
export function unusableParameter(
  { name, in: place }: DeclaredParameter, places: readonly string[]): string | undefined {
  if (name === '') return 'A parameter has no name and is left out';
  const why = place === 'nowhere' ? 'says no place (`in`) that there is'
    : !places.includes(place) ? `has the place ${place}, which OpenAPI 3.1 does not know,`
      : place === 'header' && !HEADER_NAME.test(name) ? 'has a name that no header can have' : null;
  return why === null ? undefined : `The parameter ${name} ${why} and is left out`;
}
