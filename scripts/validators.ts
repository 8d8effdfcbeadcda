/**
 * Validators as plain JavaScript: Ajv compiles the document's schemas here and not when the service
 * starts, which took 210 ms. Four files, because they differ in options and in who loads them:
 *
 * - validators.js: request bodies, stops at the first violation.
 * - responses.js: every named schema, by the same options. Tests alone load it: it is 4.5 times as
 *   large, and the service does not check its own answers.
 * - violations.js: request bodies once more, finds every violation. Runs only for a bad body.
 * - parameters.js: `{path, query, headers}` of each operation, from text to types, with defaults.
 */
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import {
  listOperations, resolveReference,
  type ListedOperation, type OpenapiDocument, type ParameterNode, type SchemaNode,
} from './document.ts';

type Ajv = InstanceType<typeof Ajv2020>;
interface NamedSchema { name: string; schema: SchemaNode; type: string }

/** The `.js` and `.d.ts` files that hold the validators, by file name. */
export function validatorFiles(document: OpenapiDocument): Record<string, string> {
  const named = namedSchemas(document);
  const bodies = new Set(
    listOperations(document).map((listed) => bodySchemaName(document, listed)));
  const bodySchemas = named.filter(({ name }) => bodies.has(name));
  const parameters = parameterSchemas(document);
  return {
    'validators.js': compile(document, bodySchemas, {}),
    'validators.d.ts': VALIDATE_TYPE + declarations(bodySchemas),
    'responses.js': compile(document, named, {}),
    'responses.d.ts': IMPORTS + declarations(named),
    'violations.js': compile(document, bodySchemas, { allErrors: true }),
    'violations.d.ts': IMPORTS + declarations(bodySchemas),
    'parameters.js': inDigits(compile(document, parameters,
      { allErrors: true, coerceTypes: true, useDefaults: true })),
    'parameters.d.ts': PARAMETERS_TYPE + declarations(parameters),
  };
}

/** The name of the validator of an operation's JSON body; undefined if it takes none. */
export function bodySchemaName(
  document: OpenapiDocument, { operation_id, node }: ListedOperation): string | undefined {
  const body = resolveReference(document, node.requestBody);
  const schema = body?.content?.['application/json']?.schema;
  return schema && (componentName(schema) ?? `${operation_id}Body`);
}

/** The name of the validator of an operation's JSON response; undefined if it has none. */
export function responseSchemaName(
  document: OpenapiDocument, { operation_id, node }: ListedOperation, status: string,
): string | undefined {
  const response = resolveReference(document, node.responses?.[status]);
  const schema = response?.content?.['application/json']?.schema;
  return schema && (componentName(schema) ?? `${operation_id}Response${status}`);
}

function componentName(schema: SchemaNode): string | undefined {
  return /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? '')?.[1];
}

/** The component schemas, then those that requests and responses spell out in place. */
function namedSchemas(document: OpenapiDocument): NamedSchema[] {
  const found = new Map<string, NamedSchema>();
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    found.set(name, { name, schema, type: `components['schemas']['${name}']` });
  }
  for (const listed of listOperations(document)) {
    const operation = `operations['${listed.operation_id}']`;
    const body = bodySchemaName(document, listed);
    if (body && !found.has(body)) {
      const node = resolveReference(document, listed.node.requestBody)!;
      const schema = node.content!['application/json']!.schema!;
      const type = `NonNullable<${operation}['requestBody']>['content']['application/json']`;
      found.set(body, { name: body, schema, type });
    }
    for (const status of Object.keys(listed.node.responses ?? {})) {
      const name = responseSchemaName(document, listed, status);
      if (!name || found.has(name)) continue;
      const node = resolveReference(document, listed.node.responses![status]!);
      const schema = node.content!['application/json']!.schema!;
      const type = `${operation}['responses'][${status}]['content']['application/json']`;
      found.set(name, { name, schema, type });
    }
  }
  return [...found.values()];
}

/** A schema per operation over `{path, query, headers}`; an unknown query parameter is refused. */
function parameterSchemas(document: OpenapiDocument): NamedSchema[] {
  return listOperations(document).map(({ operation_id, parameters }) => {
    const place = (where: ParameterNode['in']): SchemaNode => {
      const here = parameters.filter((parameter) => parameter.in === where);
      for (const parameter of here) refuseArray(document, operation_id, parameter);
      return {
        type: 'object',
        additionalProperties: where !== 'query',
        properties: Object.fromEntries(here.map(({ name, schema }) =>
          [where === 'header' ? name.toLowerCase() : name, schema ?? {}])),
        required: here.filter(({ required }) => required)
          .map(({ name }) => where === 'header' ? name.toLowerCase() : name),
      };
    };
    const schema: SchemaNode = {
      type: 'object', required: ['path', 'query', 'headers'],
      properties: { path: place('path'), query: place('query'), headers: place('header') },
    };
    return { name: operation_id, schema, type: `OperationParameters<'${operation_id}'>` };
  });
}

// A parameter is one string on the wire. Lists would need a rule for splitting; there are none yet.
function refuseArray(
  document: OpenapiDocument, operation_id: string, parameter: ParameterNode): void {
  const schema = resolveReference(document, parameter.schema);
  const types = [schema?.type].flat();
  if (types.includes('array') || types.includes('object')) {
    throw new Error(`openapi.yaml: ${operation_id} has the parameter ${parameter.name} of type`
      + ` ${types.join('|')}; the generator supports scalar parameters only`);
  }
}

function compile(document: OpenapiDocument, named: NamedSchema[], options: Options): string {
  const ajv = newAjv(document, options);
  const ids: Record<string, string> = {};
  for (const { name, schema } of named) {
    ids[name] = document.components.schemas[name] === schema
      ? `api#/$defs/${name}` : `inline-${name}`;
    if (ids[name] === `inline-${name}`) ajv.addSchema(local(document, schema) as object, ids[name]);
  }
  return hoistImports(standalone.default(ajv, ids).replace(/^"use strict";\n?/, ''));
}

/**
 * Integers as people write them. Ajv takes every text for one that JavaScript turns into one: 0x1,
 * 1e1, +1 and 1.0 as well, and has no option for that. Throws if Ajv writes its code otherwise.
 */
function inDigits(code: string): string {
  const asJavascript = /\b(\w+) && \1 == \+\1 && !\(\1 % 1\)/g;
  if (!asJavascript.test(code)) throw new Error('Ajv makes integers of texts in another way.');
  return code.replace(asJavascript, '/^-?\\d+$$/.test($1)');
}

function newAjv(document: OpenapiDocument, options: Options): Ajv {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true }, discriminator: true,
    strict: true, strictTypes: false, strictRequired: false, inlineRefs: false, ...options,
  });
  formats.default(ajv);
  ajv.addVocabulary(['example', 'externalDocs', 'xml', ...extensionKeywords(document)]);
  ajv.addSchema({ $id: 'api', $defs: local(document, document.components.schemas) as object });
  return ajv;
}

/** Every `x-…` key, which Ajv's strict mode wants to be told of. */
function extensionKeywords(document: OpenapiDocument): string[] {
  return [...new Set(JSON.stringify(document).match(/"x-[\w-]+"(?=:)/g))]
    .map((quoted) => quoted.slice(1, -1));
}

/**
 * References made relative to the one schema document; `discriminator.mapping` is not Ajv's, and
 * examples, which Ajv would copy into the code, say nothing to a validator.
 */
function local(document: OpenapiDocument, given: unknown): unknown {
  if (Array.isArray(given)) return given.map((item) => local(document, item));
  if (typeof given !== 'object' || given === null) return given;
  const node: object = withNull(document, given as SchemaNode);
  const entries = Object.entries(node).filter(([key, value]) =>
    !(key === 'examples' && Array.isArray(value)) && !(key === 'description' && isText(value)));
  return Object.fromEntries(entries.map(([key, value]) => {
    if (key === '$ref') return [key, value.replace('#/components/schemas/', 'api#/$defs/')];
    if (key === 'discriminator' && typeof value.propertyName === 'string') {
      // Ajv looks at the discriminator in place of oneOf, and only where the value is an object.
      if (!('type' in node && node.type === 'object')) {
        throw new Error(`A schema with the discriminator ${value.propertyName} lacks`
          + ' `type: object`: without it a text or a number would be taken.');
      }
      return [key, { propertyName: value.propertyName }];
    }
    return [key, local(document, value)];
  }));
}

/**
 * `oneOf: [X, null]` as X with one type more: the same to a validator, which then says "must be
 * string or null" and not that it is neither of two things.
 */
function withNull(document: OpenapiDocument, node: SchemaNode): SchemaNode {
  const { oneOf, ...rest } = node;
  if (!Array.isArray(oneOf) || oneOf.length !== 2 || oneOf[1].type !== 'null') return node;
  const { type, ...others } = resolveReference(document, oneOf[0] as SchemaNode);
  const foldable = typeof type === 'string' && !others.enum && !others.const && !others.oneOf;
  return foldable ? { ...others, ...rest, type: [type, 'null'] } : node;
}

// A property may be named description too; then its value is a schema and not a text.
function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Ajv's ESM output still calls require() for its runtime: each becomes an import at the top. */
function hoistImports(code: string): string {
  const imports = new Map<string, string>();
  const text = code.replace(/require\("([^"]+)"\)/g, (_, module: string) => {
    if (!imports.has(module)) imports.set(module, `imported${imports.size}`);
    return imports.get(module)!;
  });
  const lines = [...imports].map(([module, name]) =>
    `import ${name} from '${module}${module.endsWith('.js') ? '' : '.js'}';\n`);
  return lines.join('') + text;
}

function declarations(named: NamedSchema[]): string {
  return named.map(({ name, type }) => `export declare const ${name}: Validate<${type}>;\n`)
    .join('');
}

const VALIDATE_TYPE = `import type { ErrorObject } from 'ajv';
import type { components, operations } from './types.ts';
/** True if \`data\` is a T; otherwise \`errors\` holds why, until the next call. */
export interface Validate<T> {
  (data: unknown): data is T;
  errors?: ErrorObject[] | null;
}
`;
const IMPORTS = `import type { components, operations } from './types.ts';
import type { Validate } from './validators.js';
`;
const PARAMETERS_TYPE = `import type { OperationParameters } from './operations.ts';
import type { Validate } from './validators.js';
`;
