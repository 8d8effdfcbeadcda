import { stripVTControlCharacters } from 'node:util';
import { textWidth } from './width.ts';
import { wrapText } from './wrap.ts';

/** A character of no meaning, in place of a blank where no line may end. */
const KEPT = '\ue000';
/** Longer lines are left to the terminal. */
const LONGEST_LINE = 4_000;
/** What stands before a command that the line ends with. */
const COMMAND_LINE = /: (?=(?:[^\s`]+ )*?(?:[^\s`]*\/)?gatehouse [^`]*$)/;

/**
 * A message in lines between words that a screen can hold. Commands and lines that are indented
 * stay as they are, so that they can be copied: the terminal breaks them, and no line ends in them.
 */
export function message(text: string, columns: number): string {
  return text.split('\n').flatMap((line) => {
    if (line.length > LONGEST_LINE || line.startsWith(' ')) return [line];
    if (textWidth(line) <= columns) return [line];
    const at = line.search(COMMAND_LINE);
    if (at === -1) return wrappedWords(line, columns);
    return [...wrappedWords(line.slice(0, at + 1), columns), `  ${line.slice(at + 2)}`];
  }).join('\n');
}

/** How far a text is indented that has no room beside its name. */
const BELOW = '    ';
/** A text of several lines that are narrower is tiring to read. */
const LEAST_COLUMNS = 24;

/**
 * A message beside its name, or below it if a word or a command has no room there. Without a screen
 * it is one line.
 */
export function beside(name: string, text: string, screen: { columns: number } | null): string {
  if (screen === null) return name + text;
  const indent = textWidth(name);
  const lines = message(text, screen.columns - indent).split('\n');
  const fits = lines.every((line) => indent + textWidth(line) <= screen.columns)
    && (lines.length === 1 || screen.columns - indent >= LEAST_COLUMNS);
  if (fits || indent <= 2 * BELOW.length) {
    return name + lines.join(`\n${' '.repeat(indent)}`);
  }
  const below = message(text, screen.columns - BELOW.length).split('\n')
    .map((line) => BELOW + line);
  return (isBlank(name) ? below : [name.trimEnd(), ...below]).join('\n');
}

/**
 * Lines as a screen can hold them: where one goes on, it is indented further than it begins.
 * Without a screen they stay as they are.
 */
export function hanging(text: string, screen: { columns: number } | null): string {
  if (screen === null) return text;
  const { columns } = screen;
  return text.split('\n').flatMap((line) => {
    if (line.length > LONGEST_LINE || textWidth(line) <= columns) return [line];
    const blanks = /^ */.exec(line)![0];
    if (blanks !== '') return wrapText(line.slice(blanks.length), columns, blanks, `${blanks}  `);
    return message(line, columns - 2).split('\n')
      .map((part, at) => at === 0 ? part : `  ${part}`);
  }).join('\n');
}

/** Whether nothing is seen of a name: blanks may have colours, too. */
function isBlank(name: string): boolean {
  return stripVTControlCharacters(name).trim() === '';
}

/** The lines of a text, none of which ends within backquotes. */
function wrappedWords(text: string, columns: number): string[] {
  const whole = text.replace(/`[^`]*`/g, (command) => command.replaceAll(' ', KEPT));
  return wrapText(whole, columns).map((line) => line.replaceAll(KEPT, ' '));
}
