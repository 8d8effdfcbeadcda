/**
 * Parts of an `allOf` that take no further fields (`additionalProperties: false`), as generators
 * write inheritance, and ShipEngine's document has them. By the letter each part refuses what
 * another one names or even requires, so that no input fits. It is meant that all of them together
 * take no further fields, and that is how inputs are checked.
 */
import { isObject, objectOf, type JsonObject } from '../../json.ts';
import { mapSchemas } from './mapSchemas.ts';
import { alternativesOf, SchemaOpener } from './opened.ts';
import { lookUp } from './references.ts';

const DEFINITION = /^#\/\$defs\/([\w.-]+)$/;
/** What may name further fields that are not looked for. */
const NAMING = ['patternProperties', 'if', 'dependentSchemas', 'unevaluatedProperties'];

/** The schema, all of whose definitions are in its `$defs`, with such parts open. */
export function withOpenParts(root: JsonObject): JsonObject {
  return new Parts(root).opened();
}

class Parts {
  readonly #root: JsonObject;
  readonly #opener: SchemaOpener;
  /** By name of a definition that is such a part, the name of its open form. */
  readonly #open = new Map<string, string>();

  constructor(root: JsonObject) {
    this.#root = root;
    this.#opener = new SchemaOpener(root);
  }

  opened(): JsonObject {
    const change = (one: JsonObject) => this.#whole(one);
    const made = mapSchemas(this.#root, change) as JsonObject;
    const definitions = objectOf(made.$defs);
    // A Map that is walked while it grows also visits what is added.
    for (const [name, open] of this.#open) {
      definitions[open] = mapSchemas(this.#part(objectOf(this.#root.$defs)[name]), change);
    }
    return made;
  }

  #whole(schema: JsonObject): JsonObject {
    const parts = Array.isArray(schema.allOf) ? this.#partsOf(schema) : [];
    const closed = parts.filter(({ additionalProperties }) => additionalProperties === false);
    if (closed.length === 0) return schema;
    const names = new Set(parts.flatMap((part) => this.#namesIn(part)));
    const naming = parts.filter((part) => NAMING.some((keyword) => keyword in part));
    const isContrary = closed.some((part) =>
      names.size > Object.keys(objectOf(part.properties)).length
      || naming.some((other) => other !== part));
    if (!isContrary) return schema;
    const { additionalProperties: _, ...open } = this.#part(schema) as JsonObject;
    if (naming.length > 0) return open;
    return { ...open, additionalProperties: false, properties: {
      ...Object.fromEntries([...names].map((name) => [name, {}])), ...objectOf(open.properties) } };
  }

  /** The schema, what it refers to, and all that it is made of. */
  #partsOf(schema: JsonObject): JsonObject[] {
    const parts = new Set([schema]);
    for (const { $ref, allOf } of parts) {
      const below = [typeof $ref === 'string' ? lookUp(this.#root, $ref) : [], allOf ?? []].flat();
      for (const one of below.filter(isObject)) parts.add(one);
    }
    return [...parts];
  }

  #namesIn(part: JsonObject): string[] {
    const { properties, required } = part;
    const alternatives = alternativesOf(part).map((one) => this.#opener.open(one));
    return [...Object.keys(objectOf(properties)),
      ...(Array.isArray(required) ? required.map(String) : []),
      ...alternatives.flatMap((one) => Object.keys(objectOf(one.properties)))];
  }

  /** A part without a word on further fields. */
  #part(given: unknown): unknown {
    if (!isObject(given)) return given;
    const { additionalProperties, ...part } = given;
    if (additionalProperties !== undefined && additionalProperties !== false) {
      part.additionalProperties = additionalProperties;
    }
    if (typeof part.$ref === 'string') part.$ref = this.#openForm(part.$ref);
    if (Array.isArray(part.allOf)) part.allOf = part.allOf.map((one) => this.#part(one));
    return part;
  }

  #openForm(reference: string): string {
    const [, name] = DEFINITION.exec(reference) ?? [];
    const definitions = objectOf(this.#root.$defs);
    if (name === undefined || !Object.hasOwn(definitions, name)) return reference;
    let open = this.#open.get(name) ?? `${name}.open`;
    while (!this.#open.has(name) && Object.hasOwn(definitions, open)) open += '_';
    this.#open.set(name, open);
    return `#/$defs/${open}`;
  }
}
