/** Alternatives that one member tells apart, such as a `kind` that is another constant in each. */
import { follow, textsOf, type JsonObject } from '../../json.ts';
import { mapSchemas } from './mapSchemas.ts';
import { resolve } from './references.ts';

const CHOICES = ['oneOf', 'anyOf'];
/** What says nothing about values that are no objects. */
const OF_OBJECTS = new Set(['required', 'properties', 'additionalProperties', 'title',
  'description', 'examples', 'default', 'deprecated', '$ref']);

/**
 * The schema with such alternatives as conditions, which takes the same. By itself each alternative
 * would say what is wrong by it, and who gave `{kind: "b"}` would hear what only an "a" lacks.
 */
export function withTagsFirst(schema: JsonObject): JsonObject {
  return mapSchemas(schema, (one) => {
    const choice = CHOICES.find((keyword) => Array.isArray(one[keyword]));
    if (choice === undefined) return one;
    const { [choice]: given, allOf = [], ...rest } = one;
    const alternatives = given as unknown[];
    const tags = alternatives.map((alternative) => tagsOf(schema, alternative));
    const tag = [...tags[0]?.keys() ?? []].find((name) => tellsApart(name, tags));
    if (tag === undefined || !Array.isArray(allOf)) return one;
    const naming = (values: readonly string[]) => ({ type: 'object', required: [tag],
      properties: { [tag]: { enum: values } } });
    const { type, ...named } = naming(tags.flatMap((one) => one.get(tag)!));
    // What is no object fits each alternative that does not say that it is one.
    const untyped = alternatives.filter((one) => resolve(schema, one).type === undefined);
    if (!untyped.every((one) => saysNoMore(one) && saysNoMore(resolve(schema, one)))) return one;
    const takes_all = choice === 'oneOf' ? untyped.length === 1 : untyped.length > 0;
    return { ...rest, allOf: [...allOf, {
      ...(takes_all ? {} : { type }), ...named,
      allOf: alternatives.map((then, index) => ({ if: naming(tags[index]!.get(tag)!), then })),
    }] };
  }) as JsonObject;
}

/** By name, the texts that a member which an alternative wants may be. */
type Tags = Map<string, readonly string[]>;

function tagsOf(schema: JsonObject, alternative: unknown): Tags {
  const { type = 'object', required, properties } = resolve(schema, alternative);
  const tags: Tags = new Map();
  if (type !== 'object') return tags;
  for (const name of textsOf(required)) {
    const { const: only, enum: several = [only] } =
      resolve(schema, follow(properties, [name]));
    const values = textsOf(several);
    if (values.length > 0 && values.length === [several].flat().length) tags.set(name, values);
  }
  return tags;
}

/** Whether what is no object fits for sure: a type may be said by an `allOf`, too. */
function saysNoMore(schema: unknown): boolean {
  return Object.keys(schema as JsonObject).every((keyword) => OF_OBJECTS.has(keyword));
}

function tellsApart(name: string, tags: readonly Tags[]): boolean {
  if (tags.length < 2 || !tags.every((one) => one.has(name))) return false;
  const values = tags.flatMap((one) => one.get(name)!);
  return new Set(values).size === values.length;
}
