/** What an outline asks of schemas, found once for each however often it is shown. */
import { objectOf, type JsonObject } from '../../json.ts';
import { SchemaOpener } from './opened.ts';

/** Characters of a `const`, a `default` and the like; longer ones are not shown. */
const VALUE_CHARS = 100;

interface Names {
  required: string[];
  optional: string[];
}

function namesOf(schema: JsonObject): Names {
  const required = new Set<string>(Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string') : []);
  const optional = Object.keys(objectOf(schema.properties)).filter((name) => !required.has(name));
  return { required: [...required], optional };
}

/** Of the schemas of one root. */
export class SchemaReader {
  readonly #opener: SchemaOpener;
  readonly #names = new Map<JsonObject, Names>();
  readonly #chars = new Map<unknown, number>();

  constructor(root: JsonObject) {
    this.#opener = new SchemaOpener(root);
  }

  open(schema: unknown): JsonObject {
    return this.#opener.open(schema);
  }

  namesOf(schema: JsonObject): Names {
    const names = this.#names.get(schema) ?? namesOf(schema);
    this.#names.set(schema, names);
    return names;
  }

  isShort(value: unknown): boolean {
    const chars = this.#chars.get(value) ?? JSON.stringify(value).length;
    if (typeof value === 'object') this.#chars.set(value, chars);
    return chars <= VALUE_CHARS;
  }
}
