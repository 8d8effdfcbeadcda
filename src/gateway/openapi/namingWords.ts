/** English as far as names of operations need it: verbs, plurals, and words that say nothing. */

export const words = (text: string): Set<string> => new Set(text.split(' '));

/** What an operation does, if it is the first or the last word of an id or a path. */
const VERBS = words('get list create update delete remove add set put patch post search find fetch '
  + 'retrieve read send cancel finalize merge close open start stop restart pause resume enable '
  + 'disable activate deactivate approve reject publish unpublish archive unarchive restore verify '
  + 'validate confirm capture refund pay void transfer convert copy clone duplicate move rename '
  + 'import export upload download sync refresh reset rotate revoke generate invite join leave '
  + 'subscribe unsubscribe lock unlock mark retry rerun run execute invoke trigger submit accept '
  + 'decline complete reopen assign unassign attach detach link unlink follow unfollow like unlike '
  + 'star unstar share unshare register deregister authorize login logout estimate calculate '
  + 'preview query count check test describe modify replace edit destroy purge terminate reboot '
  + 'launch deploy rollback upgrade scale apply replay clear flush expire renew extend redeem '
  + 'reverse dismiss ignore resolve resend insert upsert show view associate disassociate allocate '
  + 'release authenticate allow deny grant play skip seek watch notify exchange invalidate '
  + 'exclude');
const ARTICLES = words('a an the');
const PREPOSITIONS = words('by for of in from to with using on at as and');
/** What can stay behind a verb when its noun is cut off: `list_active`. */
const ADJECTIVES = words('all new active latest recent current public private default own open '
  + 'closed archived my multiple many single batch bulk several upcoming next previous first last '
  + 'popular '
  + 'top featured available pending authenticated');
const NOT_PLURAL = words('news sms dns aws gps tls css ios series species kubernetes windows '
  + 'alias canvas atlas bias');
const OTHER_PLURALS = words('people children media data criteria');

// v1, v2.1beta, api, rest, 2024-01-01, 2024-01: where a path starts, not what it is about.
export const VERSION_SEGMENT =
  /^(v\d+([._]\d+)*([a-z]+\d*)?|apis?|rest|\d+(\.\d+)*|\d{4}(-\d\d){1,2})$/i;

export const isVerb = (word: string): boolean => VERBS.has(word);
export const isArticle = (word: string): boolean => ARTICLES.has(word);
export const isPreposition = (word: string): boolean => PREPOSITIONS.has(word);

/** Whether a verb can be read with this word alone behind it. */
export function isAdjective(word: string): boolean {
  return ADJECTIVES.has(word) || /(ed|able|ible)$/.test(word);
}

export function singular(word: string): string {
  if (NOT_PLURAL.has(word) || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(x|ch|sh|ss|ias)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

export function isPlural(word: string): boolean {
  return OTHER_PLURALS.has(word) || singular(word) !== word;
}

/** With its last word as a singular: `dns_zones` → `dns_zone`. */
export function singularPhrase(phrase: string): string {
  const parts = phrase.split('_');
  return [...parts.slice(0, -1), singular(parts.at(-1)!)].join('_');
}

/** Where `phrase` is among the words, whatever is singular or plural; -1: nowhere. */
export function indexOfPhrase(phrase: readonly string[], all: readonly string[]): number {
  for (let start = 0; start + phrase.length <= all.length; start++) {
    if (phrase.every((word, i) => singular(word) === singular(all[start + i]!))) return start;
  }
  return -1;
}
