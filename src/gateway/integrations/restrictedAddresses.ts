/** Whether an operation can reach what the operator has denied, hidden or wants to approve. */
import { propertySchema } from '../openapi/inputSchema.ts';
import type { ImportedAction } from '../openapi/openapi.ts';
import { addressAt, AddressIndex, type Surroundings } from '../openapi/operationAddress.ts';
import { maySetAnyName } from '../openapi/ownQuery.ts';
import type { Former } from './leftBehind.ts';

/**
 * Finds the name of something restricted that an operation can reach by its address. `accepted`:
 * the operations of the accepted document, which say where they are; `base`: of the integration.
 */
export function reachedIn(
  restricted: readonly Former[], accepted: readonly ImportedAction[], base: string | null,
): (action: ImportedAction) => string | undefined {
  const known = new Map(accepted.map((action) => [action.name, action]));
  const index = AddressIndex.of(restricted, base, (name) => surroundingsOf(known.get(name)));
  return (action) => index.reachedAt(
    addressAt(action.source_key, { ...surroundingsOf(action), base }), action.name);
}

function surroundingsOf(action: ImportedAction | undefined): Surroundings {
  if (action === undefined) return {};
  const { servers: [own], request: { parameters }, input_schema } = action;
  return {
    own,
    open: parameters.filter(({ place, slashes }) => place === 'path' && slashes !== null)
      .map(({ name }) => name),
    adds: parameters.filter(({ place }) => place === 'query').flatMap((parameter) => {
      const schema = propertySchema(input_schema, 'query', parameter.name);
      const only = parameter.value ?? schema.const;
      const values = only !== undefined ? [only] : Array.isArray(schema.enum) ? schema.enum : null;
      const name = values === null && maySetAnyName(parameter, schema) ? '{}' : parameter.name;
      return (values ?? ['{}']).map((value) => [name, String(value)] as const);
    }),
  };
}
