/** Bodies that are one file: of which media types it may be, and which one is sent. */
import type { JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';
import { fileSchema, isBytes } from './files.ts';
import { bodyKind } from './mediaTypes.ts';

const ANY_BYTES = 'application/octet-stream';

/**
 * The media types and ranges of which a file may be, in the document's order; null if a body of
 * `chosen` is none. `application/*` and the range of all are of files where the document has bytes.
 */
export function fileTypesOf(
  document: JsonObject, content: JsonObject, chosen: string): string[] | null {
  const isOfFiles = (type: string) => {
    const kind = bodyKind(type);
    const { schema } = resolve(document, content[type]);
    return kind === 'binary'
      || (kind === 'json' && isRange(type) && isBytes(resolve(document, schema)));
  };
  return isOfFiles(chosen) ? Object.keys(content).filter(isOfFiles) : null;
}

/** The schema of a file that is of one of these types. */
export function typedFileSchema(types: readonly string[]): JsonObject {
  const schema = fileSchema();
  if (types.length < 2) return schema;
  return { ...schema, properties: { ...schema.properties as JsonObject,
    media_type: { type: 'string', maxLength: 255, description: `One of ${namedTypes(types)}; ${
      isRange(types[0]!) ? ANY_BYTES : 'the first'} by itself.` } } };
}

/** How the types are named to the caller. */
export function namedTypes(types: readonly string[]): string {
  return types.map((type) => JSON.stringify(type)).join(', ');
}

/**
 * The media type to send a file by that its caller calls `said`; undefined: it may not be that. If
 * there is but one type, it is that one whatever the caller says.
 */
export function fileTypeOf(types: readonly string[], said: string | undefined): string | undefined {
  const [first = ANY_BYTES, ...others] = types;
  if (said === undefined || others.length === 0) {
    return isRange(first) ? said ?? ANY_BYTES : first;
  }
  const plain = essenceOf(said);
  return types.find((type) => essenceOf(type) === plain)
    ?? (types.some((type) => isRange(type) && isWithin(plain, essenceOf(type))) ? said
      : types.find((type) => essenceOf(type) === ANY_BYTES));
}

function isRange(type: string): boolean {
  return type.includes('*');
}

function isWithin(type: string, range: string): boolean {
  return range === '*/*' || type.startsWith(range.slice(0, range.indexOf('*')));
}

function essenceOf(type: string): string {
  return type.split(';')[0]!.trim().toLowerCase();
}
