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
  counts: Record<Effect, number>;
  /** Tools that became no action, and why. */
  skipped: SkippedTool[];
  /** Actions whose schema or hints are not the accepted ones. */
  quarantined: { name: string, source_key: string }[];
  added: { name: string, source_key: string }[];
  /** Source keys that were known and are gone; empty if the list was cut. */
  removed: string[];
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
  const brief = ({ name, source_key }: McpAction) => ({ name, source_key });
  const present = new Set(actions.map(({ source_key }) => source_key));
  return { actions, report: {
    counts: countEffects(actions),
    skipped,
    quarantined: actions.filter(({ quarantined }) => quarantined).map(brief),
    added: actions.filter(({ source_key }) => !known.has(source_key)).map(brief),
    removed: cut ? [] : [...known.keys()].filter((source_key) => !present.has(source_key)),
    cut,
  } };
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
    ...effectOf(integration, tool),
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
function effectOf(
  { mcp, overrides }: McpIntegration, tool: Tool): Pick<McpAction, 'effect' | 'effect_source'> {
  if (overrides !== undefined && Object.hasOwn(overrides, tool.name)) {
    return { effect: overrides[tool.name]!.effect, effect_source: 'operator' };
  }
  if (tool.destructive_hint) return { effect: 'destructive', effect_source: 'hint' };
  return mcp.trust_hints === true && tool.read_only_hint
    ? { effect: 'read', effect_source: 'hint' } : { effect: 'write', effect_source: 'rule' };
}

function countEffects(actions: readonly McpAction[]): Record<Effect, number> {
  const counts = { read: 0, write: 0, destructive: 0 };
  for (const { effect, quarantined } of actions) if (!quarantined) counts[effect] += 1;
  return counts;
}
