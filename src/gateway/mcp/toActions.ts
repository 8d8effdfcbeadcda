/** From the tools of a server to actions: names and effects. */
import type { Effect } from '../action/action.ts';
import type { McpAction, McpIntegration } from './integration.ts';
import { nameTools } from './naming.ts';
import { readTools, type SkippedTool, type Tool } from './tools.ts';

/** Names that earlier imports gave, by source key: they stay, and are given to no other tool. */
export type KnownNames = ReadonlyMap<string, string>;

export interface McpReport {
  /** Tools that became no action, and why. */
  skipped: SkippedTool[];
  /** There were more tools than are taken. */
  cut: boolean;
}

/** The actions of what a server lists, in its order, as it describes them now. */
export function toActions(
  integration: McpIntegration, listed: readonly unknown[], cut: boolean,
  known: KnownNames = new Map(),
): { actions: McpAction[], report: McpReport } {
  const { tools, skipped } = readTools(listed);
  const names = nameTools(integration.slug,
    tools.map(({ name }) => name).filter((name) => !known.has(name)), new Set(known.values()));
  const actions = tools.map((tool) =>
    toAction(integration, tool, known.get(tool.name) ?? names.get(tool.name)!));
  return { actions, report: { skipped, cut } };
}

function toAction(integration: McpIntegration, tool: Tool, name: string): McpAction {
  return {
    name,
    integration: integration.slug,
    source_key: tool.name,
    title: tool.title,
    description: tool.description,
    effect: effectOf(integration, tool),
    input_schema: tool.input_schema,
    output_schema: tool.output_schema,
    paged: false,
    hints: tool.hints,
    schema_hash: tool.schema_hash,
  };
}

/**
 * A tool counts as writing unless the operator says otherwise, or the operator trusts the server
 * and the server says that the tool only reads. Any server is believed that a tool destroys.
 */
function effectOf({ mcp, overrides }: McpIntegration, tool: Tool): Effect {
  if (overrides !== undefined && Object.hasOwn(overrides, tool.name)) {
    return overrides[tool.name]!.effect;
  }
  if (tool.destructive_hint) return 'destructive';
  return mcp.trust_hints === true && tool.read_only_hint ? 'read' : 'write';
}
