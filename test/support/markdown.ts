/** Reading our own pages: their fenced blocks, their links, and the file names they mention. */
import { dirname, join, normalize } from 'node:path';
import { filesBelow, read } from './sourceTree.ts';

export interface Fence {
  /** First word after the fence: bash, js, json, text, … */
  language: string;
  /** What follows it: `output`, `norun <reason>`, or nothing. */
  info: string;
  text: string;
  line: number;
}

/** Every page of the repository. */
export function pages(): string[] {
  return filesBelow('', '.md');
}

export function fencesOf(page: string): Fence[] {
  return [...read(page).matchAll(/^( *)```(\w*)(?: +(.*))?\n([^]*?)^\1```$/gm)].map((match) => ({
    language: match[2]!, info: match[3] ?? '', text: match[4]!,
    line: read(page).slice(0, match.index).split('\n').length,
  }));
}

/** The page without its fenced blocks: what is said, not what is shown. */
export function proseOf(page: string): string {
  return read(page).replaceAll(/^( *)```[^]*?^\1```$/gm, '');
}

/** Targets of links to files of the repository, relative to its root, with their anchors. */
export function linksOf(page: string): { path: string; anchor: string }[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor = ''] = target.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path!)), anchor };
    });
}

/** The anchors of a page's headings, as they are made from their words. */
export function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

/** Names of files and folders that a page mentions as code, such as `src/runs/worker.ts`. */
export function fileNamesOf(page: string): string[] {
  return [...proseOf(page).matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!)
    .filter((name) => /^[\w.]+.*\w\.(ts|js|md|sql|yaml|json)$/.test(name)
      || /^(src|test|docs|scripts|generated|bin)\//.test(name));
}

/** The table under a heading row, as one record of cells for each of its rows. */
export function tableOf(page: string, head: string[]): Record<string, string>[] {
  const first = `| ${head.join(' | ')} |\n`;
  const at = read(page).indexOf(first);
  if (at === -1) throw new Error(`${page} has no table ${first}`);
  const lines = read(page).slice(at + first.length).split('\n').slice(1);
  return lines.slice(0, lines.findIndex((line) => !line.startsWith('|'))).map((line) => {
    const cells = line.split('|').slice(1, -1).map((cell) => cell.trim());
    return Object.fromEntries(head.map((name, index) => [name, cells[index]!]));
  });
}
