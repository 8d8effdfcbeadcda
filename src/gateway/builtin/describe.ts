/** An action in the words that a model needs to call it, and no more. */
import type { JsonObject } from '../../json.ts';
import type { ActionDescription } from '../action/action.ts';
import type { VisibleAction } from '../catalogue/visibility.ts';
import { brief } from '../schema/brief.ts';
import { unlessCutOff } from '../schema/cutOff.ts';
import { branchOf } from '../schema/opened.ts';
import { outline, type OutlineLimits } from '../schema/outline.ts';

/** What is asked for of an action. */
export interface DescribeOptions {
  /** The schema of the result, too; with a branch, that of the result alone. */
  output?: boolean;
  /** Only this part of the schema: `body.items`. */
  branch?: string;
  /** Also what of the description is left out otherwise. */
  whole_description?: boolean;
}

/** A model reads 16,000 characters of a result, if its operator says nothing else. */
export const READ_CHARS = 14_500;
const DESCRIPTION_CHARS = 1_000;
const WHOLE_DESCRIPTION_CHARS = 4_000;
/** For what is optional; what is required gets what there is. */
const INPUT_CHARS = 2_400;
const OUTPUT_CHARS = 4_000;
/** For the description and the rest of what a branch of many values says. */
const BESIDE_ENUM_CHARS = 1_500;
/** The largest of real schemas take a few milliseconds; anybody may write others. */
const SCHEMA_LIMIT_MS = 100;
const CONNECTIONS = 10;
export const LABEL_CHARS = 120;

const HINT = 'Parts are left out. Describe the action again with a branch to see one of them.';

/** Undefined if the branch leads nowhere, or it would take too long to find out where. */
export function describeForModel(
  definition: ActionDescription, connected: VisibleAction['connected'], wanted: DescribeOptions,
): JsonObject | undefined {
  const { name, title, integration, effect } = definition;
  if (wanted.branch !== undefined) return branchDescribed(definition, wanted.branch, wanted.output);
  const { input_schema, output_schema } = definition;
  const description = brief(definition.description,
    wanted.whole_description ? WHOLE_DESCRIPTION_CHARS : DESCRIPTION_CHARS);
  const output = wanted.output !== true || output_schema === null ? null
    : outlined(output_schema, { enough_chars: OUTPUT_CHARS, most_chars: OUTPUT_CHARS });
  const others = {
    name, title: brief(title, LABEL_CHARS), integration, effect,
    ...(description === title ? {} : { description }),
    connections: connected.slice(0, CONNECTIONS).map(({ id, account_label }) => ({
      connection_id: id,
      account_label: account_label === null ? null : brief(account_label, LABEL_CHARS),
    })),
    ...(wanted.output ? { output_schema: output?.schema ?? null } : {}),
  };
  const input = outlined(input_schema, {
    enough_chars: INPUT_CHARS, most_chars: READ_CHARS - JSON.stringify(others).length,
  });
  const is_whole = input.is_whole && output?.is_whole !== false;
  return { ...others, input_schema: input.schema, ...(is_whole ? {} : { hint: HINT }) };
}

/** Nothing is shown of a schema that it would take too long to look through. */
function outlined(root: JsonObject, limits: OutlineLimits) {
  return unlessCutOff(SCHEMA_LIMIT_MS, () => outline(root, root, '', limits))
    ?? { schema: {}, is_whole: false };
}

function branchDescribed(
  { name, input_schema, output_schema }: ActionDescription, branch: string,
  output = false): JsonObject | undefined {
  const root = output ? output_schema : input_schema;
  if (root === null) return undefined;
  const most_chars = READ_CHARS - OUTPUT_CHARS;
  const shown = unlessCutOff(SCHEMA_LIMIT_MS, () => {
    const found = branchOf(root, branch);
    return found === undefined ? undefined : outline(root, found, branch,
      { enough_chars: most_chars, most_chars, enum_chars: most_chars - BESIDE_ENUM_CHARS });
  });
  if (shown === undefined) return undefined;
  const { schema, is_whole } = shown;
  return { name, branch, [output ? 'output_schema' : 'input_schema']: schema,
    ...(is_whole ? {} : { hint: HINT }) };
}
