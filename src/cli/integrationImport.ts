/** What adding and changing an integration share: where its actions come from, what came of it. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readVariables } from '../config.ts';
import { ApiError, type Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { collect } from './options.ts';
import { oneLine, type Terminal } from './terminal.ts';

export interface SourceOptions {
  document?: string;
  mcpUrl?: string;
  mcpCommand?: string;
  mcpEnv: string[];
  /** Undefined: as it is, or false for a new one. */
  trustHints?: boolean;
}

/** The part of a request that says where the actions come from. */
export type Source =
  { document: string } | { document_url: string } | { mcp: Schemas['McpServer'] };

const SHOWN_REASONS = 10;

/** Gives a command the flags that say where the actions come from. */
export function withSource(command: Command): Command {
  return command
    .option('--document <file or url>', 'the OpenAPI document, JSON or YAML')
    .option('--mcp-url <url>', 'an MCP server, by its address')
    .option('--mcp-command <command>', 'an MCP server that the service starts, with its arguments')
    .option('--mcp-env <name>', 'a variable of this environment that the command gets; may be'
      + ' repeated', collect, [])
    .option('--trust-hints', "believe the MCP server's readOnlyHint");
}

/** What the flags say; null if they say nothing. Throws Failure if they say several things. */
export async function sourceOf(options: SourceOptions): Promise<Source | null> {
  const { document, mcpUrl, mcpCommand } = options;
  const given = [document, mcpUrl, mcpCommand].filter((value) => value !== undefined);
  if (given.length > 1) {
    throw new Failure('Give one of --document, --mcp-url and --mcp-command: where the actions come'
      + ' from.', EXIT.usage);
  }
  if (given.length === 0) return null;
  return document === undefined ? { mcp: mcpOf(options) } : await documentOf(document);
}

function mcpOf({ mcpUrl, mcpCommand, mcpEnv, trustHints }: SourceOptions): Schemas['McpServer'] {
  const trust = trustHints === undefined ? {} : { trust_hints: trustHints };
  if (mcpUrl !== undefined) return { url: mcpUrl, ...trust };
  const [command, ...args] = wordsOf(mcpCommand!);
  if (command === undefined) throw new Failure('--mcp-command is empty.', EXIT.usage);
  return {
    // The service would look for `./server` in another folder than this.
    command: command.includes('/') ? resolve(command) : command,
    args, ...trust, ...(mcpEnv.length > 0 && { env: readVariables(mcpEnv) }),
  };
}

/** The words of a command line, as a shell would tell them; nothing is expanded. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

async function documentOf(
  place: string): Promise<{ document_url: string } | { document: string }> {
  if (/^https?:\/\//i.test(place)) return { document_url: place };
  try {
    return { document: await readFile(place, 'utf8') };
  } catch (error) {
    throw new Failure(`The document cannot be read: ${(error as Error).message}.`, EXIT.usage,
      error);
  }
}

/** Names the flag that opens an address of the operator's own. */
export function withAdvice(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'egress_refused') throw error;
  throw new Failure(`${error.message}\nHere: --allow <address>:<port>, or a range such as`
    + ' 10.1.0.0/16:443.', EXIT.failed, error);
}

/** What came of an import: how many actions, and what was left out and why. */
export function report({ out, style }: Terminal, made: Schemas['Integration']): void {
  const { slug, kind, title, actions } = made;
  const { operations, imported, skipped, warnings } = made.report;
  out(`${style('bold', slug)} (${oneLine(title, 60)}): ${imported} of ${operations}`
    + ` ${kind === 'mcp' ? 'tools' : 'operations'} are actions: ${actions.read} read,`
    + ` ${actions.write} write, ${actions.destructive} destructive.\n`);
  if (actions.quarantined > 0) {
    out(`${actions.quarantined} have changed and are quarantined; take them back with refresh`
      + ' --accept.\n');
  }
  for (const { source_key, reason } of skipped.slice(0, SHOWN_REASONS)) {
    out(`  left out: ${oneLine(source_key, 80)}: ${oneLine(reason, 120)}\n`);
  }
  if (skipped.length > SHOWN_REASONS) out(`  and ${skipped.length - SHOWN_REASONS} more\n`);
  for (const warning of warnings.slice(0, SHOWN_REASONS)) out(`  note: ${oneLine(warning, 200)}\n`);
}
