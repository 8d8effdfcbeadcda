/** The search over guides and operations. It and what it looks through are loaded when opened. */
import MiniSearch from 'minisearch';

const HITS = 12;
const EXCERPT = 140;
const docs = new URL('..', import.meta.url);

/**
 * @typedef {object} Entry
 * @property {number} id
 * @property {string} address Below /docs/.
 * @property {string} title
 * @property {string} within The guide, or the method, path and name of the operation.
 * @property {string} text
 */

/** @type {Promise<void> | undefined} */
let starting;

/**
 * Makes the dialog search, once; what is in its field already is searched for at once. Rejects if
 * what it looks through cannot be loaded; the next call tries it again.
 * @param {HTMLDialogElement} dialog
 */
export function startSearch(dialog) {
  return starting ??= start(dialog).catch((error) => {
    starting = undefined;
    throw error;
  });
}

/** @param {HTMLDialogElement} dialog */
async function start(dialog) {
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector('input'));
  const list = /** @type {HTMLUListElement} */ (dialog.querySelector('ul'));
  const told = /** @type {HTMLElement} */ (dialog.querySelector('[role=status]'));
  const entries = /** @type {Entry[]} */ (
    await (await fetch(new URL('assets/search.json', docs))).json());
  const index = new MiniSearch({
    fields: ['title', 'within', 'text'],
    searchOptions: {
      boost: { title: 4, within: 2 }, prefix: true, combineWith: 'AND',
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(entries);
  const onInput = () => {
    const found = index.search(input.value).slice(0, HITS)
      .map(({ id }) => /** @type {Entry} */ (entries[id]));
    list.replaceChildren(...found.map((entry, at) => hit(entry, at, input.value)));
    select(input, list, 0);
    told.textContent = input.value.trim() === '' ? '' : found.length === 0
      ? 'Nothing found.' : `${found.length === HITS ? 'First ' : ''}${found.length} found.`;
  };
  input.addEventListener('input', onInput);
  input.addEventListener('keydown', (event) => onKey(event, input, list));
  list.addEventListener('click', () => dialog.close());
  onInput();
}

/** @type {(entry: Entry, at: number, words: string) => HTMLElement} */
function hit({ address, title, within, text }, at, words) {
  const item = document.createElement('li');
  item.id = `hit-${at}`;
  item.setAttribute('role', 'option');
  // An option holds nothing that can be pressed by itself, such as a link.
  item.addEventListener('click', () => location.assign(new URL(address, docs)));
  for (const [tag, content] of [['strong', title], ['span', within],
    ['small', excerpt(text, words)]]) {
    const part = document.createElement(/** @type {string} */ (tag));
    part.textContent = content ?? '';
    item.append(part);
  }
  return item;
}

/** The text around the first of the words that it has. */
function excerpt(/** @type {string} */ text, /** @type {string} */ words) {
  const small = text.toLowerCase();
  const at = words.toLowerCase().split(/\W+/).filter(Boolean)
    .map((word) => small.indexOf(word)).find((place) => place >= 0) ?? 0;
  const from = Math.max(0, at - 40);
  return (from > 0 ? '…' : '') + text.slice(from, from + EXCERPT);
}

/** @type {(event: KeyboardEvent, input: HTMLInputElement, list: HTMLUListElement) => void} */
function onKey(event, input, list) {
  const at = [...list.children].findIndex((item) => item.getAttribute('aria-selected') === 'true');
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    select(input, list, (at + step + list.children.length) % list.children.length);
  } else if (event.key === 'Enter') {
    event.preventDefault();
    /** @type {HTMLElement | undefined} */ (list.children[at])?.click();
  }
}

/** @type {(input: HTMLInputElement, list: HTMLUListElement, at: number) => void} */
function select(input, list, at) {
  for (const [index, item] of [...list.children].entries()) {
    item.setAttribute('aria-selected', String(index === at));
  }
  const selected = list.children[at];
  selected?.scrollIntoView({ block: 'nearest' });
  input.setAttribute('aria-activedescendant', selected?.id ?? '');
}
