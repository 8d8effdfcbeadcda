/**
 * What people and models wrote. Markdown is read into elements of a short list: no HTML of the text
 * is ever parsed, no picture is fetched, and a link goes to http, https or mail addresses alone.
 */
import { Lexer, type Token, type Tokens } from 'marked';
import { Fragment, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { Button } from './controls.tsx';
import { countText, startOf } from './text.tsx';

/** Longer texts are shown as they are: reading them as Markdown would hold up the page. */
const MARKDOWN_LIMIT = 50_000;
/** So many quotations and lists in one another are nobody's prose, and would break off the page. */
const NESTED = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){16}|^(?: {2}|\t){32}[ \t]*(?:[-*+]|\d+[.)]) /m;
/**
 * Marks of emphasis are sought for each other: as many steps as the square of how many a paragraph
 * has. Of 12,000 characters, `**b ` again and again, that took 8 s.
 */
const MARKS = /[*_~]+/g;
const MARK_STEPS = 400_000;
/** What could be the name before an @ is looked through from each of its letters on. */
const LONG_WORD = /[\w.!#$%&'*+/=?`{|}~-]{1000}/;

/** Turns around what follows, whatever it is written in: nobody's prose needs that. */
const TURNS = /[\u202d\u202e]/g;

function unturned(text: string): string {
  return text.replaceAll(TURNS, (one) => `[U+${one.codePointAt(0)!.toString(16).toUpperCase()}]`);
}

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g;
/** Those that people and models write; HTML has 2,000 more, which stay as they are. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: '\'', nbsp: '\u00a0', hellip: '…', ndash: '–',
  mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•',
  middot: '·', deg: '°', times: '×', plusmn: '±', le: '≤', ge: '≥', ne: '≠', larr: '←', rarr: '→',
  copy: '©', reg: '®', trade: '™', euro: '€', pound: '£', sect: '§', para: '¶', szlig: 'ß',
  auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', eacute: 'é', egrave: 'è',
};

/** A text of Markdown with its character references as the characters; it stays a text. */
function decoded(text: string): string {
  return unturned(text.replaceAll(REFERENCE, (raw, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name]! : raw;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    const is_letter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return is_letter ? String.fromCodePoint(code) : '\ufffd';
  }));
}

export interface ProseProps {
  text: string;
  /** As it stands, with its lines. */
  plain?: boolean;
  /** So many characters are shown at once, and the rest when it is asked for. */
  limit?: number;
}

export function Prose({ text, plain = false, limit = Infinity }: ProseProps) {
  const [is_whole, setWhole] = useState(false);
  // A text that grows is read when there is time for it.
  const now = unturned(useDeferredValue(text));
  if (is_whole || now.length <= limit) return <Whole text={now} plain={plain} />;
  return (
    <div className="flex flex-col items-start gap-1">
      <Whole text={`${startOf(now, limit)}…`} plain={plain} />
      <Button look="quiet" onClick={() => setWhole(true)}>
        {`Show all ${countText(now.length)} characters`}
      </Button>
    </div>
  );
}

function Whole({ text, plain }: { text: string; plain: boolean }) {
  const tokens = useMemo(() => (plain ? null : read(text)), [text, plain]);
  // Each paragraph is laid out from the side on which its own words begin.
  if (tokens === null) {
    return (
      <p className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">{text}</p>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-2.5 wrap-anywhere
      [&_:is(p,th,td)]:[unicode-bidi:plaintext]">
      {blocks(tokens)}
    </div>
  );
}

/** The tokens of a text; null if it is not to be read as Markdown. */
function read(text: string): Token[] | null {
  if (text.length > MARKDOWN_LIMIT || NESTED.test(text)) return null;
  try {
    const lexer = new Lexer();
    lexer.blockTokens(text.replaceAll(/\r\n?/g, '\n'), lexer.tokens);
    let steps = 0;
    for (const { src, tokens } of lexer.inlineQueue) {
      steps += (src.match(MARKS)?.length ?? 0) ** 2;
      if (steps < MARK_STEPS && !LONG_WORD.test(src)) lexer.inlineTokens(src, tokens);
      else tokens.push({ type: 'text', raw: src, text: src, escaped: false });
    }
    return lexer.tokens;
  } catch {
    return null; // too deep for the stack
  }
}

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{block(token as Tokens.Generic)}</Fragment>);
}

function block(token: Tokens.Generic): ReactNode {
  switch (token.type) {
    case 'space': case 'def': case 'checkbox': return null;
    case 'hr': return <hr className="border-line" />;
    case 'heading': return <p className="font-semibold">{inline(token.tokens)}</p>;
    case 'code': return (
      <pre tabIndex={0} dir="ltr" className="overflow-x-auto rounded-md border border-line
        bg-raised p-2.5 font-mono text-sm">{token.text}</pre>
    );
    case 'blockquote': return (
      <blockquote dir="auto" className="flex flex-col gap-2 border-s-2 border-line ps-3
        text-muted">
        {blocks(token.tokens ?? [])}
      </blockquote>
    );
    case 'list': return list(token as Tokens.List);
    case 'table': return table(token as Tokens.Table);
    case 'paragraph': case 'text': return (
      <p className="whitespace-pre-wrap">
        {token.tokens ? inline(token.tokens) : decoded(token.text)}
      </p>
    );
    // HTML above all: it is text like any other.
    default: return <p className="whitespace-pre-wrap">{token.raw}</p>;
  }
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const Kind = ordered ? 'ol' : 'ul';
  return (
    <Kind start={ordered && start !== '' ? start : undefined} dir="auto"
      className={`flex flex-col gap-1 ps-6 ${ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map((item, at) => (
        <li key={at} className={item.task ? '-ms-5 flex list-none gap-1.5' : ''}>
          {item.task && (
            <span role="img" aria-label={item.checked ? 'done' : 'open'}>
              {item.checked ? '☑' : '☐'}
            </span>
          )}
          {item.task ? <div className="min-w-0">{blocks(item.tokens)}</div> : blocks(item.tokens)}
        </li>
      ))}
    </Kind>
  );
}

function table({ header, rows }: Tokens.Table): ReactNode {
  const cell = 'border border-line px-2 py-1 text-left';
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table">
      <table className="border-collapse">
        <thead>
          <tr>
            {header.map((one, at) => <th key={at} className={cell}>{inline(one.tokens)}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((one, at) => <td key={at} className={cell}>{inline(one.tokens)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, at) => <Fragment key={at}>{span(token as Tokens.Generic)}</Fragment>);
}

function span(token: Tokens.Generic): ReactNode {
  switch (token.type) {
    case 'strong': return <strong className="font-semibold">{inline(token.tokens)}</strong>;
    case 'em': return <em>{inline(token.tokens)}</em>;
    case 'del': return <del>{inline(token.tokens)}</del>;
    case 'br': return <br />;
    case 'codespan': return (
      <code dir="ltr" className="rounded bg-raised px-1 font-mono text-sm">{token.text}</code>
    );
    case 'link': return isSafe(token.href)
      ? <a href={token.href} target="_blank" rel="noopener noreferrer nofollow" className="link"
          title={token.href}>{inline(token.tokens)}</a>
      : token.raw;
    case 'image': return token.raw;
    case 'checkbox': return null; // The item of the list has it.
    case 'text': return token.tokens ? inline(token.tokens) : decoded(token.text);
    case 'escape': return token.text;
    default: return token.raw;
  }
}

function isSafe(href: string): boolean {
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}
