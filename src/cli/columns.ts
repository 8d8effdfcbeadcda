/** Cells in columns, as wide as the screen allows. */
import type { Style } from './style.ts';
import { padTo, textWidth } from './width.ts';
import { unitsOf, wrapText } from './wrap.ts';

const GAP = '  ';
/** What stands before a cell that is below the others of its row. */
const BELOW = '    ';

/** The largest measure; 0 of nothing. (Math.max does not take a hundred thousand arguments.) */
function most<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((largest, item) => Math.max(largest, measure(item)), 0);
}

/** Colours each word by itself: a cell of two lines would colour its neighbour, too. */
export function wordByWord(style: Style): Style {
  return (format, text) => text.replace(/\S+/g, (word) => style(format, word));
}

/** Cells may have our colours, word by word; each row has as many as there are headings. */
export interface Cells {
  headings: string[];
  rows: string[][];
  /** The columns whose cells end where the column ends: numbers. */
  right?: ReadonlySet<number>;
  /** What is drawn below the headings of a table. */
  rule?: (width: number) => string;
}

/**
 * The lines of a table of at most so many columns of the screen. Cells are broken between words
 * where it is too wide; where that does not help, the last cell stands below the others, or each
 * row becomes lines of a heading and a cell.
 */
export function layOut(
  { headings, rows, right = new Set(), rule }: Cells, columns: number): string[] {
  const all = [headings, ...rows];
  const widest = (measure: (cell: string) => number) => headings.map((_, column) =>
    most(all, (row) => measure(row[column]!)));
  const room = columns - GAP.length * (headings.length - 1);
  const widths = shared(widest(textWidth), () => widest(longestWord), room);
  if (widths === null) {
    return (rule ? null : lastBelow({ headings, rows, right }, columns))
      ?? records(headings, rows, columns);
  }
  const line_width = widths.reduce((total, width) => total + GAP.length + width, -GAP.length);
  return all.flatMap((row, index) => {
    const cells = row.map((cell, column) => textWidth(cell) <= widths[column]!
      ? [cell] : wrapText(cell, widths[column]!));
    const height = Math.max(...cells.map((lines) => lines.length));
    const lines = Array.from({ length: height }, (_, at) => cells.map((lines, column) => {
      const line = lines[at] ?? '';
      return right.has(column)
        ? ' '.repeat(Math.max(0, widths[column]! - textWidth(line))) + line
        : padTo(line, widths[column]!);
    }).join(GAP).trimEnd());
    return index === 0 && rule ? [...lines, rule(line_width)] : lines;
  });
}

/** The widths of columns: the widest give room to the others. Null if words would be broken. */
function shared(natural: number[], leastOf: () => number[], room: number): number[] | null {
  const sum = (widths: number[]) => widths.reduce((total, width) => total + width, 0);
  if (sum(natural) <= room) return natural;
  const least = leastOf();
  if (sum(least) > room) return null;
  const limited = (limit: number) => natural.map((width, column) =>
    Math.max(least[column]!, Math.min(width, limit)));
  let limit = room;
  while (sum(limited(limit)) > room) limit--;
  return limited(limit);
}

function longestWord(cell: string): number {
  return cell.split(/\s+/).flatMap(unitsOf)
    .reduce((longest, unit) => Math.max(longest, textWidth(unit)), 0);
}

/**
 * Each row in two lines, with the last cell below the others: the one that says most, where ids
 * leave no room beside them. Null if the others have none either.
 */
function lastBelow({ headings, rows, right }: Cells, columns: number): string[] | null {
  const all = [headings, ...rows];
  const before = all.map((row) => row.slice(0, -1));
  const width = headings.slice(0, -1).reduce((sum, _, column) =>
    sum + GAP.length + most(before, (row) => textWidth(row[column]!)), -GAP.length);
  if (headings.length < 3 || width > columns) return null;
  const lines = layOut({ headings: before[0]!, rows: before.slice(1), right }, columns);
  return all.flatMap((row, index) =>
    [lines[index]!, ...wrapText(row.at(-1)!, columns, BELOW, BELOW)]);
}

function records(headings: string[], rows: string[][], columns: number): string[] {
  const width = Math.min(Math.max(...headings.map(textWidth)), Math.floor(columns / 3));
  // A mark without a heading goes with the cell that it stands before.
  const marked = (row: string[], column: number) =>
    headings[column - 1] === '' && row[column - 1] !== '' ? `${row[column - 1]} ` : '';
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...row.flatMap((cell, column) => cell === '' || headings[column] === '' ? []
      : wrapText(marked(row, column) + cell, columns, `${padTo(headings[column]!, width)}${GAP}`,
        ' '.repeat(width + GAP.length))),
  ]);
}
