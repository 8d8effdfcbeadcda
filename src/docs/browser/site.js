/** What every page has: the theme, the menu, the copy buttons, and the door to the search. */

const root = document.documentElement;
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const THEMES = ['system', 'light', 'dark'];

/** @param {string} id */
const element = (id) => document.getElementById(id);

function theme() {
  return root.dataset.theme ?? 'system';
}

/** Whether the page is dark now, by the reader's choice or the system's. */
export function isDark() {
  return theme() === 'system' ? darkSystem.matches : theme() === 'dark';
}

/** @param {() => void} onTheme Called when the page becomes dark or light. */
export function watchTheme(onTheme) {
  darkSystem.addEventListener('change', onTheme);
  root.addEventListener('gatehouse-theme', onTheme);
}

function bindTheme() {
  const button = element('theme-button');
  if (!button) return;
  const tell = () => {
    const words = `Theme: ${theme() === 'system' ? 'as the system' : theme()}`;
    button.setAttribute('aria-label', words);
    button.title = words;
    button.textContent = { system: '◐', light: '☀', dark: '☾' }[theme()] ?? '';
  };
  button.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
    if (next === 'system') {
      delete root.dataset.theme;
      localStorage.removeItem('gatehouse-theme');
    } else {
      root.dataset.theme = next;
      localStorage.setItem('gatehouse-theme', next ?? '');
    }
    tell();
    root.dispatchEvent(new Event('gatehouse-theme'));
  });
  tell();
}

function bindMenu() {
  const button = element('menu-button');
  const menu = element('menu');
  if (!button || !menu) return;
  const show = (/** @type {boolean} */ open) => {
    menu.toggleAttribute('data-open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(!menu.hasAttribute('data-open')));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    show(false);
    button.focus();
  });
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function bindCopying() {
  for (const button of document.querySelectorAll('button.copy')) {
    button.addEventListener('click', async () => {
      const text = button.closest('.code')?.querySelector('code')?.textContent ?? '';
      try {
        await navigator.clipboard.writeText(text.trimEnd());
        button.textContent = 'Copied';
      } catch {
        // Without HTTPS a browser gives no clipboard: the text is selected instead.
        const code = button.closest('.code')?.querySelector('code');
        if (code) getSelection()?.selectAllChildren(code);
        button.textContent = 'Selected';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 2_000);
    });
  }
}

function bindSearch() {
  const dialog = /** @type {HTMLDialogElement} */ (element('search'));
  const open = async () => {
    if (!dialog.open) dialog.showModal();
    dialog.querySelector('input')?.select();
    try {
      await (await import('./search.js')).startSearch(dialog);
    } catch {
      const told = element('hits-told');
      if (told) told.textContent = 'The search could not be loaded. Close it, and open it again.';
    }
  };
  element('search-button')?.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    const asked = (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey)
      || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!asked) return;
    event.preventDefault();
    open();
  });
}

// This service's own address, as the reader reached it: behind a proxy, below any prefix.
for (const place of document.querySelectorAll('.document-address')) {
  place.textContent = new URL('../openapi.json', import.meta.url).href;
}
bindTheme();
bindMenu();
bindCopying();
bindSearch();
