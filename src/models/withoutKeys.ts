/**
 * Takes out of a text what may be a key or a password. The text is from outside and may be hostile:
 * each of these expressions takes a time that grows no faster than the text.
 */

/** A text without this key, however it is encoded, and without anything that looks like one. */
export function withoutKeys(text: string, api_key: string | null): string {
  const others = api_key === null || api_key === '' ? text
    : text.replace(spellingsOf(api_key), '…');
  return others.replace(ADDRESS, withoutUser).replace(GIVEN, '$<name>…').replace(OF_VENDOR, '…')
    .replace(LONG, (run) => (isOfWords(run) ? run : '…'));
}

/** A text whose addresses end before their query. */
export function withoutQueries(text: string): string {
  return text.replace(ADDRESS, (place) => place.replace(/\?.*/, '?…'));
}

/** Each character as it is or percent-encoded. */
function spellingsOf(api_key: string): RegExp {
  const spelled = Array.from(api_key, (character) => {
    const encoded = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16)}`).join('');
    return `(?:\\u{${character.codePointAt(0)!.toString(16)}}|${encoded})`;
  });
  return new RegExp(spelled.join(''), 'giu');
}

/** What follows the scheme of an address. */
const ADDRESS = /:\/\/[^\s"'<>]*/g;

/** Without user and password. A password may hold a slash; an @ in a path is of no user. */
function withoutUser(place: string): string {
  const at = place.lastIndexOf('@');
  const before = place.slice('://'.length, Math.max(at, 0));
  const is_user = at >= 0 && (!before.includes('/') || /:(?!\d+\/)/.test(before));
  return is_user ? `://…${place.slice(at)}` : place;
}

/** Words (`Invalid API key: expired`) and what is too short to be a key. */
const NO_KEY =
  String.raw`(?!(?-i:[A-Za-z]?[a-z_]+|[^\s"'&;\\]{1,5})[.,:;)"']{0,3}(?:\s|$))`;
const OPENED = String.raw`\s{0,2}[\\"'(<]{0,3}(?:(?:bearer|basic|token) {1,2})?`;
const CLOSED = String.raw`["'\\\])]{0,3}\s{0,2}`;

/** A value behind its name: `api-key=…`, `"password": "…"`, `Authorization: Bearer …`. */
const GIVEN = new RegExp(String.raw`(?<name>${[
  // Whatever is there: a password may be a word.
  `(?:secret|passw(?:or)?d|pwd)${CLOSED}(?:[:=]>?|%3D)${OPENED}`,
  `(?:key|token|credentials?|authorization|signature)${CLOSED}(?:=>?|%3D)${OPENED}`,
  `(?:api ?key|[-_]key|token|credentials?|authorization)${CLOSED}:${OPENED}${NO_KEY}`,
  String.raw`\bbearer\s{1,2}${NO_KEY}`,
].join('|')})(?:(?<=")[^"\\]+|[^\s"'&;\\]+)`, 'gi');

/** Keys in the forms of vendors, even in part (`sk-...aB3d`), tokens (JWT), and what is masked. */
const OF_VENDOR = new RegExp([
  String.raw`(?<![A-Za-z0-9])(?:${[
    '[sp]k[-_]', 'gsk_', 'csk-', 'xai-', 'nvapi-', 'pplx-', 'AIza', 'gh[opsu]_', 'github_pat_',
    'glpat-', 'xox[abp]-', 'ya29\\.',
    // Packages are called hf_transfer and the like.
    '(?:hf|r8|fw|tgp)_(?![a-z]+\\b)',
  ].join('|')})[\w*.…-]{3,}[\w*…]`,
  String.raw`\bA[KS]IA[0-9A-Z]{8,}`, String.raw`\beyJ[\w.-]{8,}`,
  String.raw`[\w-]{0,40}[*•]{3,}[\w*•-]*`,
].join('|'), 'g');

/** As long as a key. */
const LONG = /[\w*./+=-]{32,}/g;

/** `[A-Z]` and what follows: BadRequestError, getUser, APIError. */
const WORD = /^[A-Z]*[a-z]*(?:[A-Z][a-z]{2,})*$/;

/** Whether it is a path, the id of a model or a name: words, and little else between them. */
function isOfWords(run: string): boolean {
  const parts = run.split(/[^A-Za-z0-9]+/);
  const words = parts.filter((part) => part.length <= 24 && WORD.test(part));
  return words.join('').length * 3 >= parts.join('').length
    && parts.every((part) => part.length <= 8 || words.includes(part));
}
