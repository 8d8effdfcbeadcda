/**
 * Inputs for actions that nobody has written any for: the document's own examples where it has some
 * that are valid, else values made of the action's input schema.
 */
import { InputValidators } from '../../src/gateway/calls/inputValidators.ts';
import type { ImportedAction } from '../../src/gateway/openapi/openapi.ts';
import { resolve } from '../../src/gateway/schema/references.ts';
import { isObject, objectOf, type JsonObject } from '../../src/json.ts';

/** `required`: only what has to be there; `all`: whatever the schema knows. */
export type Extent = 'required' | 'all';

const DEPTH_LIMIT = 8;
const validators = new InputValidators();

/** An input that is valid by the action's schema. Throws if none can be made. */
export function sampleInput(
  document: JsonObject, action: ImportedAction, extent: Extent): JsonObject {
  const made = objectOf(sampleOf(action.input_schema, action.input_schema, extent));
  let input = made;
  // One by one, for documents do have examples that are wrong by their own schema.
  for (const [place, name, example] of examplesOf(document, action)) {
    if (!(place in made) || (name !== null && !(name in objectOf(made[place])))) continue;
    const value = name === null ? example : { ...objectOf(input[place]), [name]: example };
    const next = { ...input, [place]: value };
    if (validators.check(action, next).violations.length === 0) input = next;
  }
  const { violations } = validators.check(action, input);
  if (violations.length === 0) return input;
  throw new Error(`${action.source_key}: ${JSON.stringify(violations)} ${JSON.stringify(input)}`);
}

/** Place, parameter and value; the parameter is null for the whole body. */
function examplesOf(
  document: JsonObject, { path, method, request }: ImportedAction,
): [string, string | null, unknown][] {
  const item = resolve(document, objectOf(document.paths)[path]);
  const operation = objectOf(item[method.toLowerCase()]);
  const parameters = [item.parameters, operation.parameters].filter(Array.isArray).flat()
    .map((one) => resolve(document, one));
  const found = parameters.flatMap((parameter): [string, string | null, unknown][] => {
    const example = exampleIn(document, parameter) ?? exampleIn(document, parameter.schema);
    return example === undefined ? [] : [[String(parameter.in), String(parameter.name), example]];
  });
  const content = objectOf(resolve(document, operation.requestBody).content);
  const body = exampleIn(document, content[request.body_media_type ?? '']);
  return body === undefined ? found : [...found, ['body', null, body]];
}

/** `example`, or the first of `examples`, which is a list in a schema and a map elsewhere. */
function exampleIn(document: JsonObject, owner: unknown): unknown {
  const { example, examples } = resolve(document, owner);
  if (example !== undefined) return example;
  if (Array.isArray(examples)) return examples[0];
  const [first] = Object.values(objectOf(examples));
  return resolve(document, first).value;
}

/** A value that the schema is meant to take; it is not proven here that it does. */
function sampleOf(schema: unknown, root: JsonObject, extent: Extent, depth = 0): unknown {
  const given = followed(schema, root);
  if ('const' in given) return given.const;
  if (given.default !== undefined && given.default !== null) return given.default;
  if (Array.isArray(given.enum)) return given.enum.find((value) => value !== null) ?? null;
  const merged = withParts(given, root, depth);
  const [type] = [merged.type].flat().filter((one) => one !== 'null');
  switch (type ?? (isObject(merged.properties) ? 'object' : 'string')) {
    case 'object': return objectSample(merged, root, extent, depth);
    case 'array': return arraySample(merged, root, extent, depth);
    case 'boolean': return true;
    case 'integer': case 'number': return Number(merged.minimum ?? merged.maximum ?? 1);
    default: return textSample(merged);
  }
}

function followed(schema: unknown, root: JsonObject): JsonObject {
  let at = objectOf(schema);
  while (typeof at.$ref === 'string') {
    const { $ref, ...siblings } = at;
    at = { ...objectOf(objectOf(root.$defs)[String($ref).replace('#/$defs/', '')]), ...siblings };
  }
  return at;
}

/** The schema with all parts of `allOf` and the first alternative of the others. */
function withParts(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const { allOf = [], anyOf = [], oneOf = [], ...rest } = schema;
  const [first] = [anyOf, oneOf].flat().map((part) => followed(part, root))
    .filter(({ type }) => type !== 'null');
  const parts = [...[allOf].flat(), ...(first ? [first] : [])];
  return parts.reduce<JsonObject>((merged, part) => {
    const own = depth > DEPTH_LIMIT ? {} : withParts(followed(part, root), root, depth + 1);
    return {
      ...own, ...merged,
      ...((own.properties ?? merged.properties) !== undefined && {
        properties: { ...objectOf(own.properties), ...objectOf(merged.properties) } }),
      required: [own.required ?? [], merged.required ?? []].flat(),
    };
  }, rest);
}

function objectSample(
  { properties, required = [], not, additionalProperties }: JsonObject, root: JsonObject,
  extent: Extent, depth: number): JsonObject {
  const needed = new Set([required].flat());
  const unwanted = new Set([objectOf(not).required].flat());
  const wanted = Object.entries(objectOf(properties)).filter(([name, property]) =>
    needed.has(name) || (extent === 'all' && depth < DEPTH_LIMIT && !unwanted.has(name)
      && followed(property, root).readOnly !== true));
  if (wanted.length === 0 && extent === 'all' && isObject(additionalProperties)) {
    return { any: sampleOf(additionalProperties, root, extent, depth + 1) };
  }
  return Object.fromEntries(wanted.map(([name, property]) =>
    [name, sampleOf(property, root, extent, depth + 1)]));
}

function arraySample(
  { items, minItems = 0 }: JsonObject, root: JsonObject, extent: Extent, depth: number): unknown[] {
  const length = Math.max(Number(minItems), extent === 'all' && depth < DEPTH_LIMIT ? 1 : 0);
  return Array.from({ length }, () => sampleOf(items ?? {}, root, extent, depth + 1));
}

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T09:00:00Z', date: '2026-11-21', time: '09:00:00Z',
  email: 'octocat@example.com', uri: 'https://example.com/hook', url: 'https://example.com/hook',
  uuid: '0b7c1f6e-0d3f-4a55-9a4a-2f7a4c1d9f10', ipv4: '192.0.2.1', hostname: 'example.com',
};
/** For patterns: the first of them that fits. */
const CANDIDATES = ['text', '1', '1.2.3', 'a1b2c3d4e5f6', '2026-11-21', `sha256:${'0a'.repeat(32)}`,
  'https://example.com/a', '#0075ca', 'octocat/hello-world', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5'];

function textSample({ format, pattern, minLength = 0, maxLength = Infinity }: JsonObject): string {
  const texts = [TEXTS[String(format)] ?? [], CANDIDATES].flat();
  const expression = new RegExp(typeof pattern === 'string' ? pattern : '', 'u');
  const fitting = texts.map((text) => text.padEnd(Number(minLength), 'x'))
    .find((text) => expression.test(text) && text.length <= Number(maxLength));
  return fitting ?? 'x'.repeat(Number(minLength));
}
