/** From the tools of a server to actions: names and effects. */
import type { Effect } from '../action/action.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { verbsOf } from '../schema/verbs.ts';
import type { Scrub } from './beginningOf.ts';
import type { McpAction, McpIntegration } from './integration.ts';
import { nameTools } from './naming.ts';
import { READ_RESOURCE, resourceAction, resourceActionName } from './resources.ts';
import type { Session } from './session.ts';
import { readTools, type SkippedTool, type Tool } from './tools.ts';

/** Names that earlier imports gave, by source key: they stay, and are given to no other tool. */
export type KnownNames = ReadonlyMap<string, string>;

export interface McpReport {
  /** Tools that became no action, and why. */
  skipped: SkippedTool[];
  /** There were more tools than are taken. */
  cut: boolean;
}

/**
 * The actions of what a server lists, in its order, as it describes them now; and one that reads
 * resources, if it has any.
 */
export function toActions(
  integration: McpIntegration, listed: readonly unknown[], cut: boolean, scrub: Scrub,
  known: KnownNames = new Map(),
  { has_resources, mirrors_arguments }: Pick<Session, 'has_resources' | 'mirrors_arguments'>
  = { has_resources: false, mirrors_arguments: false },
): { actions: McpAction[], report: McpReport } {
  const { tools, skipped } = readTools(listed, scrub, mirrors_arguments);
  const names = nameTools(integration.slug,
    tools.map(({ name }) => name).filter((name) => !known.has(name)), new Set(known.values()));
  const rules = new OverrideRules(integration.overrides ?? {});
  const actions = tools.map((tool) => {
    const name = known.get(tool.name) ?? names.get(tool.name)!;
    const { override: { effect } } = rules.of({ name, source_keys: [tool.name] });
    return toAction(integration, tool, name, effect);
  });
  if (has_resources) {
    const name = known.get(READ_RESOURCE) ?? resourceActionName(integration.slug);
    const { override: { effect } } = rules.of({ name, source_keys: [READ_RESOURCE] });
    actions.push(resourceAction(integration, name, effect));
  }
  return { actions, report: { skipped, cut } };
}

function toAction(
  integration: McpIntegration, tool: Tool, name: string, said: Effect | undefined): McpAction {
  return {
    name,
    integration: integration.slug,
    source_key: tool.name,
    title: tool.title,
    description: tool.description,
    effect: said ?? effectOf(integration, tool),
    input_schema: tool.input_schema,
    output_schema: tool.output_schema,
    paged: false,
    verbs: verbsOf(tool.input_schema),
    hints: tool.hints,
    schema_hash: tool.schema_hash,
  };
}

/**
 * A tool of which the operator says nothing counts as writing, unless the operator trusts the
 * server and the server says that the tool only reads. Any server is believed that a tool destroys;
 * but of one that only reads the protocol has that hint mean nothing, and servers made with mcp-go
 * give it to every tool that does not say otherwise.
 */
function effectOf({ mcp }: McpIntegration, tool: Tool): Effect {
  if (mcp.trust_hints === true && tool.read_only_hint) return 'read';
  return tool.destructive_hint ? 'destructive' : 'write';
}
