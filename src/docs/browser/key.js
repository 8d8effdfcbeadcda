/**
 * What this tab alone keeps for the console and the reference: the reader's key, and the ids of
 * what the reader has made in the console.
 */
const NAME = 'gatehouse-key';

/** @param {string} name A parameter's name, such as `session_id`. */
export function keptId(name) {
  return sessionStorage.getItem(`gatehouse-${name}`);
}

/** @param {{ [name: string]: string }} ids By the parameters' names. */
export function keepIds(ids) {
  for (const [name, id] of Object.entries(ids)) sessionStorage.setItem(`gatehouse-${name}`, id);
}

/** @returns {string} The key, or an empty text. */
export function keptKey() {
  return sessionStorage.getItem(NAME) ?? '';
}

/**
 * Fills the field of the page, and keeps what is typed there.
 * @param {(key: string) => void} onKey Called with each new key.
 * @returns {HTMLInputElement} The field.
 */
export function bindKeyField(onKey = () => {}) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById('key'));
  field.value = keptKey();
  field.addEventListener('input', () => {
    const key = field.value.trim();
    sessionStorage.setItem(NAME, key);
    onKey(key);
  });
  return field;
}
