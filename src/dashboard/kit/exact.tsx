/** Texts of others shown to the letter: what deceives the eye is marked, and so is what differs. */
import type { ReactNode } from 'react';
import { CopyButton } from './controls.tsx';

type Kind = 'hidden' | 'mixed' | 'rtl' | 'plain';
interface Part { kind: Kind; text: string }

const RTL = '\\p{sc=Hebr}\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Thaa}\\p{sc=Nkoo}\\p{sc=Adlm}';
/** In turn: what joins or colours an emoji; what cannot be seen; right-to-left words; words. */
const PARTS = new RegExp([
  '(?<emoji>\\p{RGI_Emoji})',
  '(?<hidden>(?:[\\p{DI}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\u2800]|[\\p{Cc}--[\\n\\t]]'
    + '|[\\p{Zs}--[\\u0020]]))',
  `(?<rtl>[${RTL}](?:[${RTL}\\p{M}\\p{Nd}]|\\u0020(?=[${RTL}]))*)`,
  '(?<word>[[\\p{L}\\p{M}\\p{N}]--[\\p{DI}]](?:[[\\p{L}\\p{M}\\p{N}\\u002d.]--[\\p{DI}]])*)',
].join('|'), 'gv');
const PLAIN = /^[\n\t\x20-\x7e]*$/;
const LATIN = /\p{sc=Latn}/u;
const LOOK_ALIKE = /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}]/u;

/** The text in its parts, in order; nothing is left out. */
function partsOf(text: string): Part[] {
  if (PLAIN.test(text)) return [{ kind: 'plain', text }];
  const parts: Part[] = [];
  let plain_from = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(PARTS)) {
    const kind: Kind = groups.hidden !== undefined ? 'hidden' : groups.rtl !== undefined ? 'rtl'
      : groups.word !== undefined && LATIN.test(found) && LOOK_ALIKE.test(found) ? 'mixed'
        : 'plain';
    if (kind === 'plain') continue;
    if (index > plain_from) parts.push({ kind: 'plain', text: text.slice(plain_from, index) });
    parts.push({ kind, text: found });
    plain_from = index + found.length;
  }
  if (plain_from < text.length) parts.push({ kind: 'plain', text: text.slice(plain_from) });
  return parts;
}

const NAMES: Readonly<Record<number, string>> = {
  0xad: 'soft hyphen', 0x200b: 'zero-width space', 0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner', 0x200e: 'left-to-right mark', 0x200f: 'right-to-left mark',
  0x202a: 'left-to-right embedding', 0x202b: 'right-to-left embedding',
  0x202d: 'left-to-right override', 0x202e: 'right-to-left override', 0x2060: 'word joiner',
  0x2066: 'left-to-right isolate', 0x2067: 'right-to-left isolate', 0xfeff: 'byte order mark',
  0xa0: 'no-break space', 0x1b: 'escape',
};

function codeOf(letter: string): string {
  return `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** More marks than these are not drawn as such: their codes stand in the text. */
const MARKS = 500;

/**
 * A text of others as it is, with marks where it deceives the eye: letters that cannot be seen or
 * turn the text around stand there by their codes, words of look-alike alphabets are underlined,
 * and what is written from right to left does not move what stands beside it. `is_exact`: also the
 * ends of lines are as they stand there.
 */
export function Marked({ children, is_exact = false }: {
  children: string; is_exact?: boolean;
}): ReactNode {
  const text = is_exact ? children : withPlainEnds(children);
  const parts = partsOf(text);
  if (parts.length > MARKS * 2) return textOf(parts);
  return parts.map(({ kind, text: part }, at) => {
    if (kind === 'plain') return part;
    if (kind === 'rtl') return <bdi key={at} dir="rtl">{part}</bdi>;
    const mark = 'rounded bg-warn-soft text-warn';
    if (kind === 'mixed') {
      return (
        <mark key={at} title="A word of letters of two alphabets that look alike"
          className={`${mark} underline decoration-wavy`}>{part}</mark>
      );
    }
    return (
      <mark key={at} title={NAMES[part.codePointAt(0)!] ?? 'a character that cannot be seen'}
        className={`${mark} px-0.5 font-mono text-xs`}>{codeOf(part)}</mark>
    );
  });
}

const FROM_THE_RIGHT = new RegExp(`^\\P{L}*[${RTL}]`, 'u');

/**
 * A name that others have given: marked, and it moves nothing that stands beside it. One that
 * begins from the right goes on to the left; without room its end is cut off, as of any other.
 */
export function Name({ children }: { children: string }) {
  const is_rtl = FROM_THE_RIGHT.test(children);
  return (
    <bdi dir={is_rtl ? 'rtl' : undefined} className={is_rtl
      ? 'inline-block max-w-full overflow-hidden align-bottom text-ellipsis' : undefined}>
      <Marked>{children}</Marked>
    </bdi>
  );
}

/** The same for places that take only letters, such as hints and choices. */
export function markedText(text: string): string {
  return textOf(partsOf(withPlainEnds(text)));
}

/** A name on one line of a table: cut off without room, whole on hover. `is_main`: of the row. */
export function CutName({ children, is_main }: { children: string; is_main?: boolean }) {
  return (
    <span title={markedText(children)} className={`truncate ${is_main ? 'font-medium' : ''}`}>
      <Name>{children}</Name>
    </span>
  );
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ kind, text }) => (kind === 'hidden' ? `[${codeOf(text)}]` : text)).join('');
}

/** Lines as Windows and HTTP end them deceive nobody; where each letter counts, they are marked. */
function withPlainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** How many marks these texts have. */
export function marksIn(texts: readonly string[]): Record<'hidden' | 'mixed', number> {
  const kinds = texts.flatMap(partsOf).map(({ kind }) => kind);
  const count = (one: Kind) => kinds.filter((kind) => kind === one).length;
  return { hidden: count('hidden'), mixed: count('mixed') };
}

const INDENT_LIMIT = 20;
const JSON_PARTS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON with a line for each member. Every name and value stays as it is written. */
function indentedJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const lines: string[] = [];
  let depth = 0;
  let line = '';
  const end = () => {
    if (line !== '') lines.push(line);
    line = '  '.repeat(Math.min(depth, INDENT_LIMIT));
  };
  for (const [part] of text.matchAll(JSON_PARTS)) {
    const is_empty = /[{[]$/.test(line);
    if (part === '{' || part === '[') {
      if (is_empty) end();
      line += part;
      depth++;
    } else if (part === '}' || part === ']') {
      depth--;
      if (!is_empty) end();
      line += part;
    } else if (part === ',') {
      line += part;
      end();
    } else {
      if (is_empty) end();
      line += part === ':' ? ': ' : part;
    }
  }
  return [...lines, line].join('\n');
}

/** A text of others to read to its end; JSON has a line for each member. */
export function Exact({ text, what }: { text: string; what: string }) {
  return (
    <div className="panel relative min-w-0">
      <div className="absolute top-1 right-3 rounded-md bg-surface">
        <CopyButton text={text} what={what} />
      </div>
      <pre tabIndex={0} role="region" aria-label={what} dir="ltr" className="max-h-[60dvh]
        overflow-auto p-2.5 pr-12 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        <Marked is_exact>{indentedJson(text) ?? text}</Marked>
      </pre>
    </div>
  );
}

/** Two texts, one below the other, with the words marked that are different; null for no text. */
export function Difference({ before, after }: { before: string | null; after: string | null }) {
  return (
    <>
      <Side of={before} against={after} is_new={false} />
      <Side of={after} against={before} is_new />
    </>
  );
}

/** One side of it; the words that the other has not are marked. */
function Side({ of, against, is_new }: {
  of: string | null; against: string | null; is_new: boolean;
}) {
  if (of === null) return null;
  const Mark = is_new ? 'ins' : 'del';
  const tone = is_new ? 'bg-good-soft text-good' : 'bg-bad-soft text-bad';
  return (
    <p className="flex gap-2 font-mono text-sm">
      <span aria-hidden="true" className="text-muted select-none">{is_new ? '+' : '−'}</span>
      <span className="sr-only">{is_new ? 'after: ' : 'before: '}</span>
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
        {marked(of, against ?? '').map(([text, is_same], at) => (
          is_same ? <Marked key={at}>{text}</Marked>
            : <Mark key={at} className={`rounded-sm no-underline ${tone}`}>
              <Marked>{text}</Marked></Mark>))}
      </span>
    </p>
  );
}

/** So many words on a side are compared; of longer texts all that follows counts as changed. */
const WORDS_COMPARED = 600;

/** The parts of a text, and whether the other text has them, too, in the same order. */
function marked(text: string, other: string): [text: string, is_same: boolean][] {
  const [mine, theirs] = [wordsOf(text), wordsOf(other)];
  const rows = Math.min(mine.length, WORDS_COMPARED);
  const columns = Math.min(theirs.length, WORDS_COMPARED);
  const isSame = (i: number, j: number) =>
    i < rows && j < columns && mine[i]!.trimEnd() === theirs[j]!.trimEnd();
  // common[i][j]: how many words the rests from i and from j have in common.
  const common = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      common[i]![j] = isSame(i, j) ? common[i + 1]![j + 1]! + 1
        : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    }
  }
  const parts: [string, boolean][] = [];
  for (let i = 0, j = 0; i < mine.length; i++) {
    while (i < rows && j < columns && !isSame(i, j)
      && common[i]![j + 1]! >= common[i + 1]![j]!) j++;
    const is_same = isSame(i, j);
    const last = parts.at(-1);
    if (last?.[1] === is_same) last[0] += mine[i]!;
    else parts.push([mine[i]!, is_same]);
    if (is_same) j++;
  }
  return parts;
}

/** Words, each with the blanks behind it. */
function wordsOf(text: string): string[] {
  return text.split(/(?<=\s)(?=\S)/);
}
