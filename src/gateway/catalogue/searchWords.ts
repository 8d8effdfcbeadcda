/** What a text says, as words that can be compared: those of queries, names and descriptions. */
import { snake } from '../action/words.ts';

const STOP_WORDS = new Set(['a', 'all', 'am', 'an', 'and', 'are', 'can', 'do', 'far', 'for',
  'from', 'has', 'have', 'how', 'i', 'in', 'is', 'it', 'many', 'me', 'my', 'of', 'on', 'our',
  'please', 'so', 'the', 'there', 'this', 'to', 'was', 'we', 'were', 'what', 'which', 'with',
  'you', 'your']);

// Each word finds the words after it, the nearest first. In one direction only: `all` finds `list`,
// but `list` does not find `all`.
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  create: ['add', 'post', 'new', 'make', 'send', 'insert', 'start'],
  add: ['create', 'post', 'insert', 'append'],
  new: ['create', 'insert'],
  make: ['create', 'insert'],
  start: ['create'],
  post: ['create', 'send'],
  send: ['post', 'create'],
  upload: ['create', 'insert', 'import'],
  list: ['get', 'find', 'show'],
  show: ['list', 'get', 'describe', 'read'],
  see: ['list', 'get'],
  view: ['list', 'get'],
  get: ['read', 'fetch', 'retrieve', 'list', 'describe'],
  read: ['get', 'retrieve'],
  fetch: ['get', 'retrieve', 'list'],
  retrieve: ['get'],
  describe: ['get'],
  find: ['search', 'list', 'query'],
  search: ['find', 'query'],
  delete: ['remove', 'destroy'],
  remove: ['delete', 'destroy'],
  stop: ['cancel', 'abort'],
  abort: ['cancel'],
  cancel: ['delete', 'stop', 'abort'],
  update: ['edit', 'change', 'set', 'patch', 'modify'],
  edit: ['update', 'modify'],
  change: ['update', 'edit', 'set'],
  rename: ['update'],
  call: ['invoke', 'invocation'],
  invoke: ['call', 'invocation'],
  account: ['connection'],
  mail: ['message', 'email'],
  email: ['message', 'mail'],
  share: ['permission', 'invite'],
  busy: ['freebusy', 'availability'],
  who: ['authenticated', 'self', 'profile', 'identity'],
  song: ['track'],
  repository: ['repo'],
  repo: ['repository'],
  organization: ['org'],
  org: ['organization'],
}));

/** Words in lower case and singular, without those that say nothing. */
export function wordsOf(text: string): string[] {
  return snake(text).split('_').filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map(singular);
}

/** Words that mean the same or nearly so to someone who looks for `word`. */
export function synonymsOf(word: string): readonly string[] {
  return SYNONYMS.get(word) ?? [];
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 ? word.replace(/(?<!s)s$/, '') : word;
}

/** Three letters at a time of a word, which is set apart by blanks, as pg_trgm does it. */
export function trigramsOf(word: string): Set<string> {
  const padded = `  ${word} `;
  return new Set(Array.from({ length: word.length + 1 }, (_, i) => padded.slice(i, i + 3)));
}
