/** What somebody looks for: the words of a query, what each finds, and what it weighs. */
import { contentOf } from './searchContent.ts';
import type { IndexedSource, SearchIndex } from './searchIndex.ts';
import { indexOf } from './searchIndexes.ts';
import { isProduct, withWholeNames } from './searchProducts.ts';
import { phrasesIn, synonymsOf } from './searchSynonyms.ts';
import { saidIn, stemOf } from './searchWords.ts';

const LIMIT_CHARS = 1_000;
const LIMIT_WORDS = 32;
/** A synonym counts less than the word itself, and each a little less than the one before it. */
const SYNONYM = 0.8;
const NEXT_SYNONYM = 0.02;
/** A query that names an integration asks for that one. */
const SLUG_FACTOR = 2;

const QUESTION = new Set(['am', 'are', 'can', 'did', 'do', 'does', 'has', 'have', 'how', 'is',
  'was', 'were', 'what', 'when', 'where', 'which', 'who', 'whose']);
const READING = stemsOf('browse check compare count describe download export fetch find get inspect'
  + ' list look query read retrieve search see show view');
const CHANGING = stemsOf('add append approve archive assign attach book buy cancel change clear'
  + ' configure create delete deploy destroy disable disconnect drop edit empty enable erase invite'
  + ' kick kill launch mark merge modify move new open pay plan post publish put register remove'
  + ' rename replace report reset resize restart revoke run schedule send set start stop submit'
  + ' subscribe switch terminate turn unsubscribe update upload upsert write');
/** What somebody says who wants something to be gone. */
const REMOVING = stemsOf('cancel clear delete deregister destroy detach disconnect discard drop'
  + ' empty erase flush invalidate kick kill leave nuke prune purge release remove revoke rid tear'
  + ' terminate throw unassign unfollow uninstall unlike unlink unpin unstar unsubscribe unwatch'
  + ' void wipe withdraw');
const POLITE = stemsOf('please kindly just');
/** Of those above, what is a noun as well as a verb unless it comes first: `sales report`. */
const NOUNS = stemsOf('book plan post report run set');
/** Such words tell what has happened: who says `bring back a deleted file` deletes nothing. */
const HAPPENED = /ed$/;
/** What follows a plural, `runs of a job`; after a verb comes what it does something to. */
const AFTER_PLURAL = new Set(['about', 'across', 'after', 'are', 'at', 'before', 'between', 'by',
  'do', 'during', 'for', 'from', 'have', 'i', 'in', 'is', 'of', 'on', 'per', 'since', 'that',
  'under', 'we', 'were', 'which', 'with', 'within', 'without']);
/** A query says early what is to be done. */
const VERB_WITHIN_WORDS = 3;

/** A word of a query. */
export interface Term {
  /** As it was said, in lower case. */
  said: string;
  stem: string;
  /** The stems that it finds, and what they are worth. */
  found: { word: string, worth: number }[];
  /** How many actions hold the word itself. */
  actions: number;
  /** Whether it is part of the name of an integration. */
  names_integration: boolean;
  /** Whether it says something only together with the words beside it. */
  in_phrase: boolean;
  /** Whether the query begins with it, and is no question: mostly what is to be done. */
  is_order: boolean;
  /** Whether it stands behind `about`, `called` and the like. */
  is_content: boolean;
  /** Whether it is content if an action knows a word that says to what something is to be done. */
  is_detail: boolean;
  /** Whether it is such a word, before all content. */
  is_object: boolean;
  /** Whether it is written like the name of a person or a thing. */
  is_name: boolean;
  /** Its part of the whole query. */
  share: number;
}

export interface ParsedQuery {
  terms: Term[];
  /** Those of the sources that are looked through. */
  indexes: readonly SearchIndex[];
  /** How many actions are looked through. */
  actions: number;
  /** Whether it asks for what only reads; undefined if that cannot be told. */
  reads: boolean | undefined;
  /** Whether it asks for something to be gone. */
  removes: boolean;
}

/**
 * What `text` means to somebody who looks through these sources. Pass the same sources again: the
 * indexes are kept under them.
 */
export function readQuery(text: string, sources: Iterable<IndexedSource>): ParsedQuery {
  const indexes = [...sources].map(indexOf);
  const read = withWholeNames(text.slice(0, LIMIT_CHARS),
    (word) => indexes.some(({ ownTitle }) => ownTitle.has(stemOf(word))));
  const words = saidIn(read);
  const { asked, object, details } = contentOf(read);
  const names = namesIn(read);
  const spokenWords = read.toLowerCase().split(/[^a-z0-9]+/);
  const spoken = spokenWords.map(stemOf);
  // What a phrase means is found in place of its last word, or by itself if no word of it counts.
  const phrases = phrasesIn(spoken).map(({ said, phrase, meant }) => {
    const stem = phrase.findLast((one) => words.has(one)) ?? meant[0]!;
    if (!words.has(stem)) words.set(stem, said);
    return { stem, phrase, meant };
  });
  const orders = [...spokenWords.filter((word) => !HAPPENED.test(word)).map(stemOf),
    ...phrases.flatMap(({ meant }) => meant)];
  const actions = indexes.reduce((sum, index) => sum + index.actions.length, 0);
  const terms = [...words].slice(0, LIMIT_WORDS).map(([stem, said]) => {
    const holding = indexes.reduce((sum, index) =>
      sum + (index.get(stem)?.action.length ?? 0), 0);
    const meant = phrases.filter((phrase) => phrase.stem === stem)
      .flatMap((phrase) => phrase.meant);
    const is_order = stem === spoken[0] && !QUESTION.has(said);
    return { said, stem, found: whatFinds(stem, meant, indexes), actions: holding,
      names_integration: indexes.some((index) => index.names.has(stem)),
      in_phrase: phrases.some(({ phrase }) => phrase.includes(stem)),
      is_order, is_name: names.has(stem), share: 0,
      is_content: !asked.has(stem) && !details.has(stem), is_detail: details.has(stem),
      is_object: object.has(stem) && !is_order };
  });
  return { terms: shareTerms(terms, actions), indexes, actions,
    reads: asksToRead(read, spokenWords, indexes),
    removes: orders.some((stem) => REMOVING.has(stem)) };
}

/**
 * The terms with their shares of what these say together. Rare words weigh more than frequent ones;
 * an unknown word weighs as much as the mean.
 */
export function shareTerms(terms: readonly Term[], actions: number): Term[] {
  const rarities = terms.map((term) => term.names_integration || term.actions === 0 ? null
    : rarityOf(term.actions, actions));
  const known = rarities.filter((rarity) => rarity !== null);
  const mean = known.length === 0 ? 1 : known.reduce((sum, one) => sum + one, 0) / known.length;
  const weights = terms.map(({ names_integration }, i) =>
    names_integration ? SLUG_FACTOR * mean : rarities[i] ?? mean);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return terms.map((term, i) => ({ ...term, share: weights[i]! / sum }));
}

/** How much it says to find a word that so many of all actions hold. */
function rarityOf(holding: number, actions: number): number {
  return Math.log(1 + (actions - holding + 0.5) / (holding + 0.5));
}

function whatFinds(
  stem: string, meant: readonly string[], indexes: readonly SearchIndex[]): Term['found'] {
  const found = [{ word: stem, worth: 1 }, ...meant.map((word) => ({ word, worth: 1 })),
    ...synonymsOf(stem).map((word, i) => ({ word, worth: SYNONYM - i * NEXT_SYNONYM }))]
    .filter(({ word }) => indexes.some((index) => index.get(word)));
  if (found.length > 0) return found;
  return indexes.flatMap((index) => index.similar(stem))
    .map(({ word, similarity }) => ({ word, worth: SYNONYM * similarity }));
}

function asksToRead(
  text: string, words: readonly string[], indexes: readonly SearchIndex[]): boolean | undefined {
  if (QUESTION.has(/[a-z]+/.exec(text.toLowerCase())?.[0] ?? '')) return true;
  const spoken = words.map(stemOf);
  // `please book`, `slack post`
  const begin = spoken.findIndex((stem) =>
    !POLITE.has(stem) && !indexes.some(({ names }) => names.has(stem)));
  const verb = spoken.slice(0, VERB_WITHIN_WORDS)
    .find((stem, at) => READING.has(stem)
      || (CHANGING.has(stem) && !isPlural(words[at]!, words[at + 1])
        && (at <= begin || !NOUNS.has(stem))));
  return verb === undefined ? undefined : READING.has(verb);
}

/** Nobody orders in the plural: `runs` are what there is. But `creates an issue` is one. */
function isPlural(word: string, next = ''): boolean {
  return word.endsWith('s') && (next === '' || AFTER_PLURAL.has(next));
}

/**
 * Words with a capital within a text that mostly has none: `Okafor`. What a product is called says
 * what is meant, so it is no such name.
 */
function namesIn(text: string): ReadonlySet<string> {
  const words = text.match(/\p{L}+/gu) ?? [];
  const names = words.slice(1).filter((word) => /^\p{Lu}/u.test(word));
  if (names.length * 2 > words.length) return new Set();
  return new Set(names.map((name) => name.toLowerCase()).filter((name) => !isProduct(name))
    .map(stemOf));
}

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stemOf));
}
