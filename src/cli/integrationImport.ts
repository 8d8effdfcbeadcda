/** What adding and changing an integration share: where its actions come from, what came of it. */
import { resolve } from 'node:path';
import { readVariables } from '../config.ts';
import { howToAllow, isNotPublic } from './allowing.ts';
import type { Schemas } from './client.ts';
import { documentInFiles, type DocumentInFiles } from './documentFiles.ts';
import { EXIT, Failure } from './failure.ts';
import { flag, repeated, toggle, type InputValues } from './inputs.ts';
import { andMore, linesTo } from './output.ts';
import { oneLine, safeText, type Terminal } from './terminal.ts';
import type { Workplace } from './workplace.ts';

/** The flags that say where the actions come from. */
export const SOURCE = {
  document: flag('--document <file or url>', 'the OpenAPI document, JSON or YAML; - reads it'
    + ' from standard input'),
  mcp_url: flag('--mcp-url <url>', 'an MCP server, by its address'),
  mcp_command: flag('--mcp-command <command>',
    'an MCP server that the service starts, with its arguments'),
  mcp_env: repeated('--mcp-env <name>',
    'a variable of this environment that the command gets; may be repeated'),
  trust_hints: toggle('--trust-hints', "believe the MCP server's readOnlyHint"),
};

type SourceFlags = InputValues<typeof SOURCE>;

/** The part of a request that says where the actions come from. */
type Source =
  DocumentInFiles | { document_url: string } | { mcp: Schemas['McpServer'] };

const SHOWN_REASONS = 10;
/** A note ends with what to do: a command, which is of use as a whole. */
const NOTE_CHARACTERS = 2_000;
const NOT_SHOWN = 'more that are not shown';

/** What the flags say; null if they say nothing. Throws Failure if they say several things. */
export async function sourceOf(flags: SourceFlags): Promise<Source | null> {
  const { document, mcp_url, mcp_command } = flags;
  const given = [document, mcp_url, mcp_command].filter((value) => value !== undefined);
  if (given.length > 1) throw unclearSource();
  if (given.length === 0) return null;
  return document === undefined ? { mcp: mcpOf(flags) } : await documentOf(document);
}

/** The failure of a command line that does not name exactly one source. */
export function unclearSource(): Failure {
  return new Failure('Give one of --document, --mcp-url and --mcp-command: where the actions come'
    + ' from.', EXIT.usage);
}

function mcpOf({ mcp_url, mcp_command, mcp_env, trust_hints }: SourceFlags): Schemas['McpServer'] {
  if (mcp_url !== undefined) return { url: mcp_url, trust_hints };
  const [command, ...args] = wordsOf(mcp_command!);
  if (command === undefined) throw new Failure('--mcp-command is empty.', EXIT.usage);
  return {
    // The service would look for `./server` in another folder than this.
    command: command.includes('/') ? resolve(command) : command,
    args, trust_hints, env: mcp_env && readVariables(mcp_env),
  };
}

/**
 * What a shell takes together; a line that goes on after a backslash first, which is no part of a
 * word. What is left at the end is a quote or a backslash that a shell would wait to see ended.
 */
const PIECES = /(\\\n)|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|[^ \t\n"'\\]+|([ \t\n]+)|(.)/gs;

/**
 * The words of a command line, as a shell would tell them; nothing is expanded. Throws Failure for
 * a quote without its end and for a backslash that ends the line.
 */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let open = false;
  for (const [piece, goesOn, doubly, singly, escaped, blanks, endless]
    of line.replaceAll('\r\n', '\n').matchAll(PIECES)) {
    if (goesOn !== undefined) continue;
    if (endless !== undefined) {
      throw new Failure(endless === '\\' ? '--mcp-command ends in a backslash.'
        : '--mcp-command has a quote that does not end.', EXIT.usage);
    }
    const part = doubly?.replaceAll(/\\(?:\n|(["$`\\]))/g, '$1') ?? singly ?? escaped ?? piece;
    if (blanks === undefined) words.push((open ? words.pop()! : '') + part);
    open = blanks === undefined;
  }
  return words;
}

async function documentOf(place: string): Promise<Source> {
  if (/^https?:\/\//i.test(place)) return { document_url: place };
  return await documentInFiles(place);
}

/** Prints how many actions an import has made, what it has left out and why, and what waits. */
export function report(
  { terminal, again, callable }: Workplace, made: Schemas['Integration']): void {
  const { style } = terminal;
  const out = linesTo(terminal);
  const { slug, kind, title, actions } = made;
  const { operations, imported, has_resources, skipped, errors = [], warnings } = made.report;
  out(`${style('bold', slug)} (${oneLine(title, 60)}): ${imported} of ${operations}`
    + ` ${kind === 'mcp' ? 'tools' : 'operations'} are actions`
    + `${has_resources ? ', and one reads resources' : ''}: ${actions.read} read,`
    + ` ${actions.write} write, ${actions.destructive} destructive.\n`);
  if (actions.quarantined > 0) {
    out(`${actions.quarantined} are new or have changed, and are quarantined until you accept`
      + ' them: refresh --accept.\n');
  }
  showLeftBehind(terminal, made.report);
  showChanges(terminal, made.report, again('integrations', 'refresh', slug, '--accept'));
  firstOf(out, skipped.map(({ source_key, reason }) =>
    `left out: ${oneLine(source_key, 80)}: ${oneLine(reason, 120)}`));
  firstOf(out, errors.map((error) => `error: ${oneLine(error, 400)}`));
  firstOf(out, warnings.map((warning) => `note: ${callable(oneLine(warning, NOTE_CHARACTERS))}`));
  if (warnings.some(isNotPublic)) terminal.err(`${howToAllow(again, made)}\n`);
}

function firstOf(
  out: (text: string) => void, lines: readonly string[], total = lines.length): void {
  for (const line of lines.slice(0, SHOWN_REASONS)) out(`  ${line}\n`);
  andMore(out, total - Math.min(lines.length, SHOWN_REASONS));
}

/** What the source calls otherwise or does not have any more, and what then names nothing. */
function showLeftBehind(terminal: Terminal, made: Schemas['ImportReport']): void {
  const out = linesTo(terminal);
  const { moved = [], vanished = [], dangling_grants: dangling = [], patterns = [] } = made;
  firstOf(out, moved.map(({ action, before, after }) =>
    `moved: ${oneLine(action, 255)}: ${oneLine(before, 80)} is now ${oneLine(after, 80)}`),
  made.moved_total);
  firstOf(out, vanished.map(({ action, source_key, restricted }) => `gone: ${oneLine(action, 255)}`
    + ` (${oneLine(source_key, 80)})${restricted ? ', which was restricted' : ''}`),
  made.vanished_total);
  firstOf(out, dangling.map(({ grant_id, actions, decision }) =>
    `names nothing: ${decision} ${oneLine(actions, 255)} (${grant_id})`),
  made.dangling_grants_total);
  firstOf(out, patterns.map(({ pattern, matches, decides }) =>
    `by pattern: ${oneLine(pattern, 255)} holds for ${matches}, and for ${matches - decides} of`
      + ' them something more specific, too'));
}

/** Which actions have other names now, or would have. */
export function showRenames(
  { terminal, again }: Workplace,
  { slug, kind, report: made }: Schemas['Integration']): void {
  const out = linesTo(terminal);
  if (kind === 'mcp') {
    out('Names of tools come from their server, and are not made anew.\n');
    return;
  }
  const { renames = [], renames_total: total = 0 } = made;
  for (const { action, name, applied, reason } of renames) {
    out(`  ${applied ? 'renamed' : 'name'}: ${oneLine(action, 255)} → ${oneLine(name, 255)}${
      reason === null ? '' : ` (stays: ${oneLine(reason, 200)})`}\n`);
  }
  andMore(out, total - renames.length, NOT_SHOWN);
  if (total === 0) out('All actions have the names that new ones would get.\n');
  else if (renames.every(({ applied }) => !applied)) {
    out('Nothing is renamed yet. Callers that know the old names have to learn the new ones. Rename'
      + ` with: ${again('integrations', 'refresh', slug, '--rename', '--yes')}\n`);
  }
}

/** What has changed and waits, old and new; the service has escaped what could hide in it. */
function showChanges(
  terminal: Terminal, { changes = [], changes_total = 0 }: Schemas['ImportReport'],
  accept: string): void {
  const { style } = terminal;
  const out = linesTo(terminal);
  for (const { action, offered, fields, fields_total } of changes) {
    out(`  changed: ${style('bold', oneLine(action, 255))} (${offered ? 'goes on as it was accepted'
      : 'quarantined'})\n`);
    for (const { field, before, after } of fields) {
      out(`    ${safeText(field)}\n`);
      if (before !== null) out(style('red', `      - ${safeText(before)}`) + '\n');
      if (after !== null) out(style('green', `      + ${safeText(after)}`) + '\n');
    }
    andMore((text) => out(`  ${text}`), fields_total - fields.length, NOT_SHOWN);
  }
  andMore(out, changes_total - changes.length, 'more actions that are not shown');
  if (changes_total > 0) out(`Accept what has changed, as it is shown here, with: ${accept}\n`);
}
