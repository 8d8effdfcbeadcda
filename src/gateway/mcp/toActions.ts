/** From the tools of a server to actions: names, effects, and what has changed since last time. */
import type { Effect } from '../action/action.ts';
import type { McpAction, McpIntegration } from './integration.ts';
import { nameTools } from './naming.ts';
import { readTools, type SkippedTool, type Tool } from './tools.ts';

/** What is stored of an action from an earlier import, by its source key. */
export type KnownActions = ReadonlyMap<string, { name: string, schema_hash: string }>;

export interface ImportChoice {
  known?: KnownActions;
  /** Whether the operator accepts changed tools; if not, they are quarantined. */
  accept?: boolean;
}

export interface McpReport {
  /** Tools that became no action, and why. */
  skipped: SkippedTool[];
  /** There were more tools than are taken. */
  cut: boolean;
}

/**
 * The actions of what a server lists, in its order. A known tool keeps its name for ever, and the
 * hash that was accepted until an operator accepts another one.
 */
export function toActions(
  integration: McpIntegration, listed: readonly unknown[], cut: boolean, choice: ImportChoice = {},
): { actions: McpAction[], report: McpReport } {
  const known: KnownActions = choice.known ?? new Map();
  const { tools, skipped } = readTools(listed);
  const taken = new Set([...known.values()].map(({ name }) => name));
  const names = nameTools(integration.slug,
    tools.map(({ name }) => name).filter((name) => !known.has(name)), taken);
  const actions = tools.map((tool) => {
    const before = known.get(tool.name);
    const changed = before !== undefined && before.schema_hash !== tool.schema_hash;
    const quarantined = changed && choice.accept !== true;
    return toAction(integration, tool, before?.name ?? names.get(tool.name)!, {
      quarantined, schema_hash: quarantined ? before.schema_hash : tool.schema_hash,
    });
  });
  return { actions, report: { skipped, cut } };
}

function toAction(
  integration: McpIntegration, tool: Tool, name: string,
  state: Pick<McpAction, 'quarantined' | 'schema_hash'>): McpAction {
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
    ...state,
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
