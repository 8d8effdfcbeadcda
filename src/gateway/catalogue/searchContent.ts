/** What of a query says what something holds or is about, not what is to be done, nor where. */
import { isProduct } from './searchProducts.ts';
import { isEmptyWord, stemOf, wordsOf } from './searchWords.ts';

/** What follows says what something holds, whatever stands before it. */
const CONTENT_FOLLOWS =
  /(?<=\S\s)(?:about|called|entitled|named|regarding|saying|says|that|titled)\s/i;
/** What follows does so if what stands before it says to what something is to be done. */
const DETAIL_FOLLOWS = /(?<=\S):\s|(?<=\S)\s[-–—]\s/;
const QUOTED = new RegExp('(?<=\\S\\s)(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»'
  + '|‘(?:[^’]|’(?=\\p{L}))*’|\'(?:[^\']|\'(?=\\p{L}))*\')', 'gu');
const PURPOSE_FOLLOWS = /(?<=\S\s)for\s/i;
const PLACE_FOLLOWS = new Set(['from', 'in', 'into', 'on', 'onto', 'to', 'via']);
const DETERMINERS = new Set(['a', 'an', 'my', 'our', 'that', 'the', 'this', 'your']);

export interface Content {
  /** The stems of what is asked for. */
  asked: ReadonlySet<string>;
  /** The stems of what stands before all that is told of it. */
  object: ReadonlySet<string>;
  /** Of what is asked for only if no action knows anything of `object`. */
  details: ReadonlySet<string>;
}

/** What of a query is asked for. What it says besides, in none of these, is content. */
export function contentOf(text: string): Content {
  const quoted: string[] = [];
  const unquoted = text.replace(QUOTED, (part) => {
    // `in "Salesforce"` is a place.
    if (wordsOf(part).length === 1 && isProduct(part.slice(1, -1).toLowerCase())) return part;
    quoted.push(part);
    return ' ';
  }).split(CONTENT_FOLLOWS, 1)[0]!;
  const [before, detail] = cutAt(unquoted, DETAIL_FOLLOWS);
  const [main, purpose] = cutAt(before, PURPOSE_FOLLOWS);
  const object = new Set(wordsOf(main));
  const about = aboutIn(purpose);
  const asked = new Set([...object, ...wordsOf(purpose).filter((stem) => !about.has(stem))]);
  const details = new Set([...about, ...wordsOf(`${detail} ${quoted.join(' ')}`)]);
  return { asked, object, details: details.difference(asked) };
}

function cutAt(text: string, mark: RegExp): [before: string, after: string] {
  const found = mark.exec(text);
  return found === null ? [text, '']
    : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

/**
 * The stems of what follows `for` that only say what something is about, because a product is named
 * there that is not the place: `for the Stripe webhook failure`. `for Stripe` may mean the place,
 * and `in Stripe` does. Without a product it is asked for like all else: of 140 intents outside of
 * all, two less were refused when it was not (`find a recipe for lentil soup`).
 */
function aboutIn(purpose: string): ReadonlySet<string> {
  const words = purpose.toLowerCase().match(/[\p{L}\p{N}]+|[,.;:!?]/gu) ?? [];
  const products = words.flatMap((word, at) => isProduct(word)
    ? { stem: stemOf(word), is_place: isPlace(words, at) } : []);
  if (products.every(({ is_place }) => is_place)) return new Set();
  const places = products.filter(({ is_place }) => is_place).map(({ stem }) => stem);
  return new Set(wordsOf(purpose)).difference(new Set(places));
}

/** Whether what is done `for` these words is done in the product that is the one at `at`. */
function isPlace(words: readonly string[], at: number): boolean {
  const before = words.slice(0, at).findLast((word) => !DETERMINERS.has(word));
  return before === undefined ? !isNoun(words[at + 1]) : PLACE_FOLLOWS.has(before);
}

function isNoun(word: string | undefined): boolean {
  return word !== undefined && /^\p{L}/u.test(word)
    && wordsOf(word).some((stem) => !isEmptyWord(stem));
}
