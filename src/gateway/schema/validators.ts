/** Validators of inputs, made of schemas that come from anybody within a bounded time. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../json.ts';
import { checkable, CODE, CONST, ENUM, MULTIPLE_OF, UNIQUE_ITEMS } from './checkable.ts';
import { CutOff, cutOffAfter } from './cutOff.ts';
import { engine } from './linearPattern.ts';

/** The largest of 100,000 real schemas take 20 to 40 ms, and the longest that are taken 300. */
const COMPILE_LIMIT_MS = 500;

/** `all`: every violation is told; `first`: the first alone. */
export type Mode = 'all' | 'first';

/** No input can be checked by a schema; the message says why and ends a sentence. */
export class SchemaUnusable extends Error {}

/** The validators of one schema, each made when it is first needed. `text`: the schema as JSON. */
export class Validators {
  readonly schema_chars: number;
  /** Whether it has no part that could be applied to the same value again and again. */
  readonly is_plain: boolean;
  readonly #schema: JsonObject;
  readonly #text: string;
  readonly #made: Partial<Record<Mode, ValidateFunction>> = {};

  constructor(schema: JsonObject, text = JSON.stringify(schema)) {
    this.schema_chars = text.length;
    this.is_plain = !/"(\$ref|pattern|patternProperties)":/.test(text);
    this.#schema = schema;
    this.#text = text;
  }

  /** Throws SchemaUnusable if none can be made, or not in time. */
  of(mode: Mode): ValidateFunction {
    return this.#made[mode] ??= this.#compile(mode);
  }

  #compile(mode: Mode): ValidateFunction {
    // A module that is cut off while it is loaded stays half loaded.
    if (this.#text.includes('"pattern')) engine();
    try {
      return cutOffAfter(COMPILE_LIMIT_MS, () =>
        newAjv(mode).compile(checkable(this.#schema, this.#text)));
    } catch (cause) {
      throw new SchemaUnusable(cause instanceof CutOff
        ? `takes more than ${COMPILE_LIMIT_MS} ms of the processor to be prepared`
        : 'cannot be prepared', { cause });
    }
  }
}

function newAjv(mode: Mode): Ajv2020 {
  // Real documents break the letter of JSON Schema, so whatever Ajv can compile is taken. Formats
  // are not checked: the upstream service says itself whether a date is one. What every object has
  // by birth, such as `constructor`, is no field of an input that leaves out a field of that name.
  const ajv = new Ajv2020({
    strict: false, meta: false, validateSchema: false, validateFormats: false, logger: false,
    allErrors: mode === 'all', verbose: true, inlineRefs: false, ownProperties: true, code: CODE,
  });
  for (const own of [CONST, ENUM, MULTIPLE_OF, UNIQUE_ITEMS]) {
    ajv.removeKeyword(own.keyword as string).addKeyword(own);
  }
  return ajv;
}
