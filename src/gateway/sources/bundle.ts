import { isObject, type JsonObject } from '../json.ts';
import { lookUp } from './references.ts';

/**
 * A JSON Schema taken out of its document: everything its `$ref`s lead to is put under `$defs`,
 * once each, and never expanded in place. A cyclic schema stays small that way (265 of 2,639 real
 * documents are cyclic; GitHub's, dereferenced, is 73 MB).
 *
 * What is no part of JSON Schema (`example`, `xml`, `discriminator`, `x-…`) is dropped, so are
 * patterns that are no regular expressions here. A reference to nowhere allows anything: the
 * upstream service checks once more. `for_input`: a property that is `readOnly` is not required.
 */
export function bundleSchema(
  document: JsonObject, schema: unknown, options: { for_input: boolean }): JsonObject {
  const bundle = new Bundle(document, options.for_input);
  const root = bundle.convert(schema);
  const definitions = bundle.definitions();
  const converted = isObject(root) ? root : root === false ? { not: {} } : {};
  return Object.keys(definitions).length === 0 ? converted : { ...converted, $defs: definitions };
}

const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const SCHEMAS = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if',
  'then', 'else', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema']);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
// Identifiers would change what the references mean; nested definitions arrive by reference.
const DROPPED = new Set(['$id', '$schema', '$anchor', '$dynamicAnchor', '$dynamicRef', '$comment',
  '$defs', 'definitions', '$vocabulary', 'example', 'examples', 'xml', 'externalDocs',
  'discriminator']);

class Bundle {
  private readonly document: JsonObject;
  private readonly forInput: boolean;
  private readonly nameOfReference = new Map<string, string>();
  /** What each definition is made of, in the order in which the references were met. */
  private readonly targetOfName = new Map<string, unknown>();

  constructor(document: JsonObject, forInput: boolean) {
    this.document = document;
    this.forInput = forInput;
  }

  /**
   * Converts what was referred to. A loop, not a recursion: real documents chain thousands of
   * schemas. A Map walked while it grows also visits what is added meanwhile.
   */
  definitions(): JsonObject {
    const definitions: [string, unknown][] = [];
    for (const [name, target] of this.targetOfName) definitions.push([name, this.convert(target)]);
    return Object.fromEntries(definitions);
  }

  convert(schema: unknown): unknown {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) return true;
    const converted: [string, unknown][] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      if (DROPPED.has(keyword) || keyword.startsWith('x-')) continue;
      const result = this.keyword(keyword, value, schema);
      if (result !== undefined) converted.push([keyword, result]);
    }
    return Object.fromEntries(converted);
  }

  private keyword(keyword: string, value: unknown, schema: JsonObject): unknown {
    if (keyword === '$ref') return typeof value === 'string' ? this.reference(value) : undefined;
    if (SCHEMA_MAPS.has(keyword)) {
      return isObject(value) ? this.convertMap(keyword, value) : undefined;
    }
    if (SCHEMAS.has(keyword)) return this.convert(value);
    if (SCHEMA_LISTS.has(keyword)) {
      const list = Array.isArray(value) && value.length > 0 ? value : undefined;
      return list?.map((item) => this.convert(item));
    }
    if (keyword === 'pattern') return isPattern(value) ? value : undefined;
    if (keyword === 'required' && this.forInput) return withoutReadOnly(value, schema);
    return value;
  }

  private convertMap(keyword: string, schemas: JsonObject): JsonObject {
    const kept = Object.entries(schemas)
      .filter(([name]) => keyword !== 'patternProperties' || isPattern(name));
    return Object.fromEntries(kept.map(([name, schema]) => [name, this.convert(schema)]));
  }

  private reference(reference: string): string | undefined {
    let name = this.nameOfReference.get(reference);
    if (name === undefined) {
      const target = lookUp(this.document, reference);
      if (target === undefined) return undefined;
      name = this.freeName(reference);
      this.nameOfReference.set(reference, name);
      this.targetOfName.set(name, target);
    }
    return `#/$defs/${name}`;
  }

  private freeName(reference: string): string {
    const last = reference.slice(reference.lastIndexOf('/') + 1);
    const base = last.replace(/[^A-Za-z0-9_.-]+/g, '_') || 'root';
    let name = base;
    for (let n = 2; this.targetOfName.has(name); n++) name = `${base}_${n}`;
    return name;
  }
}

function isPattern(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

function withoutReadOnly(required: unknown, schema: JsonObject): unknown {
  if (!Array.isArray(required) || !isObject(schema.properties)) return required;
  const properties = schema.properties;
  return required.filter((name) => {
    const property = typeof name === 'string' && Object.hasOwn(properties, name)
      ? properties[name] : undefined;
    return !(isObject(property) && property.readOnly === true);
  });
}
