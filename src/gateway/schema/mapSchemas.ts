import { isObject, type JsonObject } from '../../json.ts';

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const VALUES = new Set(['enum', 'const', 'default', 'dependentRequired']);

/** Of a schema as a document has it these are no schemas, either. */
const EXAMPLES = new Set(['example', 'examples']);

/** The schemas directly below one. */
export function subschemasOf(schema: JsonObject): unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]) =>
    (VALUES.has(keyword) || EXAMPLES.has(keyword) ? []
      : MAPS.has(keyword) && isObject(value) ? Object.values(value) : [value].flat()));
}

/** A copy of `schema` in which `change` has been made to each schema, the outer ones first. */
export function mapSchemas(schema: unknown, change: (one: JsonObject) => JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((one) => mapSchemas(one, change));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(change(schema)).map(([keyword, value]) => {
    if (VALUES.has(keyword)) return [keyword, value];
    if (!MAPS.has(keyword) || !isObject(value)) return [keyword, mapSchemas(value, change)];
    return [keyword, Object.fromEntries(Object.entries(value)
      .map(([name, one]) => [name, mapSchemas(one, change)]))];
  }));
}
