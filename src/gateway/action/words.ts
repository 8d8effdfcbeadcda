import { hash } from 'node:crypto';

/** Names that people write with capitals inside, and that are one word all the same. */
const ONE_WORD = new RegExp('OAuth|OpenID|IPv(?=[46])|IoT|GitHub|GitLab|PayPal|MySQL|PostgreSQL'
  + '|MongoDB|GraphQL|WebHook|WhatsApp|YouTube|DevOps|(?<![A-Za-z])(?:iOS|macOS|oAuth)', 'g');

/**
 * `chat_postMessage` → `chat_post_message`, `XMLParser v2` → `xml_parser_v2`, `listVPCs` →
 * `list_vpcs`; '' if no word.
 */
export function snake(text: string): string {
  return withoutMarks(text)
    .replace(ONE_WORD, (name) => name.charAt(0) + name.slice(1).toLowerCase())
    // By what is beside it alone: all that is before it would be read again for each letter.
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}

const ASCII = /^[\0-\x7f]*$/;
const FOREIGN = /(?![A-Za-z0-9])[\p{L}\p{N}]/u;
const KEPT_CHARS = 40;

/** Whether it has letters that are not Latin, and that a name cannot have. */
export function isForeign(text: string): boolean {
  return !ASCII.test(text) && FOREIGN.test(withoutMarks(text));
}

/**
 * As `snake`, but what has foreign letters gets a hash in their place, so that nothing else is
 * called that: `顾客` → `resource_262019ed`. `otherwise`: what it is called without any word.
 */
export function nameWord(text: string, otherwise: string): string {
  if (!isForeign(text)) return snake(text);
  const digest = hash('sha256', text.normalize('NFC'), 'hex').slice(0, 8);
  return `${snake(text).slice(0, KEPT_CHARS) || otherwise}_${digest}`;
}

/** What the last part of a name begins with that says of an action that it only reads. */
export const READING_VERB = /^(?:get|list|search|query|find|lookup|retrieve|fetch|count)(?=$|_)/;

/** What no mark can be taken from, and yet is written with letters of English by those without. */
const LETTERS = new Map(Object.entries({
  ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i',
  Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Ħ: 'H', ẞ: 'Ss', Æ: 'Ae', Œ: 'Oe', Þ: 'Th',
}));
const OTHER_LETTERS = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');
/** These become two capitals within a word of capitals, for `AeBLE` would be two words. */
const TWO_CAPITALS = /(?<=\p{Lu})[ẞÆŒÞ]|[ẞÆŒÞ](?=\p{Lu})/gu;

/** Latin letters as English has them: `für` is `fur`, `Łódź` is `Lodz`. */
export function withoutMarks(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC')
    .replace(TWO_CAPITALS, (letter) => LETTERS.get(letter)!.toUpperCase())
    .replace(OTHER_LETTERS, (letter) => LETTERS.get(letter)!);
}

/**
 * The name of each thing: the first of its forms that nothing else has and that is not `taken`.
 * Things with equal names all move on to their next form together, so that no name depends on their
 * order. A last form stays, whatever has it too.
 */
export function distinctNames(
  forms: readonly (readonly string[])[], taken: ReadonlySet<string>): string[] {
  const named = forms.map((names) => ({ names, level: 0 }));
  for (let moved = true; moved;) {
    moved = false;
    for (const [name, group] of Map.groupBy(named, ({ names, level }) => names[level]!)) {
      if (group.length === 1 && !taken.has(name)) continue;
      for (const member of group) {
        if (member.level === member.names.length - 1) continue;
        member.level += 1;
        moved = true;
      }
    }
  }
  return named.map(({ names, level }) => names[level]!);
}
