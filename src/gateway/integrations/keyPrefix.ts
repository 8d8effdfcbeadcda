/** What stands before a key in the header Authorization, where only prose of a document says it. */
import type { Schemas } from '../../../generated/types.ts';

const QUOTED = /["'`“]([A-Za-z][A-Za-z-]{1,30}) ?["'`”]/.source;
/** As drf-spectacular, Swashbuckle and the example of swaggo have it, in this order. */
const SAID = [
  new RegExp(`\\bprefix(?:ed)?(?: (?:is|of|with|by))?:? ${QUOTED}`, 'i'),
  new RegExp(`${QUOTED} ?(?:\\[space\\]|followed by)`, 'i'),
  /\b(Bearer|Token) [<{[]/,
  /\b(Bearer)\b/,
];

/**
 * The word that the description of a scheme says, if its key is all of that header (`Type "Bearer"
 * followed by a space and the token`); undefined for another place, or if `value` begins with it.
 */
export function keyPrefix(
  { placement, description }: Schemas['SecurityScheme'], value: string): string | undefined {
  if (placement?.in !== 'header' || placement.name.toLowerCase() !== 'authorization') return;
  const text = (description ?? '').replace(/\s+/g, ' ');
  const word = SAID.map((pattern) => pattern.exec(text)?.[1]).find((said) => said !== undefined);
  if (word === undefined || value.toLowerCase().startsWith(`${word.toLowerCase()} `)) return;
  return word;
}
