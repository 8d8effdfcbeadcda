/**
 * Schemas that lead back to themselves for one and the same value, so that its check had no end.
 * Generators write inheritance so (springdoc): a base is `oneOf` its kinds, each of which is
 * `allOf` the base and more.
 */
import { isObject, listOf, objectOf, type JsonObject } from '../../json.ts';
import { mapSchemas } from './mapSchemas.ts';
import { lookUp } from './references.ts';

const LISTS = ['allOf', 'anyOf', 'oneOf'];
const PARTS = ['not', 'if', 'then', 'else'];

/**
 * The schema without the references that close such a circle; the same object if there are none.
 * They say nothing that is not being checked already where the circle is first entered; where it is
 * entered elsewhere less is checked. (The alternative were copies of a circle for each entry.) What
 * is left in the place of one has a `format`, as that allows everything, too (see conditions.ts).
 */
export function withoutCircles(root: JsonObject): JsonObject {
  const closing = closingReferences(root);
  return closing.size === 0 ? root : mapSchemas(root, (one) => {
    if (!closing.has(one)) return one;
    const { $ref: _, ...rest } = one;
    return { ...rest, format: 'circle' };
  }) as JsonObject;
}

function closingReferences(root: JsonObject): ReadonlySet<unknown> {
  const closing = new Set<unknown>();
  const seen = new Set<unknown>();
  const under_way = new Set<unknown>();
  const visit = (schema: unknown) => {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    under_way.add(schema);
    const { $ref } = schema;
    const target = typeof $ref === 'string' ? lookUp(root, $ref) : undefined;
    if (under_way.has(target)) closing.add(schema);
    else visit(target);
    for (const keyword of LISTS) listOf(schema[keyword]).forEach(visit);
    for (const keyword of PARTS) visit(schema[keyword]);
    Object.values(objectOf(schema.dependentSchemas)).forEach(visit);
    under_way.delete(schema);
  };
  // Whatever else holds schemas holds them for other values. The outer ones come first.
  mapSchemas(root, (one) => {
    visit(one);
    return one;
  });
  return closing;
}
