/**
 * Parts of an `allOf` that take no further fields (`additionalProperties: false`), as generators
 * write inheritance, and ShipEngine's document has them; or of which each alternative takes none
 * (Algolia's). By the letter each part refuses what another one names or even requires, so that no
 * input fits. It is meant that all of them together take no further fields, and that is how inputs
 * are checked.
 */
import { isObject, listOf, objectOf, type JsonObject } from '../../json.ts';
import { mapSchemas } from './mapSchemas.ts';
import { SchemaOpener } from './opened.ts';
import { lookUp, partsOf } from './references.ts';

const DEFINITION = /^#\/\$defs\/([\w.-]+)$/;
/** What may name further fields that are not looked for. */
const NAMING = ['patternProperties', 'if', 'dependentSchemas', 'unevaluatedProperties'];
const CHOICES = ['anyOf', 'oneOf'];

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
    const choices = parts.map((part) => choicesOf(part).map((one) => this.#partsOf(one)));
    const closed = parts.filter(isClosed);
    if (closed.length === 0 && !choices.flat(2).some(isClosed)) return schema;
    const ownNames = parts.map((part) => this.#namesIn(part));
    const names = new Set(ownNames.flat());
    const naming = parts.filter((part) => NAMING.some((keyword) => keyword in part));
    const isContrary = closed.some((part) =>
      names.size > Object.keys(objectOf(part.properties)).length
      || naming.some((other) => other !== part))
      // An alternative is to take what is named beside it, not what other alternatives name.
      || choices.some((list, i) => list.some((one) => {
        const known = new Set(one.flatMap((part) => this.#namesIn(part)));
        return one.some(isClosed) && parts.some((part, nth) =>
          (nth === i ? namedBy(part) : ownNames[nth]!).some((name) => !known.has(name)));
      }));
    if (!isContrary) return schema;
    const { additionalProperties: _, ...open } = this.#part(schema) as JsonObject;
    const takesAny = closed.length === 0
      && !choices.some((list) => list.length > 0 && list.every((one) => one.some(isClosed)));
    if (naming.length > 0 || takesAny) return open;
    return { ...open, additionalProperties: false, properties: {
      ...Object.fromEntries([...names].map((name) => [name, {}])), ...objectOf(open.properties) } };
  }

  #partsOf(schema: JsonObject): JsonObject[] {
    return partsOf(schema, (reference) => lookUp(this.#root, reference));
  }

  #namesIn(part: JsonObject): string[] {
    const alternatives = choicesOf(part).map((one) => this.#opener.open(one));
    return [...namedBy(part),
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
    for (const keyword of ['allOf', ...CHOICES]) {
      const list = part[keyword];
      if (Array.isArray(list)) part[keyword] = list.map((one) => this.#part(one));
    }
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

/** The alternatives of a part itself. */
function choicesOf(part: JsonObject): JsonObject[] {
  return CHOICES.flatMap((keyword) => listOf(part[keyword])).filter(isObject);
}

const isClosed = (part: JsonObject) => part.additionalProperties === false;

/** What it names itself, whatever its alternatives name. */
function namedBy({ properties, required }: JsonObject): string[] {
  return [...Object.keys(objectOf(properties)), ...listOf(required).map(String)];
}
