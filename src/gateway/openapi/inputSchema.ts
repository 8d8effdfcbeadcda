/**
 * The input of an action made from an OpenAPI operation: `{path, query, header, cookie, body}`,
 * each there only if the operation has it. Nested, because a flat one is ambiguous: in 8 % of real
 * operations the body has a field named like a parameter.
 */
import { isObject, listOf, objectOf, textOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';
import { readBody, type BodyInput } from './bodyInput.ts';
import { unusableParameter, type DeclaredParameter } from './declaredParameters.ts';
import { isJsonMediaType } from './mediaTypes.ts';
import { templateNames, withoutQueryTemplates, withoutShownPairs } from './ownQuery.ts';
import {
  describedSlashes, googleName, pathVariables, type PathSlashes, type PathVariable,
} from './pathSlashes.ts';
import {
  namesOfKeys, NEVER_A_PARAMETER, parameterKey, type SetParameter,
} from './setParameters.ts';
import type { SourceOperation } from './sourceOperations.ts';

export const PLACES = ['path', 'query', 'header', 'cookie'] as const;
export type ParameterPlace = (typeof PLACES)[number];

/** How one parameter is written into the request. */
export interface Parameter {
  place: ParameterPlace;
  name: string;
  required: boolean;
  /** OpenAPI's, and `tabDelimited` for Swagger 2.0's `collectionFormat: tsv`. */
  style: string;
  explode: boolean;
  /** Reserved characters of its value are sent as they are. */
  allow_reserved: boolean;
  /** How slashes in the value of a path parameter are sent; null: there may be none. */
  slashes: PathSlashes | null;
  /** It may begin with a slash, or be one: the operator has said that they are part of it. */
  slash_first?: true;
  /** Its value is sent as JSON text (a parameter with `content`). */
  as_json: boolean;
  /** What is sent in any case: the operator has set it. */
  value?: unknown;
  /** What is sent if the caller leaves it out: the document wants it, and says what. */
  default?: unknown;
}

/** What is needed to turn an input into a request. */
export interface OperationInput extends BodyInput {
  parameters: Parameter[];
}

export interface InputOptions {
  /** `<place>.<name>`, in lower case: parameters that callers do not get to set. */
  hidden: ReadonlySet<string>;
  /** What the operator says of slashes, by path parameter; `*` for all. */
  path_slashes?: Readonly<Record<string, PathSlashes>> | undefined;
  /** What the operator has the body sent as. */
  media_type?: string | undefined;
  /** By the same keys as `hidden`: what the operator sets. */
  set: ReadonlyMap<string, SetParameter>;
  /** Whether the operation changes nothing. */
  only_reads: boolean;
  warn(message: string): void;
}

/** A parameter that callers do not get to set. */
export type Withheld = Pick<Parameter, 'place' | 'name'>;

/** What calls of an operation take. */
interface ReadInput {
  input: OperationInput;
  schema: JsonObject;
  path: string;
  withheld: Withheld[];
  /** Those that are made of parameters: what they require is to be given. */
  as_required: ReadonlySet<unknown>;
}

/** `schema` still has references into the document; `path` has its parameters by their names. */
export function readInput(
  document: JsonObject, source: SourceOperation, options: InputOptions): ReadInput {
  const parameters: Parameter[] = [];
  const properties: JsonObject = {};
  const [required, withheld]: [string[], Withheld[]] = [[], []];
  const { declared, variables, path } = declaredParameters(source, options);
  for (const place of PLACES) {
    const all = declared.filter((parameter) => parameter.in === place);
    const here = all.filter(({ name }) => !isHidden(place, name, options));
    const set = setHere(document, place, all, options);
    parameters.push(...set);
    const names = [...namesOfKeys(place, options.hidden),
      ...[...set, ...all.filter((one) => !here.includes(one))].map(({ name }) => name)];
    withheld.push(...new Map(names.map((name) => [name.toLowerCase(), { place, name }])).values());
    if (here.length === 0) continue;
    const taken = here.map((parameter) => {
      const variable = variables.find(({ name }) => place === 'path' && name === parameter.name);
      const { slashes, slash_first, pattern }: Slashes = variable === undefined ? { slashes: null }
        : slashesOf(document, source, parameter, variable, options);
      if (isListInName(document, parameter)) {
        options.warn(`${parameter.name}: a list is taken, too, as its name says`);
      }
      return {
        read: { ...readParameter(document, place, parameter, options), slashes,
          ...(slash_first && { slash_first }) },
        declared: pattern === undefined ? parameter : withPattern(document, parameter, pattern),
      };
    });
    parameters.push(...taken.map(({ read }) => read));
    properties[place] = placeSchema(document, taken);
    if (taken.some(({ read }) => read.required)) required.push(place);
  }
  const body = readBody(document, source.operation, options.media_type);
  Object.assign(properties, body.properties);
  if (body.is_required) required.push('body');
  const schema = objectSchema(properties, required);
  return {
    input: { parameters, ...body.input },
    schema,
    as_required: new Set([schema, ...PLACES.map((place) => properties[place])]),
    // Documents tell two operations of one path apart by a mark that nobody sees (Directus).
    path: variables.reduce((text, { written, name }) =>
      text.replaceAll(`{${written}}`, () => `{${name}}`), path).replace(/\p{Cf}(?![^{]*\})/gu, ''),
    withheld,
  };
}

/** What the operator sets of this place; of the path only what is in it. */
function setHere(
  document: JsonObject, place: ParameterPlace, declared: readonly DeclaredParameter[],
  options: InputOptions): Parameter[] {
  const known = new Map(declared.map((one) => [parameterKey(place, one.name), one]));
  return [...options.set].filter(([key, one]) =>
    one.place === place && (place !== 'path' || known.has(key)))
    .map(([key, { name, value }]) => ({
      ...readParameter(document, place, known.get(key) ?? { in: place, name }, options),
      required: false, value }));
}

/** The schema of one parameter, or one field of the body; {} if it says nothing. */
export function propertySchema(
  input_schema: JsonObject, place: ParameterPlace | 'body', name: string): JsonObject {
  const { properties } = resolve(input_schema, objectOf(input_schema.properties)[place]);
  return resolve(input_schema, objectOf(properties)[name]);
}

/** The fields of an operation's body, as its document orders them. */
export function bodyFields(input_schema: JsonObject): string[] {
  const { properties } = resolve(input_schema, objectOf(input_schema.properties).body);
  return Object.keys(objectOf(properties));
}

/**
 * The parameters of an operation; its own replace equal ones of its path. `path`: what of the path
 * is sent, with its variables.
 */
function declaredParameters(
  { path: written, parameters }: SourceOperation, { warn }: InputOptions,
): { declared: DeclaredParameter[], variables: PathVariable[], path: string } {
  const byKey = new Map<string, DeclaredParameter>();
  for (const one of parameters) {
    const unusable = unusableParameter(one, PLACES);
    // Names of headers are the same in any case: NestJS describes those with two decorators twice.
    const key = `${one.in} ${one.in === 'header' ? one.name.toLowerCase() : one.name}`;
    const twice = byKey.get(key);
    if (unusable !== undefined) warn(unusable);
    else if (twice === undefined || twice.name === one.name) byKey.set(key, one);
    else byKey.set(key, { ...one, required: twice.required === true || one.required === true });
  }
  const namesIn = (place: ParameterPlace) => new Set([...byKey.values()]
    .filter((parameter) => parameter.in === place).map(({ name }) => name));
  for (const name of templateNames(written)) {
    if (!byKey.has(`query ${name}`)) {
      warn(`The query parameter ${name} of the path is not described and left out`);
    }
  }
  const path = withoutShownPairs(withoutQueryTemplates(written), namesIn('query'));
  const variables = pathVariables(path, namesIn('path'));
  const inPath = new Set(variables.map(({ name }) => name));
  for (const [key, { in: place, name }] of byKey) {
    if (place !== 'path' || inPath.has(name)) continue;
    warn(`The path parameter ${name} is not in the path and left out`);
    byKey.delete(key);
  }
  for (const name of inPath) {
    if (byKey.has(`path ${name}`)) continue;
    warn(`The path parameter ${name} is not described and taken for a text`);
    byKey.set(`path ${name}`, { in: 'path', name, schema: { type: 'string' } });
  }
  return { declared: [...byKey.values()], variables, path };
}

/** What is known of the slashes in the values of a parameter. */
type Slashes = Pick<PathVariable, 'slashes' | 'slash_first' | 'pattern'>;

/** The operator's word, else the path's, else the description's. */
function slashesOf(
  document: JsonObject, { path, operation_id }: SourceOperation, parameter: JsonObject,
  variable: PathVariable, { path_slashes = {} }: InputOptions,
): Slashes {
  const said = [variable.name, '*'].find((name) => Object.hasOwn(path_slashes, name));
  if (said !== undefined) {
    const slashes = path_slashes[said]!;
    return { slashes, ...(slashes === 'encoded' && said !== '*' && { slash_first: true }) };
  }
  if (variable.slashes !== null || variable.pattern !== undefined) return variable;
  const described = describedSlashes(
    { ...parameter, schema: resolve(document, parameter.schema) });
  return described.slashes !== null ? described
    : googleName(document, path, variable.written, operation_id) ?? described;
}

/** The parameter, of whose values only those are taken that match as a whole. */
function withPattern(
  document: JsonObject, parameter: DeclaredParameter, pattern: string): DeclaredParameter {
  const whole = /^\^[^|]*\$$/.test(pattern) ? pattern : `^(?:${pattern})$`;
  return { ...parameter,
    schema: { ...resolve(document, parameter.schema), type: 'string', pattern: whole } };
}

function isHidden(
  place: ParameterPlace, name: string, { hidden, set }: InputOptions): boolean {
  const key = parameterKey(place, name);
  return (place === 'header' && NEVER_A_PARAMETER.includes(name.toLowerCase()))
    || hidden.has(key) || set.has(key);
}

function readParameter(
  document: JsonObject, place: ParameterPlace, parameter: DeclaredParameter,
  { only_reads }: Pick<InputOptions, 'only_reads'>): Parameter {
  const required = place === 'path' || parameter.required === true;
  const schema = required ? resolve(document, parameterSchema(parameter)) : {};
  // What is changed or deleted is for the caller to name, if there is anything to choose.
  const unsaid = place === 'path' && !only_reads ? onlyValue(schema) : unsaidValue(schema);
  const style = textOf(parameter.style)
    ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return {
    place,
    name: parameter.name,
    required: required && unsaid === undefined,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    allow_reserved: parameter.allowReserved === true,
    slashes: null,
    as_json: Object.keys(objectOf(parameter.content)).slice(0, 1).some(isJsonMediaType),
    ...(unsaid !== undefined && { default: unsaid }),
  };
}

/** What a parameter is if nobody says it: its default, or the one value that it can have. */
function unsaidValue(schema: JsonObject): unknown {
  return isSendable(schema.default) ? schema.default : onlyValue(schema);
}

function onlyValue(schema: JsonObject): unknown {
  const [only, ...others] = listOf(schema.enum);
  const value = schema.const ?? (others.length === 0 ? only : undefined);
  return isSendable(value) ? value : undefined;
}

function isSendable(value: unknown): boolean {
  return value !== undefined && value !== null && !isObject(value);
}

function placeSchema(
  document: JsonObject, taken: readonly { read: Parameter, declared: DeclaredParameter }[],
): JsonObject {
  const properties = Object.fromEntries(taken.map(({ declared }) => [declared.name,
    described(severalInOne(document, declared), declared.description)]));
  return objectSchema(properties,
    taken.filter(({ read }) => read.required).map(({ read }) => read.name));
}

/** An object that has these properties and no others. */
function objectSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }),
    additionalProperties: false };
}

const SEVERAL = new RegExp('(comma|semicolon|pipe|komma|semikolon)s?[- ]?(separated|delimited|'
  + 'separiert|getrennt)|(separated|delimited) (by|with) (an? )?(comma|semicolon|pipe)', 'i');

/**
 * One of the values, or a list of them where it is declared as one and meant for many: `status[]`;
 * or several in one text, where a document says so in words alone.
 */
function severalInOne(document: JsonObject, parameter: DeclaredParameter): unknown {
  const schema = parameterSchema(parameter);
  const one = resolve(document, schema);
  if (isListInName(document, parameter)) return { anyOf: [one, { type: 'array', items: one }] };
  const isSaid = [parameter.description, one.description]
    .some((words) => SEVERAL.test(textOf(words) ?? ''));
  if (!isSaid || !Array.isArray(one.enum) || one.enum.length < 2) return schema;
  return { anyOf: [one,
    { type: 'string', pattern: '[,;|]', description: 'Several of them, as described.' }] };
}

function isListInName(document: JsonObject, parameter: DeclaredParameter): boolean {
  const { type } = resolve(document, parameterSchema(parameter));
  return parameter.in === 'query' && parameter.name.endsWith('[]')
    && ['string', 'integer', 'number', 'boolean'].includes(textOf(type) ?? '');
}

/** As a document has it; a text where it may hold nothing (Jira's `state` of sprints). */
function parameterSchema(parameter: JsonObject): unknown {
  const [content] = Object.values(objectOf(parameter.content));
  const schema = parameter.schema ?? objectOf(content).schema ?? {};
  const { type, additionalProperties, description, ...rest } = objectOf(schema);
  return type === 'object' && additionalProperties === false && Object.keys(rest).length === 0
    ? { type: 'string', description } : schema;
}

function described(schema: unknown, description: unknown): unknown {
  return typeof description === 'string' && isObject(schema) ? { ...schema, description } : schema;
}
