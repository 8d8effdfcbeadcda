/** Requests of every operation, made of the document: right ones, nearly right ones, and others. */
import fc from 'fast-check';
import document from '../../generated/openapi.admin.json' with { type: 'json' };
import { operations, type OperationId } from '../../generated/operations.ts';
import { isObject, objectOf, type JsonObject } from '../../src/json.ts';
import { lookUp } from '../../src/gateway/schema/references.ts';
import { DEEP, mutated } from './mutation.ts';
import { arbitraryOf, HOSTILE_TEXTS, recordOf, type SchemaContext } from './schemaArbitrary.ts';

export interface FuzzRequest {
  id: OperationId;
  path: JsonObject;
  query: JsonObject;
  headers: Record<string, string>;
  /** Undefined: no body. */
  body: unknown;
  /** How its text is spoilt on the way, and the media type it claims to have. */
  spoilt: Spoiling;
  media_type: string;
  /** `right`: the credential that the operation asks for. */
  credential: 'right' | 'other' | 'none' | 'made_up';
}

export type Spoiling = 'not' | 'cut' | 'not_utf8' | 'with_bom' | 'twice' | 'empty' | 'zipped';

/** Of a request that failed. */
const SHOWN_CHARS = 3_000;
const NOT_UTF8 = Buffer.from([0xc3, 0x28, 0xff]);
const DEPTH = 5_000;
const root = document as unknown as JsonObject;

export function requests(
  ground: Pick<SchemaContext, 'known' | 'good_bodies'>): fc.Arbitrary<FuzzRequest> {
  const context: SchemaContext = { document: root, ...ground };
  const ids = Object.keys(operations) as OperationId[];
  return fc.constantFrom(...ids).chain((id) => ofOperation(id, context)).map((request) =>
    Object.assign(request, { [fc.toStringMethod]: () =>
      JSON.stringify(request).slice(0, SHOWN_CHARS) }));
}

function ofOperation(id: OperationId, context: SchemaContext): fc.Arbitrary<FuzzRequest> {
  const { method, path } = operations[id];
  const item = objectOf(objectOf(root.paths)[path]);
  const operation = objectOf(item[method.toLowerCase()]);
  const parameters = [item.parameters ?? [], operation.parameters ?? []].flat().map(resolved);
  const ofPlace = (place: string) => parametersArbitrary(parameters, place, context);
  const content = objectOf(resolved(operation.requestBody).content);
  const { schema } = objectOf(content['application/json']);
  return fc.record({
    id: fc.constant(id),
    path: ofPlace('path'),
    query: often(ofPlace('query'), 3),
    headers: fc.tuple(ofPlace('header').map(asHeaders), acceptHeader)
      .map(([declared, accept]) => ({ ...declared, ...accept })),
    body: schema === undefined ? fc.constant(undefined)
      : often(bodies(id, schema, context), 1),
    spoilt: mostly<Spoiling>('not', ['cut', 'not_utf8', 'with_bom', 'twice', 'empty', 'zipped']),
    media_type: mostly('application/json', ['application/json; charset=utf-16', 'text/plain',
      'application/merge-patch+json', 'application/json, text/html', '', ';',
      'multipart/form-data']),
    credential: mostly<FuzzRequest['credential']>('right', ['other', 'none', 'made_up']),
  });
}

function bodies(id: OperationId, schema: unknown, context: SchemaContext): fc.Arbitrary<unknown> {
  const good = context.good_bodies[id];
  const made = arbitraryOf(schema, context);
  return good === undefined ? made : fc.oneof(made, fc.constantFrom(...good));
}

/** As it should be, `weight` times as often as spoilt. */
function often<T>(values: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: values },
    { weight: 1, arbitrary: mutated(values) as fc.Arbitrary<T> });
}

function mostly<T>(usual: T, others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 30, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) });
}

function resolved(value: unknown): JsonObject {
  const at = objectOf(value);
  return typeof at.$ref === 'string' ? objectOf(lookUp(root, at.$ref)) : at;
}

function parametersArbitrary(
  parameters: readonly JsonObject[], place: string, context: SchemaContext,
): fc.Arbitrary<JsonObject> {
  const own = parameters.filter((one) => one.in === place);
  const values = Object.fromEntries(own.map(({ name, schema }) =>
    [String(name), fc.oneof({ weight: 6, arbitrary: arbitraryOf(schema, context, String(name)) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) })]));
  return recordOf(values, own.filter(({ required }) => required === true).map(({ name }) => name));
}

const acceptHeader: fc.Arbitrary<Record<string, string>> = mostly<Record<string, string>>({}, [
  { accept: 'text/event-stream' }, { accept: '*/*;q=0' }, { accept: ',;=' }, { accept: '' },
  { accept: 'application/json;q=1.00001' }, { accept: 'text/event-stream, application/json' }]);

/** What can be sent in a header at all: Latin-1 without controls. */
function asHeaders(values: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name.toLowerCase(), String(value).replace(/[^\x20-\x7e\xa0-\xff]/gu, '?').trim()]));
}

/** Bytes of the body, or undefined. */
export function bytesOf(body: unknown, spoilt: Spoiling): Buffer | undefined {
  if (body === undefined) return undefined;
  const text = JSON.stringify(body)
    .replaceAll(JSON.stringify(DEEP), `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`);
  const bytes = Buffer.from(text);
  switch (spoilt) {
    case 'cut': return bytes.subarray(0, Math.floor(bytes.length / 2));
    case 'not_utf8': return Buffer.concat([bytes.subarray(0, 1), NOT_UTF8, bytes]);
    case 'with_bom': return Buffer.from(`\ufeff${text}`);
    case 'twice': return Buffer.from(isObject(body) ? `{"title":1,${text.slice(1)}` : text + text);
    case 'empty': return Buffer.alloc(0);
    default: return bytes;
  }
}
