/** The pages of the site: what is around every page, and those that are no guides. */
import { asHtml } from '../html.ts';
import type { Guide, GuideGroup } from './guides.ts';
import { anchorOf } from './markdown.ts';

/** The part of the site that a page is of. */
type Part = 'guides' | 'reference' | 'console' | null;

interface PageParts {
  title: string;
  part: Part;
  /** From the page's address to `/docs/`: every link is relative, so that any prefix will do. */
  root: string;
  main: string;
  /** Scripts below assets/ besides those of every page. */
  scripts?: string[];
  /** A menu beside the page. */
  menu?: string;
}

/** The views of the document that are served beside the site, and what they are for. */
const DOCUMENTS = [
  { path: 'openapi.json', says: 'OpenAPI 3.1, for tools and people' },
  { path: 'openapi.3.2.json', says: 'OpenAPI 3.2, which types event streams' },
  { path: 'openapi.codegen.json', says: 'OpenAPI 3.1, for generators of clients' },
  { path: 'openapi.3.0.json', says: 'OpenAPI 3.0, for those that know no other, or read no oneOf' },
];

/** Prompts that the rehearsal model understands as well. */
const EXAMPLES = [
  'Which sessions do I have?', 'call gatehouse.sessions.list {"query": {"limit": 1}}',
];

/** Here from the beginning, so that what is typed while the search loads is not lost. */
const SEARCH = `<dialog id="search" class="search" aria-label="Search">
<form method="dialog"><input type="search" role="combobox" autocomplete="off"
  aria-label="Search guides and operations" placeholder="Search guides and operations"
  aria-expanded="true" aria-controls="hits" aria-autocomplete="list">
<button type="submit" value="close">Close</button></form>
<p id="hits-told" role="status"></p><ul id="hits" role="listbox" aria-label="Found"></ul>
</dialog>`;

function pageOf({ title, part, root, main, scripts = [], menu = '' }: PageParts): string {
  const link = (name: Part, href: string, text: string) =>
    `<a href="${root}${href}"${part === name ? ' aria-current="page"' : ''}>${text}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${asHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}assets/site.css">
<script src="${root}assets/theme.js"></script>
${script(root, 'site.js')}
${scripts.map((name) => script(root, name)).join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
${menu === '' ? '' : `<button type="button" id="menu-button" aria-controls="menu"
  aria-expanded="false" aria-label="Menu of guides">☰</button>`}
<a class="brand" href="${root}../docs" aria-label="Gatehouse"><img src="${root}assets/icon.svg"
  alt="" width="24" height="24"> <span>Gatehouse</span></a>
<nav aria-label="Site">${link('guides', 'guides/quickstart', 'Guides')}
${link('reference', 'reference', 'API<span class="wide"> reference</span>')}
${link('console', 'console', `<span class="wide">Live console</span>
<span class="narrow">Console</span>`)}
<a class="wide" href="${root}../dashboard">Dashboard</a></nav>
<button type="button" id="search-button" aria-haspopup="dialog" aria-label="Search"><span
  aria-hidden="true">⌕</span><span class="wide" aria-hidden="true"> Search</span><kbd class="wide"
  aria-hidden="true">/</kbd></button>
<button type="button" id="theme-button" aria-label="Theme">◐</button>
</header>
${menu}
${main}
${SEARCH}
</body>
</html>
`;
}

function script(root: string, name: string): string {
  return `<script type="module" src="${root}assets/${name}"></script>`;
}

/** The first page: where to begin, and everything there is. */
export function startPage(groups: GuideGroup[]): string {
  const card = (href: string, title: string, says: string) =>
    `<li><a class="card" href="docs/${href}"><strong>${asHtml(title)}</strong>`
    + `<span>${asHtml(says)}</span></a></li>`;
  const lists = groups.map(({ name, guides }) => `<h2 id="${anchorOf(name)}">${asHtml(name)}</h2>
<ul class="cards small">${guides.map((guide) =>
    card(`guides/${guide.slug}`, guide.name, guide.says)).join('\n')}</ul>`);
  return pageOf({
    title: 'Gatehouse documentation', part: null, root: 'docs/',
    main: `<main id="main" class="start">
<section class="hero">
<h1>Agents that survive crashes, behind a gateway that holds the secrets</h1>
<p>Send a prompt; a run executes it durably and streams numbered events. Actions of connected
systems are scoped, recorded, and never show a secret to an agent.</p>
</section>
<ul class="cards">
${card('guides/quickstart', 'Quickstart', 'A first run in five minutes, with curl.')}
${card('reference', 'API reference', 'Every operation, and try it out.')}
${card('console', 'Live console', 'Send a prompt and watch its events arrive.')}
${card('../dashboard', 'Dashboard', 'Runs, approvals, integrations and the audit log.')}
</ul>
<h2>A client in one line</h2>
${clientLine()}
<p>Nobody needs a key to read these pages and the description of the API:</p>
<ul class="plain">${DOCUMENTS.map(({ path, says }) =>
      `<li><a href="docs/${path}">${path}</a>: ${asHtml(says)}</li>`).join('\n')}</ul>
${lists.join('\n')}
</main>`,
  });
}

/** A guide between the menu of all guides and the list of its own headings. */
export function guidePage(guide: Guide, groups: GuideGroup[]): string {
  const { title, html, sections } = guide.article;
  const all = groups.flatMap(({ guides }) => guides);
  const at = all.findIndex(({ slug }) => slug === guide.slug);
  const beside = (index: number, rel: string, text: string) => {
    const entry = all[index];
    return entry ? `<a rel="${rel}" href="${entry.slug}">${text} ${asHtml(entry.name)}</a>` : '';
  };
  const contents = sections.filter(({ depth }) => depth === 2 || depth === 3).map((section) =>
    `<li class="depth-${section.depth}"><a href="#${section.anchor}">`
    + `${asHtml(section.title)}</a></li>`);
  return pageOf({
    title: `${title} · Gatehouse`, part: 'guides', root: '../', menu: menuOf(groups, guide.slug),
    main: `<main id="main" class="guide" tabindex="-1"><article>${html}
<nav class="beside" aria-label="Next guides">${beside(at - 1, 'prev', '←')}
${beside(at + 1, 'next', '→')}</nav></article></main>
${contents.length < 2 ? '' : `<aside class="contents"><nav aria-label="On this page">
<p>On this page</p><ul>${contents.join('\n')}</ul></nav></aside>`}`,
  });
}

function menuOf(groups: GuideGroup[], current: string): string {
  const lists = groups.map(({ name, guides }) => `<p>${asHtml(name)}</p><ul>${guides.map((one) =>
    `<li><a href="${one.slug}"${one.slug === current ? ' aria-current="page"' : ''}>`
    + `${asHtml(one.name)}</a></li>`).join('\n')}</ul>`);
  return `<nav id="menu" class="menu" aria-label="Guides">${lists.join('\n')}</nav>`;
}

/** The reference: Scalar draws it into the page, as its main part. */
export function referencePage(): string {
  return pageOf({
    title: 'API reference · Gatehouse', part: 'reference', root: '',
    scripts: ['viewer.js', 'reference.js'],
    main: `<div id="main">
<div class="strip">${keyField('Used by “Test Request”.')}
<details><summary>Generate a client</summary>${clientLine()}</details>
<a href="openapi.json">openapi.json</a></div>
<noscript><p>The reference needs JavaScript. The document itself:
<a href="openapi.json">openapi.json</a></p></noscript>
<div id="reference"></div>
</div>`,
  });
}

/** The console: a prompt becomes a run, and its events are shown as they come. */
export function consolePage(): string {
  return pageOf({
    title: 'Live console · Gatehouse', part: 'console', root: '', scripts: ['console.js'],
    main: `<main id="main" class="console">
<h1>Live console</h1>
<p>A prompt becomes a session and a run of this service, and its events are shown as they come.
Closing the page does not cancel the run.</p>
<noscript><p>The console needs JavaScript.</p></noscript>
<form id="run-form">
${keyField('')}
<label for="prompt">Prompt</label>
<textarea id="prompt" rows="3" required>${EXAMPLES[0]}</textarea>
<p class="examples">Try: ${EXAMPLES.map((text) =>
      `<button type="button" class="example">${asHtml(text)}</button>`).join('\n')}</p>
<p class="buttons"><button type="submit" class="primary" id="run">Run</button>
<button type="button" id="pause" disabled>Stop reading</button>
<button type="button" id="resume" disabled>Resume</button>
<button type="button" id="cancel" disabled>Cancel the run</button>
<button type="button" id="fresh" disabled>New session</button></p>
</form>
<p id="state" role="status">Nothing has run yet.</p>
<section aria-label="Answer"><h2>Answer</h2><div id="answer" class="answer"></div></section>
<section aria-label="Events"><h2>Events</h2><ol id="events" class="events"></ol></section>
<details><summary>The same with curl</summary><div class="code"><div class="bar"><span>bash</span
><button type="button" class="copy">Copy</button></div><pre tabindex="0" aria-label="bash"><code
id="curl"></code></pre></div></details>
</main>`,
  });
}

export function missingPage(root: string): string {
  return pageOf({
    title: 'Not found · Gatehouse', part: null, root,
    main: `<main id="main" class="start"><h1>Nothing is at this address</h1>
<p>Begin at the <a href="${root}../docs">first page</a>, or search.</p></main>`,
  });
}

/** The key is kept by the tab alone, and is one for the reference and the console. */
function keyField(more: string): string {
  return `<div class="key"><label for="key">API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="gth_…"
  aria-describedby="key-note">
<span id="key-note">${more} It stays in this tab. A key is a server-side secret: use one for trials.
</span></div>`;
}

/** The script puts this service's own address in. */
function clientLine(): string {
  return `<div class="code"><div class="bar"><span>bash</span><button type="button" class="copy"
>Copy</button></div><pre tabindex="0" aria-label="bash"><code>npx openapi-typescript <span
class="document-address">http://127.0.0.1:3000/docs/openapi.json</span> -o gatehouse.d.ts
</code></pre></div>`;
}
