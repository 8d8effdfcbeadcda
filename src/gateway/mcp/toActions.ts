/** From the tools of a server to actions: names and effects. */
import type { Effect } from '../action/action.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { verbsOf } from '../schema/verbs.ts';
import type { Scrub } from './beginningOf.ts';
import type { McpAction, McpIntegration } from './integration.ts';
import { nameTools } from './naming.ts';
import { READ_RESOURCE, resourceAction } from './resources.ts';
import type { Session } from './session.ts';
import { readTools, type SkippedTool, type Tool } from './tools.ts';

/** Names that earlier imports gave, by source key: they stay, and are given to no other tool. */
export type KnownNames = ReadonlyMap<string, string>;

/**
 * The actions of what a server lists, in its order, as it describes them now; and one that reads
 * resources, if it has any. `skipped`: tools that became no action, and why.
 */
export function toActions(
  integration: McpIntegration, listed: readonly unknown[], scrub: Scrub,
  known: KnownNames = new Map(),
  { has_resources, mirrors_arguments }: Pick<Session, 'has_resources' | 'mirrors_arguments'>
  = { has_resources: false, mirrors_arguments: false },
): { actions: McpAction[], skipped: SkippedTool[] } {
  const { slug } = integration;
  const { tools, skipped } = readTools(listed, scrub, mirrors_arguments);
  const names = nameTools(slug,
    tools.map(({ source_key }) => source_key).filter((key) => !known.has(key)),
    new Set(known.values()));
  const rules = new OverrideRules(integration.overrides ?? {});
  const actions = tools.map((tool): McpAction => {
    const { source_key } = tool;
    const name = known.get(source_key) ?? names.get(source_key)!;
    const { override: { effect = effectOf(integration, tool) } } =
      rules.of({ name, source_keys: [source_key] });
    return { ...tool, name, integration: slug, effect, paged: false,
      verbs: verbsOf(tool.input_schema) };
  });
  if (has_resources) {
    const name = known.get(READ_RESOURCE) ?? `${slug}.resources.read`;
    const { override: { effect } } = rules.of({ name, source_keys: [READ_RESOURCE] });
    actions.push(resourceAction(integration, name, effect));
  }
  return { actions, skipped };
}

/**
 * A tool of which the operator says nothing counts as writing, unless the operator trusts the
 * server and the server says that the tool only reads. Any server is believed that a tool destroys;
 * but of one that only reads the protocol has that hint mean nothing, and servers made with mcp-go
 * give it to every tool that does not say otherwise.
 */
function effectOf({ mcp }: McpIntegration, { hints }: Tool): Effect {
  if (mcp.trust_hints === true && hints.readOnlyHint === true) return 'read';
  return hints.destructiveHint === true ? 'destructive' : 'write';
}
