/** What stands before a key in the header Authorization, where only prose of a document says it. */
import type { Schemas } from '../../../generated/types.ts';

const QUOTED = /["'`“]([A-Za-z][A-Za-z-]{1,30}) ?["'`”]/.source;
/** As drf-spectacular, Swashbuckle, swaggo and people have it, in this order. */
const SAID = [
  new RegExp(`\\bprefix(?:ed)?(?: (?:is|of|with|by))?:? ${QUOTED}`, 'i'),
  new RegExp(`${QUOTED} ?(?:\\[space\\]|followed by)`, 'i'),
  /\b(Bearer|Token) [<{[]/,
  /\b(Bearer) (?:[Ss]cheme|[Tt]oken|[Aa]uth)/,
];
/** Before it in its sentence: `without the Bearer prefix`. */
const DENIED = /\b(?:no|not|never|without|omit|instead)\b[^.]*$/i;

/**
 * The word that the description of a scheme says, if its key is all of that header (`Type "Bearer"
 * followed by a space and the token`); undefined for another place, or if `value` begins with it.
 */
export function keyPrefix(
  { placement, description }: Schemas['SecurityScheme'], value: string): string | undefined {
  if (placement?.in !== 'header' || placement.name.toLowerCase() !== 'authorization') return;
  const text = (description ?? '').replace(/\s+/g, ' ');
  const said = SAID.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  const word = said?.[1];
  if (!said || !word || DENIED.test(text.slice(0, said.index + said[0].indexOf(word)))) return;
  if (value.toLowerCase().startsWith(`${word.toLowerCase()} `)) return;
  return word;
}
