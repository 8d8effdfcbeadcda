/**
 * Guides as HTML. What the guides say is our own text, and nothing of it becomes markup but by
 * Markdown: raw HTML is shown as the text it is.
 */
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { asHtml } from '../html.ts';

export interface Heading {
  /** As GitHub makes it of the same words, so that one link works on both. */
  anchor: string;
  depth: number;
  /** Plain words. */
  title: string;
}

export interface Section extends Heading {
  /** What stands below the heading, as plain words. */
  text: string;
}

export interface Article {
  title: string;
  html: string;
  /** In their order; the first is the title. */
  sections: Section[];
}

/** Where a link of the guide leads on the site; null: nowhere, and the words stay. */
export type LinkTarget = (href: string) => string | null;

export function tokensOf(markdown: string): Token[] {
  return new Marked().lexer(markdown);
}

export function renderArticle(markdown: string, target: LinkTarget): Article {
  const headings: Heading[] = [];
  const marked = new Marked({ renderer: renderer(headings, target) });
  const tokens = marked.lexer(markdown);
  const html = marked.parser(tokens);
  return { title: headings[0]?.title ?? '', html, sections: sectionsOf(tokens, headings) };
}

function renderer(headings: Heading[], target: LinkTarget): RendererObject {
  return {
    heading({ tokens, depth }: Tokens.Heading) {
      const inner = this.parser.parseInline(tokens);
      const title = textOfHtml(inner);
      const anchor = anchorOf(title, headings);
      headings.push({ anchor, depth, title });
      return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}"`
        + ` aria-label="Link to ${asHtml(title)}">#</a></h${depth}>\n`;
    },
    code({ text, lang = '' }: Tokens.Code) {
      const [language = '', ...rest] = lang.split(' ');
      const name = rest.includes('output') ? 'output' : language;
      return `<div class="code"><div class="bar"><span>${asHtml(name)}</span>`
        + `<button type="button" class="copy">Copy</button></div>`
        + `<pre tabindex="0" aria-label="${asHtml(name)}"><code>${asHtml(text)}\n</code></pre>`
        + '</div>\n';
    },
    // A table that is too wide scrolls in itself, by keyboard too.
    table(token: Tokens.Table) {
      const cell = ({ tokens, text, header }: Tokens.TableCell) => {
        const tag = header && text !== '' ? 'th' : 'td';
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
      };
      const row = (cells: Tokens.TableCell[]) => `<tr>${cells.map(cell).join('')}</tr>`;
      const label = asHtml(`Table: ${token.header.map(({ text }) => text).join(', ')}`);
      return `<div class="table" role="group" tabindex="0" aria-label="${label}"><table>`
        + `<thead>${row(token.header)}</thead>`
        + `<tbody>${token.rows.map(row).join('')}</tbody></table></div>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const leads = target(href);
      return leads === null ? inner : `<a href="${asHtml(leads)}">${inner}</a>`;
    },
    // Pictures are our own; others would be asked for elsewhere.
    image({ href, text }: Tokens.Image) {
      const leads = target(href);
      return leads === null || /^https?:/.test(leads) ? asHtml(text)
        : `<img src="${asHtml(leads)}" alt="${asHtml(text)}" loading="lazy">`;
    },
    html: ({ text }: Tokens.HTML | Tokens.Tag) => asHtml(text),
  };
}

/** The words below each heading. */
function sectionsOf(tokens: Token[], headings: Heading[]): Section[] {
  const plainly = new Marked({ renderer: { html: ({ text }) => asHtml(text) } });
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ ...headings[sections.length]!, text: '' });
    else if (sections.length > 0) {
      sections.at(-1)!.text += textOfHtml(plainly.parser([token])) + ' ';
    }
  }
  return sections;
}

/** GitHub's rule: small letters, no punctuation, a hyphen for each space; twins are counted. */
export function anchorOf(title: string, before: Heading[] = []): string {
  const anchor = title.toLowerCase().replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-');
  const twins = before.filter((one) => one.anchor.replace(/-\d+$/, '') === anchor).length;
  return twins === 0 ? anchor : `${anchor}-${twins}`;
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&',
};

/** The words of HTML that was rendered here. */
export function textOfHtml(html: string): string {
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&#(\d+);/g, (_all, code: string) =>
    String.fromCharCode(Number(code))).replaceAll(/&(lt|gt|quot|#39|amp);/g, (name) =>
    ENTITIES[name]!).replaceAll(/\s+/g, ' ').trim();
}
