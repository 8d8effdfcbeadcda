/** What a text says, as words that can be compared: those of queries, names and descriptions. */
import { snake, withoutMarks } from '../action/words.ts';
import { isProduct, withWholeNames } from './searchProducts.ts';

const STOP_WORDS = new Set(['a', 'all', 'am', 'an', 'and', 'any', 'are', 'as', 'at', 'be', 'by',
  'can', 'could', 'did', 'do', 'does', 'far', 'for', 'from', 'has', 'have', 'how', 'i', 'id', 'if',
  'in', 'into', 'is', 'it', 'its', 'many', 'me', 'more', 'much', 'my', 'now', 'of', 'on', 'onto',
  'or', 'our', 'out', 'please', 's', 'so', 'some', 'than', 'that', 'the', 'their', 'them', 'then',
  'there', 'these', 'this', 'those', 'to', 'use', 'used', 'using', 'via', 'was', 'we', 'were',
  'what', 'when', 'where', 'which', 'who', 'will', 'with', 'you', 'your']);
/** What words of one family end in; a longer ending comes before those that it ends in. */
const ENDINGS = ['ation', 'ition', 'ement', 'ment', 'tion', 'ion', 'anc', 'enc', 'ance', 'ence',
  'able', 'ible', 'abl', 'ibl', 'ity', 'ness', 'ive', 'iv', 'age', 'ag', 'ure', 'ur', 'er', 'or',
  'ee', 'al', 'ist'];
const LEAST_STEM = 4;
const KEPT_STEMS = 20_000;

/** The stems of a text's words, without those that say nothing. */
export function wordsOf(text: string): string[] {
  return plainWordsOf(text).map(stemOf);
}

/** By the stem of each of these words, how it was written, in lower case. */
export function saidIn(text: string): Map<string, string> {
  const written = ASCII.test(text) ? [] : text.match(WRITTEN_WORDS) ?? [];
  const said = new Map(written.map((one) =>
    [withoutMarks(one).toLowerCase(), one.toLowerCase()]));
  return new Map(plainWordsOf(text).map((word) => [stemOf(word), said.get(word) ?? word]));
}

function plainWordsOf(text: string): string[] {
  const is_ascii = ASCII.test(text);
  const plain = is_ascii ? text : withoutMarks(text);
  const words = snake(withWholeNames(plain, isProduct)).split('_')
    .filter((word) => word !== '' && !STOP_WORDS.has(word));
  return is_ascii ? words : [...words, ...wordsOfOtherScripts(plain)];
}

const ASCII = /^[\0-\x7f]*$/;
const WRITTEN_WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
  + '\\p{Script=Thai}';
const OTHER_WORDS = new RegExp(`[${UNSPACED}]+|[^\\P{L}A-Za-z${UNSPACED}]+`, 'gu');
const UNSPACED_WORD = new RegExp(`^[${UNSPACED}]`, 'u');

/** Where words are not set apart by blanks, each two letters side by side stand for one. */
function wordsOfOtherScripts(text: string): string[] {
  return (text.match(OTHER_WORDS) ?? []).flatMap((run) => {
    if (!isUnspaced(run)) return [run.toLowerCase()];
    const letters = [...run];
    return letters.length === 1 ? letters
      : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
  });
}

/** Whether it is no word but a part of a text whose words are not set apart. */
export function isUnspaced(word: string): boolean {
  return UNSPACED_WORD.test(word);
}

const stems = new Map<string, string>();

/** What a word has in common with others of its family: `invite`, `invited` and `invitation`. */
export function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = makeStem(word);
    // Texts have few different words; a bound for those who write others.
    if (stems.size >= KEPT_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

function makeStem(word: string): string {
  if (word.length < LEAST_STEM || /\d/.test(word)) return word;
  let stem = singular(word);
  const suffix = /(?:ing|ed)$/.exec(stem);
  if (suffix && suffix.index >= 3 && /[aeiouy]/.test(stem.slice(0, suffix.index))) {
    stem = undoubled(stem.slice(0, suffix.index));
  }
  if (stem.length > 4) stem = stem.replace(/e$/, '');
  if (stem.length > 3) stem = stem.replace(/(?<=[^aeiou])y$/, 'i');
  const ending = ENDINGS.find((end) => stem.endsWith(end)
    && stem.length - end.length >= LEAST_STEM && /[aeiouy]/.test(stem.slice(0, -end.length)));
  return ending === undefined ? stem : undoubled(stem.slice(0, -ending.length));
}

function singular(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<!s|u|i)s$/, '');
}

/** `cancell` is `cancel`. */
function undoubled(stem: string): string {
  return stem.replace(/([^aeiouylsz])\1$/, '$1');
}

/** Three letters at a time of a word, which is set apart by blanks, as pg_trgm does it. */
export function trigramsOf(word: string): Set<string> {
  const padded = `  ${word} `;
  return new Set(Array.from({ length: word.length + 1 }, (_, i) => padded.slice(i, i + 3)));
}

/** Words that say nothing of what is meant: they are held neither for nor against an action. */
const EMPTY_WORDS = new Set((
  'about after afternoon again against ago also another anybody anyone anything apr april'
  + ' aug august because before between bit but come dec december during each else evening'
  + ' every everybody everyone feb february find friday get give go have he her him his hour'
  + ' jan january jul july june just keep last later let like little look lot make mar march'
  + ' may maybe might minute monday month morning need new next night nobody noon not nothing'
  + ' nov november now oct october off one only other over own put quarter quite rather'
  + ' really right saturday say see sep sept september set several she should show since'
  + ' somebody someone something somewhere still straight sunday take tell they thing through'
  + ' thursday today tomorrow tonight too tuesday turn two under until up us use want'
  + ' wednesday week weekend while without would year yes yesterday yet')
  .split(' ').map(stemOf));

export function isEmptyWord(stem: string): boolean {
  return EMPTY_WORDS.has(stem);
}
