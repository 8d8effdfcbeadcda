/** The one action that reads what a server has besides tools, and what its tools link to. */
import type { Effect } from '../action/action.ts';
import type { McpAction, McpIntegration } from './integration.ts';
import { fingerprint } from './schema.ts';

/** Its key: the method of the protocol. No tool may be called that. */
export const READ_RESOURCE = 'resources/read';

const INPUT_SCHEMA = {
  type: 'object', additionalProperties: false, required: ['uri'],
  properties: { uri: { type: 'string', minLength: 1, maxLength: 2_048,
    description: 'As a result of this integration gives it, such as that of a resource_link.' } },
};
const SCHEMA_HASH = fingerprint(INPUT_SCHEMA)!;

/** As the protocol has it, reading a resource changes nothing; the operator may say otherwise. */
export function resourceAction(
  { slug }: McpIntegration, name: string, said: Effect = 'read',
): McpAction {
  return {
    name, integration: slug, source_key: READ_RESOURCE,
    title: 'Read a resource', description: 'Reads a resource of this integration by its uri, which'
      + ' another result has named: its text, or what kind of file it is and how large.',
    effect: said, input_schema: INPUT_SCHEMA, output_schema: null, paged: false, hints: {},
    schema_hash: SCHEMA_HASH,
  };
}
