/** The tools of a server, read from what it answers to `tools/list`. */
import { objectOf, textOf, type JsonObject } from '../../json.ts';
import { sanitizeText } from '../../sanitize.ts';
import { beginningOf, type Scrub } from './beginningOf.ts';
import type { McpAction } from './integration.ts';
import { mirroredArguments, type MirroredArgument } from './mirrored.ts';
import { READ_RESOURCE } from './resources.ts';
import { Copies, fingerprint, toInputSchema, toOutputSchema } from './schema.ts';

/** What the server says of a tool; `source_key`: as it calls it. */
export type Tool = Pick<McpAction, 'source_key' | 'title' | 'description' | 'input_schema'
  | 'output_schema' | 'hints' | 'schema_hash'>;

export interface SkippedTool {
  source_key: string;
  reason: string;
}

const NAME_LIMIT_CHARS = 200;
const TITLE_LIMIT_CHARS = 200;
const DESCRIPTION_LIMIT_CHARS = 4_000;
/** Of a name that is none. */
const SHOWN_CHARS = 80;
const NO_NAME = `its name is not a text of 1 to ${NAME_LIMIT_CHARS} characters`;
const SAME_NAME = 'another tool before it has the same name';
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/**
 * Reads what a server lists, without secrets. Of two tools with one name the first counts.
 * `mirrors`: the protocol has arguments in headers there, and which they are has to be right.
 */
export function readTools(
  listed: readonly unknown[], scrub: Scrub, mirrors = false,
): { tools: Tool[], skipped: SkippedTool[] } {
  const tools = new Map<string, Tool>();
  const skipped: SkippedTool[] = [];
  const copies = new Copies();
  for (const item of listed) {
    const raw = objectOf(item);
    const name = toolName(raw);
    const tool = name === null ? { problem: NO_NAME } : tools.has(name) ? { problem: SAME_NAME }
      : readTool(name, raw, scrub, mirrors, copies);
    if ('problem' in tool) {
      const source_key = name ?? beginningOf(textOf(raw.name) ?? '', SHOWN_CHARS, scrub);
      skipped.push({ source_key, reason: tool.problem });
    } else tools.set(tool.source_key, tool);
  }
  return { tools: [...tools.values()], skipped };
}

/** What a call looks at of a tool as the server lists it. */
export interface ListedTool {
  schema_hash: string;
  mirrored: readonly MirroredArgument[];
}

/** What a server lists, by the tools' names. */
export function listedTools(listed: readonly unknown[]): Map<string, ListedTool> {
  const tools = new Map<string, ListedTool>();
  for (const item of listed) {
    const raw = objectOf(item);
    const name = toolName(raw);
    const schema_hash = name === null || tools.has(name) ? null : schemaHash(raw);
    if (name === null || schema_hash === null) continue;
    tools.set(name, { schema_hash, mirrored: mirroredArguments(raw.inputSchema) ?? [] });
  }
  return tools;
}

/** A name that sanitising would change is refused: the stored name could not be called. */
function toolName({ name }: JsonObject): string | null {
  return typeof name === 'string' && name !== '' && name.length <= NAME_LIMIT_CHARS
    && sanitizeText(name) === name ? name : null;
}

/** The tool, or why it becomes no action. */
function readTool(
  name: string, raw: JsonObject, scrub: Scrub, mirrors: boolean, copies: Copies,
): Tool | { problem: string } {
  if (name === READ_RESOURCE) return { problem: 'its name is that of an action of this service' };
  if (objectOf(raw.execution).taskSupport === 'required') {
    return { problem: 'it can be called as a task alone, and tasks are not known here' };
  }
  if (mirrors && mirroredArguments(raw.inputSchema) === null) {
    return { problem: 'its input schema names headers for arguments where the protocol does not'
      + ' allow it' };
  }
  const input = toInputSchema(raw.inputSchema, copies);
  if ('problem' in input) return input;
  const schema_hash = schemaHash(raw);
  if (schema_hash === null) return { problem: 'its schemas are too large' };
  const annotations = objectOf(raw.annotations);
  const title = textOf(raw.title) ?? textOf(annotations.title) ?? name.replace(/[._-]+/g, ' ');
  const shortTitle = beginningOf(title, TITLE_LIMIT_CHARS, scrub);
  const description = textOf(raw.description) || shortTitle;
  return {
    source_key: name,
    title: shortTitle,
    description: beginningOf(description, DESCRIPTION_LIMIT_CHARS, scrub),
    input_schema: input.schema,
    output_schema: toOutputSchema(raw.outputSchema, copies),
    hints: Object.fromEntries(hintsOf(annotations)
      .filter(([, hint]) => hint === null || typeof hint === 'boolean')),
    schema_hash,
  };
}

/**
 * A hash of the schemas and hints alone: they decide what a call is checked by and who may make it.
 * Titles and descriptions are left out, for honest servers put dates and folders into them; those
 * that an operator accepted stay in use.
 */
function schemaHash(raw: JsonObject): string | null {
  const hints = hintsOf(objectOf(raw.annotations)).map(([, hint]) => hint);
  return fingerprint([raw.inputSchema ?? null, raw.outputSchema ?? null, hints]);
}

function hintsOf(annotations: JsonObject): [name: string, hint: unknown][] {
  return HINTS.map((name) => [name, annotations[name] ?? null]);
}
