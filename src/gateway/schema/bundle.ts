import { hash } from 'node:crypto';
import { isObject, objectOf, type JsonObject } from '../../json.ts';
import { UncheckedParts } from './conditions.ts';
import { ReadOnlyProperties } from './readOnly.ts';
import { decodeSegment, lookUp } from './references.ts';
import { convertSchema } from './schemaKeywords.ts';
import { unicodePattern } from './unicodePattern.ts';

export interface BundleOptions {
  /** A property that is `readOnly` is not required, and alternatives may overlap. */
  for_input: boolean;
  /** The most characters of JSON; definitions beyond that are left out, the outermost last. */
  limit_chars?: number;
  /** Schemas of which all is required that they say is: parameters are given, `readOnly` or not. */
  as_required?: ReadonlySet<unknown>;
}

export interface BundledSchema {
  schema: JsonObject;
  /** Something was left out for its size. */
  cut: boolean;
  /** References in it that lead out of the document. */
  outside: string[];
}

/** Replaces a schema that was left out: it allows anything, and the upstream service checks. */
const LEFT_OUT = { description: 'Too large to be shown here; the service checks it.' };
const LEAST_DEPTH = 3;
const FIRST_DEPTH = 24;

/**
 * Takes JSON Schemas out of one document: everything that a schema refers to is put under its
 * `$defs`, once each, and never expanded in place. So a cyclic schema stays small (265 of 2,639
 * real documents are cyclic; GitHub's, dereferenced, is 73 MB). A schema may still reach most of
 * the document (600 kB for each of Stripe's results, 175 MB in all), hence the limit: definitions
 * are added breadth first, so that the deepest ones are left out.
 *
 * A definition is converted once and shared by all bundles that hold it: do not change a bundle.
 * References to nowhere, or out of the document, allow anything.
 */
export class SchemaBundler {
  /** References that lead nowhere in this document; other files and URLs are never fetched. */
  readonly unresolved = new Set<string>();
  /** Patterns of inputs that are no regular expressions of JavaScript; they are left out. */
  readonly unreadable_patterns = new Set<string>();
  readonly #inputs: UncheckedParts;
  readonly #outputs: UncheckedParts;
  readonly #readOnly: ReadOnlyProperties;
  readonly #document: JsonObject;
  readonly #names: DefinitionNames;
  readonly #definitions = new Map<string, Definition>();

  constructor(document: JsonObject) {
    this.#document = document;
    this.#names = new DefinitionNames(document);
    const target = (reference: string) => lookUp(document, reference);
    this.#readOnly = new ReadOnlyProperties(target);
    this.#outputs = new UncheckedParts(target, (source) => unicodePattern(source) !== undefined);
    this.#inputs = new UncheckedParts(target, (source) => this.#inputPattern(source) !== undefined);
  }

  /** Whether a `not` or `if` of an input was left out for such a pattern. */
  get left_out_conditions(): boolean {
    return this.#inputs.left_out;
  }

  /** `limit_chars` is unlimited if it is left out. */
  bundle(schema: unknown, options: BundleOptions): BundledSchema {
    const { for_input, limit_chars = Infinity } = options;
    const root = this.#root(schema, options, limit_chars);
    let chars = root.chars;
    let cut = root.cut;
    const outside = new Set(root.outside);
    const definitions = new Map<string, unknown>();
    // A Set that is walked while it grows also visits what is added. No recursion: real documents
    // chain thousands of schemas.
    const references = new Set(root.references);
    for (const reference of references) {
      const name = this.#names.of(reference);
      const definition = this.#definition(reference, for_input);
      if (chars + definition.chars > limit_chars) {
        definitions.set(name, LEFT_OUT);
        cut = true;
        continue;
      }
      chars += definition.chars;
      definitions.set(name, definition.schema);
      for (const reference of definition.outside) outside.add(reference);
      for (const next of definition.references) references.add(next);
    }
    const { schema: converted } = root;
    const object = isObject(converted) ? converted : converted === false ? { not: {} } : {};
    return {
      schema: definitions.size === 0
        ? object : { ...object, $defs: Object.fromEntries(definitions) },
      cut,
      outside: [...outside],
    };
  }

  #root(
    schema: unknown, options: BundleOptions, limit_chars: number): Definition & { cut: boolean } {
    let root = this.#convert(schema, options, Infinity);
    let cut = false;
    for (let depth = FIRST_DEPTH; root.chars > limit_chars && depth >= LEAST_DEPTH; depth -= 3) {
      root = this.#convert(schema, options, depth);
      cut = true;
    }
    return { ...root, cut };
  }

  #definition(reference: string, for_input: boolean): Definition {
    const key = `${for_input} ${reference}`;
    const definition = this.#definitions.get(key)
      ?? this.#convert(lookUp(this.#document, reference), { for_input }, Infinity);
    this.#definitions.set(key, definition);
    return definition;
  }

  #convert(
    schema: unknown, { for_input, as_required }: BundleOptions, depth: number): Definition {
    const references = new Set<string>();
    const outside = new Set<string>();
    const converted = convertSchema(schema, depth, {
      for_input,
      unreadable: for_input ? this.#inputs : this.#outputs,
      target: (reference) => lookUp(this.#document, reference),
      required: (names, part, whole) => (!for_input || as_required?.has(whole) ? names
        : this.#readOnly.without(names, part, whole)),
      pattern: for_input ? (source) => this.#inputPattern(source) : unicodePattern,
      reference: (reference) => {
        if (lookUp(this.#document, reference) === undefined) {
          this.unresolved.add(reference);
          if (!reference.startsWith('#')) outside.add(reference);
          return undefined;
        }
        references.add(reference);
        return `#/$defs/${this.#names.of(reference)}`;
      },
    });
    return { schema: converted, references, outside, chars: JSON.stringify(converted).length };
  }

  #inputPattern(source: string): string | undefined {
    const pattern = unicodePattern(source);
    if (pattern === undefined) this.unreadable_patterns.add(source);
    return pattern;
  }
}

interface Definition {
  schema: unknown;
  references: ReadonlySet<string>;
  outside: ReadonlySet<string>;
  chars: number;
}

/**
 * A name under `$defs` for every reference. It follows from the reference and the document alone,
 * not from the order in which references are met: an unchanged schema must look unchanged.
 */
class DefinitionNames {
  readonly #nameOfReference = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #ambiguous: ReadonlySet<string>;

  constructor(document: JsonObject) {
    const schemas = Object.keys(objectOf(objectOf(document.components).schemas));
    const groups = Map.groupBy(schemas, plain);
    this.#ambiguous = new Set([...groups].filter(([, keys]) => keys.length > 1)
      .map(([name]) => name));
  }

  of(reference: string): string {
    let name = this.#nameOfReference.get(reference);
    if (name === undefined) {
      name = plain(decodeSegment(reference.replace(/^#?\/?(components\/(schemas\/)?)?/, '')));
      if (this.#ambiguous.has(name) || this.#taken.has(name)) {
        name = `${name}_${hash('sha256', reference, 'hex').slice(0, 6)}`;
      }
      this.#nameOfReference.set(reference, name);
      this.#taken.add(name);
    }
    return name;
  }
}

function plain(key: string): string {
  return key.replace(/[^A-Za-z0-9_.-]+/g, '_') || 'root';
}
