import { hash } from 'node:crypto';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { jsonChars, objectOf, toSegment, type JsonObject } from '../../json.ts';
import type { ActionDefinition, ActionDescription } from '../action/action.ts';
import type { CheckedInput } from '../action/missing.ts';
import { CutOff, cutOffAfter, unlessCutOff } from '../schema/cutOff.ts';
import { withNearNumbers } from '../schema/exactNumbers.ts';
import { SchemaUnusable, Validators, type Mode } from '../schema/validators.ts';
import { inputReport } from './inputReport.ts';

/** Of a larger input only the first violation is told: 500,000 would be a hundred megabytes. */
const EXHAUSTIVE_LIMIT_CHARS = 65_536;
/** A megabyte of ordinary input takes 5 to 20 ms. */
const CHECK_LIMIT_MS = 100;
/** The schemas by which an input is arranged come from anybody. */
const ARRANGE_LIMIT_MS = 100;
/** Nobody means an action by so many fields, and to look for the place of each takes 80 ms. */
const ARRANGED_FIELDS = 1_000;
/** Nor by so much: to count the fields of a megabyte takes 20 ms. */
const ARRANGED_CHARS = 65_536;
/** Schemas that no validator could be made of, each with the reason. */
const UNUSABLE_LIMIT = 10_000;
/** Without references, a check takes at most a few ns for each character of schema and input. */
const SHORT_WORK = 10_000_000;

/**
 * Checks inputs by the schemas of their actions, in bounded time: schemas come from anybody, and
 * inputs, too. Validators are compiled when they are first needed and the least recently used are
 * forgotten: GitHub alone has 1,223 schemas, few of which are ever used. Each has an Ajv of its
 * own, for one Ajv keeps all it ever compiled. They are known by the text of their schema, for the
 * definitions of actions are read anew again and again; and a schema that no validator can be made
 * of is remembered apart, where others do not drive it out: it is tried once.
 */
export class InputValidators {
  readonly #compiled: LRUCache<string, Validators>;
  readonly #unusable = new LRUCache<string, SchemaUnusable>({ max: UNUSABLE_LIMIT });
  /** What a schema is known by, so that its text is made once for each time that it is read. */
  readonly #keys = new WeakMap<JsonObject, string>();

  constructor(capacity = 256) {
    this.#compiled = new LRUCache({ max: capacity });
  }

  /** Throws SchemaUnusable if no input can be checked by the action's schema. */
  check({ input_schema }: ActionDescription, input: unknown): CheckedInput {
    const input_chars = jsonChars(input, EXHAUSTIVE_LIMIT_CHARS);
    const mode = input_chars <= EXHAUSTIVE_LIMIT_CHARS ? 'all' : 'first';
    const { known, validate } = this.#validator(input_schema, mode);
    try {
      // A small input and a small schema cannot take long: then the timer, 0.1 ms, is left out.
      const isShort = mode === 'all' && input_chars * known.schema_chars <= SHORT_WORK;
      const errorsOf = (value: unknown) => (known.is_plain && isShort
        ? validate(value) : cutOffAfter(CHECK_LIMIT_MS, () => validate(value)))
        ? [] : validate.errors ?? [];
      const errors = errorsOf(input);
      // All errors have to be known, for one that is none must not hide another.
      const numbers = mode === 'all' ? withNearNumbers(input, errors) : undefined;
      return inputReport(input_schema, numbers === undefined ? errors : errorsOf(numbers));
    } catch (error) {
      // A schema may refer to itself without an end: then the stack overflows, which is a
      // RangeError. The validator can be used again after a check that was cut off: it keeps
      // nothing of a check but its errors, and a pattern that was cut off begins anew.
      if (!(error instanceof CutOff || error instanceof RangeError)) throw error;
      return { schema: {}, violations: [{ path: '/input', message: 'takes too long to be checked by'
        + ' the schema of the action. Give less at once' }] };
    }
  }

  /**
   * The input as the action takes it, or what is wrong with it as it was given. What fits as it is
   * stays as it is, so that an input that was put right once is not changed again. Throws
   * SchemaUnusable as `check` does.
   */
  fit(definition: ActionDefinition, input: JsonObject): CheckedInput & { input: JsonObject } {
    const checked = nameWithheld(definition, input, this.check(definition, input));
    if (checked.violations.length === 0 || !definition.arrange
      || jsonChars(input, ARRANGED_CHARS) > ARRANGED_CHARS
      || Object.keys(input).length > ARRANGED_FIELDS) return { input, ...checked };
    const put = unlessCutOff(ARRANGE_LIMIT_MS, () => definition.arrange!(input));
    if (put === undefined) return { input, ...checked };
    const { input: arranged, hints } = put;
    const again = this.check(definition, arranged);
    if (again.violations.length === 0) return { input: arranged, ...again };
    const hinted = new Map(Object.entries(hints)
      .map(([name, message]) => [`/input/${toSegment(name)}`, message]));
    return { ...checked, input, violations: checked.violations.map(({ path, message }) =>
      ({ path, message: hinted.get(path) ?? message })) };
  }

  #validator(schema: JsonObject, mode: Mode): { known: Validators; validate: ValidateFunction } {
    const key = this.#keys.get(schema) ?? hash('sha256', JSON.stringify(schema), 'base64');
    this.#keys.set(schema, key);
    const fault = this.#unusable.get(key);
    if (fault !== undefined) throw fault;
    const known = this.#compiled.get(key) ?? new Validators(schema);
    try {
      const validate = known.of(mode);
      this.#compiled.set(key, known);
      return { known, validate };
    } catch (error) {
      if (error instanceof SchemaUnusable) {
        this.#unusable.set(key, error);
        this.#compiled.delete(key);
      }
      throw error;
    }
  }

  /** How many schemas have a compiled validator now. */
  get size(): number {
    return this.#compiled.size;
  }
}

/** What is wrong with an input, where it has parameters that callers do not get to set. */
function nameWithheld(
  { withheld = [] }: ActionDefinition, input: JsonObject, checked: CheckedInput): CheckedInput {
  if (checked.violations.length === 0) return checked;
  const named = withheld.flatMap(({ place, name }) => {
    const given = Object.keys(objectOf(input[place]))
      .find((one) => one.toLowerCase() === name.toLowerCase());
    return given === undefined ? []
      : [{ place: `/input/${place}`, path: `/input/${place}/${toSegment(given)}` }];
  });
  const known = new Set(named.flatMap(({ place, path }) => [place, path]));
  return { ...checked, violations: [
    ...named.map(({ path }) => ({ path, message: 'is not for callers to set; leave it out' })),
    ...checked.violations.filter(({ path }) => !known.has(path))] };
}
