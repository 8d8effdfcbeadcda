/** What Markdown has inside a line: emphasis, code, links. */
import { createRequire } from 'node:module';
import type { Token } from 'marked';
import { isPlain, type Style } from './style.ts';

/**
 * Text that waits for the end of an emphasis, of code or of a link is held back up to so many
 * characters; then it is shown as it stands. It also bounds what is read again with each piece.
 */
export const HELD_CHARACTERS = 500;

/** A line may be shown up to here. */
const BREAKS = /[\s\u2e80-\u9fff\uac00-\ud7ff\uff00-\uffef]/g;
/** The rest of a text that may yet become something else: it has a mark without its counterpart. */
const UNFINISHED =
  /(?<![\p{L}\p{N}_])_+(?=\S)|\*+(?=\S)|~~?(?=\S)|`|!?\[[^\]]*(?:$|\](?:$|\([^)]*$))/u;

let marked: typeof import('marked') | undefined;

/** More marks cost too much to be matched with each other, and are nobody's prose. */
const MOST_MARKS = 50;

/** How much of the beginning of a line stays as it is, whatever comes after it. */
export function settledLength(text: string): number {
  let [settled, at] = [0, 0];
  for (const token of tokensOf(text)) {
    if (token.type === 'text' || token.type === 'escape') {
      const unfinished = token.type === 'text' ? token.raw.search(UNFINISHED) : -1;
      const sure = unfinished === -1 ? token.raw : token.raw.slice(0, unfinished);
      for (const { index } of sure.matchAll(BREAKS)) settled = at + index + 1;
      if (unfinished !== -1) break;
    }
    at += token.raw.length;
  }
  return settled;
}

/**
 * A text of one line in our colours. Without colours it stays as it is written: the marks are what
 * tells what they mean then. An address is always shown: what a link is called may be a lie.
 */
export function inline(text: string, style: Style): string {
  if (isPlain(style)) return text;
  return tokensOf(text).map((token) => shown(token, style)).join('');
}

function shown(token: Token, style: Style): string {
  const inside = () => (token as { tokens?: Token[] }).tokens?.map((one) => shown(one, style))
    .join('') ?? '';
  switch (token.type) {
    case 'strong': return style('bold', inside());
    case 'em': return style('italic', inside());
    case 'del': return style('strikethrough', inside());
    case 'codespan': return style('cyan', token.text);
    case 'escape': return token.text;
    case 'link': case 'image': {
      const words = token.type === 'link' ? inside() : `[${token.text || 'picture'}]`;
      const [is_bare, href] = [token.raw === token.text || token.raw === `<${token.text}>`,
        String(token.href)];
      return is_bare || words === href ? words : `${words} ${style('dim', `(${href})`)}`;
    }
    default: return token.raw;
  }
}

function tokensOf(text: string): Token[] {
  const marks = text.match(/[*_~[`<@]/g)?.length ?? 0;
  if (marks > MOST_MARKS) return [{ type: 'text', raw: text, text }];
  // Every command imports this module, few show Markdown, and loading the reader takes longer than
  // most of them. An import() would have to be awaited, while the text is being written.
  marked ??= createRequire(import.meta.url)('marked') as typeof import('marked');
  return marked.Lexer.lexInline(text);
}
