import { layOut, wordByWord } from './columns.ts';
import { inline } from './markdownInline.ts';
import type { Style } from './style.ts';

const DIVISION = /^\s*\|(?:\s*:?-+:?\s*\|)*\s*:?-*:?\s*$/;
/** Longer cells are shown with their marks. */
const CELL_CHARACTERS = 2_000;
const MOST_COLUMNS = 30;

/** The lines of a table of Markdown on the screen; what is no table stays as it is. */
export function tableLines(lines: readonly string[], columns: number, style: Style): string[] {
  const [head, division, ...body] = lines;
  if (division === undefined || !DIVISION.test(division) || body.length === 0) return [...lines];
  const headings = cellsOf(head!);
  if (headings.length > MOST_COLUMNS) return [...lines];
  const right = new Set(cellsOf(division).flatMap((mark, column) =>
    mark.endsWith(':') && !mark.startsWith(':') ? [column] : []));
  const styled = wordByWord(style);
  const cell = (text: string) =>
    text.length > CELL_CHARACTERS ? text : inline(text, styled);
  return layOut({
    headings: headings.map((text) => styled('bold', text)), right,
    rule: (width) => style('dim', '─'.repeat(width)),
    rows: body.map((line) => {
      const cells = cellsOf(line);
      return headings.map((_, column) => cell(cells[column] ?? ''));
    }),
  }, columns);
}

function cellsOf(line: string): string[] {
  const cells = line.trim().replace(/^\|/, '').split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells;
}
