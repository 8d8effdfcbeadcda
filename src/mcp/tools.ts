/** The tools that an MCP client is shown, and which action each of them calls. */
import type { CallToolRequest, Tool } from '@modelcontextprotocol/server';
import type { Caller } from '../caller.ts';
import { isObject, type JsonObject } from '../json.ts';
import {
  describeForModel, describeTool, ofInputAlone, openIfThere, type ActionCall,
  type ActionOutcome, type Effect, type Gateway, type VisibleAction, type VisibleActions,
} from '../gateway/face.ts';
import { CHOSEN_LIMIT, chosenBy, chosenOf } from './chosenActions.ts';
import { toolNameOf } from './toolNames.ts';

/** Tools of these names are the gateway's own actions. */
const OWN = { search_actions: 'gateway.actions.search',
  describe_action: 'gateway.actions.describe' } as const;
const CALL = 'call_action';
/** All tools that stand for one action, together: what an agent reads of about four results. */
const CHOSEN_CHARS = 64_000;

/** The tools for a caller, those of the chosen actions last, by name. */
export async function toolsFor(
  gateway: Gateway, caller: Caller, patterns: readonly string[]): Promise<Tool[]> {
  const visible = await gateway.catalogue.visible(caller);
  const own = await Promise.all(Object.entries(OWN).map(([name, action]) =>
    toolOf(name, visible.listed(action))));
  const { tools, left_out } = await chosenTools(visible, patterns);
  return [...own.filter((one) => one !== undefined), callTool(visible, left_out), ...tools];
}

function callTool(visible: VisibleActions, left_out: boolean): Tool {
  const { name, description, input_schema } = describeTool(visible);
  const more = left_out
    ? ' Not all of the actions that were chosen are tools of their own; call the others here.' : '';
  return {
    name, title: 'Call an action', description: description + more,
    inputSchema: input_schema as Tool['inputSchema'], annotations: annotationsOf('destructive'),
  };
}

async function chosenTools(visible: VisibleActions, patterns: readonly string[]) {
  const tools: Tool[] = [];
  let left_chars = CHOSEN_CHARS;
  for (const action of chosenOf(visible, patterns)) {
    const tool = await toolOf(toolNameOf(action.definition.name), action);
    if (tool === undefined) continue;
    left_chars -= JSON.stringify(tool).length;
    if (tools.length === CHOSEN_LIMIT || left_chars < 0) return { tools, left_out: true };
    tools.push(tool);
  }
  return { tools, left_out: false };
}

/** An action in the words that describe_action has for it; undefined if it is gone. */
async function toolOf(
  name: string, action: VisibleAction | undefined): Promise<Tool | undefined> {
  const definition = action && await openIfThere(action.definition);
  if (definition === undefined) return undefined;
  const told = describeForModel(definition, [], {})!;
  const { title, description = title, hint } = told as Record<string, string>;
  return {
    name, title: title!,
    description: hint === undefined ? description! : `${description} ${hint}`,
    inputSchema: inputSchemaOf(told.input_schema as JsonObject),
    annotations: annotationsOf(definition.effect, definition.spares_all),
  };
}

/**
 * Clients hand it on to models, and one whose alternatives are at its top makes some of those
 * refuse all tools together. The gateway checks the input by the whole schema anyway.
 */
function inputSchemaOf(
  { anyOf: _, oneOf: __, allOf: ___, ...schema }: JsonObject): Tool['inputSchema'] {
  return { ...schema, type: 'object' };
}

/**
 * A client may ask nobody about what is said to destroy nothing. That a tool writes does not say
 * so, nor does a server that is silent about it: without the hint, the protocol has clients take a
 * tool for one that destroys.
 */
function annotationsOf(effect: Effect, spares_all = false): Tool['annotations'] {
  const destructive = effect === 'destructive' ? true
    : effect === 'read' || spares_all ? false : undefined;
  return { readOnlyHint: effect === 'read',
    ...(destructive !== undefined && { destructiveHint: destructive }), openWorldHint: true };
}

/** The call of an action that a call of a tool is; undefined if there is no such tool. */
export async function callOf(
  gateway: Gateway, caller: Caller, patterns: readonly string[],
  { name, arguments: given = {} }: Pick<CallToolRequest['params'], 'name' | 'arguments'>,
): Promise<ActionCall | undefined> {
  // What is in it the gateway checks, as of what a model sends.
  if (name === CALL) return given as unknown as ActionCall;
  const own = Object.hasOwn(OWN, name) ? OWN[name as keyof typeof OWN] : undefined;
  if (own !== undefined) return { action: own, input: given };
  if (patterns.length === 0 || !isObject(given)) return undefined;
  const visible = await gateway.catalogue.visible(caller);
  const chosen = chosenBy(name, visible, patterns);
  return chosen && { action: chosen.definition.name, input: given };
}

/**
 * What came of the call, by the arguments of the tool: those of all but call_action are the input
 * itself, and a model that is told of `/input/name` would wrap them.
 */
export function inTermsOf(tool: string, outcome: ActionOutcome): ActionOutcome {
  if (tool === CALL || outcome.status !== 'missing') return outcome;
  return { ...outcome, missing: outcome.missing.map((gap) => ofInputAlone(outcome.action, gap)) };
}
