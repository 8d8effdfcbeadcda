import { randomBytes } from 'node:crypto';
import { follow, objectOf, type JsonObject } from '../../json.ts';
import type { Violation } from '../action/outcome.ts';
import { withExactNumbers } from '../schema/exactNumbers.ts';
import type { BodyInput, FieldEncoding } from './bodyInput.ts';
import { fileTypeOf, namedTypes } from './fileBodies.ts';
import { isFile, readFile } from './files.ts';
import { bodyFields } from './inputSchema.ts';
import { bodyKind, isJsonLines, isJsonMediaType, isMediaType } from './mediaTypes.ts';
import { formPairs, isFields, isNested, scalar } from './styles.ts';

export interface RequestBody {
  body: Buffer | string;
  content_type: string;
}

interface Facts extends Pick<BodyInput,
  'body_encoding' | 'body_is_file' | 'file_media_types' | 'object_fields'> {
  /** Of the whole input. */
  input_schema: JsonObject;
}

/** A value as the bytes of a body of this media type, or why it cannot be written so. */
export function serialiseBody(
  media_type: string, given: unknown, facts: Facts): RequestBody | { violations: Violation[] } {
  const { file_media_types = [media_type], input_schema } = facts;
  const exact = () =>
    withExactNumbers(input_schema, objectOf(input_schema.properties).body, given);
  switch (facts.file_media_types === undefined ? bodyKind(media_type) : 'binary') {
    case 'json': return {
      body: JSON.stringify(exact()),
      content_type: media_type.includes('*') ? 'application/json' : media_type,
    };
    case 'form': return isFields(given)
      ? { body: formText(exact() as JsonObject, facts), content_type: media_type }
      : wrong('', 'must be an object');
    case 'multipart': return typeof given === 'string' ? writtenParts(media_type, given)
      : !isFields(given) ? wrong('', 'must be an object')
        // Where a document gives a file no name, most services call it `file`.
        : multipart(media_type, facts.body_is_file && isFile(given)
          ? { file: given } : exact() as JsonObject, facts);
    case 'text': return Array.isArray(given) && isJsonLines(media_type)
      ? { body: linesOf(exact() as unknown[]), content_type: media_type }
      : typeof given === 'string' || !isFile(given)
      ? { body: scalar(given), content_type: media_type } : binary([media_type], given);
    case 'binary': return typeof given === 'string'
      ? { body: given, content_type: media_type } : binary(file_media_types, given);
  }
}

function wrong(path: string, message: string): { violations: Violation[] } {
  return { violations: [{ path: `/input/body${path}`, message }] };
}

function linesOf(list: readonly unknown[]): string {
  return list.map((item) => `${JSON.stringify(item)}\n`).join('');
}

function binary(
  types: readonly string[], value: unknown): RequestBody | { violations: Violation[] } {
  if (!isFile(value)) return wrong('', 'must be a file: {"base64": …} or {"text": …}');
  const file = readFile(value);
  if (file === null) return wrong('/base64', 'must be base64');
  // With `image/*` the caller chooses the type, and of several, too.
  const content_type = fileTypeOf(types, file.media_type);
  return content_type === undefined ? wrong('/media_type', `must be one of ${namedTypes(types)}`)
    : { body: file.content, content_type };
}

/** Objects become JSON texts unless the document gives them a style, as OpenAPI says. */
function formText(fields: JsonObject, facts: Facts): string {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const said = encodingOf(facts.body_encoding, name);
    const { style = 'form', explode = style === 'form' } = said;
    const isStyled = said.style !== undefined || said.explode !== undefined;
    const asJson = !isStyled && (isFields(value) || isJsonMediaType(said.content_type ?? ''));
    return formPairs({ name, style, explode, allow_reserved: false },
      asJson ? JSON.stringify(value) : value);
  }).join('&');
}

function encodingOf(encodings: Record<string, FieldEncoding>, name: string): FieldEncoding {
  return objectOf(follow(encodings, [name]));
}

/** Parts that the caller has written, as a batch of OData is given: the boundary is theirs. */
function writtenParts(
  media_type: string, text: string): RequestBody | { violations: Violation[] } {
  const [, boundary] = /^--([\w.'+-]{1,70})[ \t]*\r?\n/.exec(text) ?? [];
  const [type] = media_type.split(';');
  return boundary === undefined
    ? wrong('', 'must be an object, or a text that begins with the line of a boundary: --part')
    : { body: text, content_type: `${type}; boundary=${boundary}` };
}

interface Part {
  name: string;
  filename: string | null;
  content_type: string | null;
  content: Buffer | string;
}

function multipart(
  media_type: string, given: JsonObject, facts: Facts,
): RequestBody | { violations: Violation[] } {
  const { body_encoding, object_fields = [], input_schema } = facts;
  const parts: Part[] = [];
  // In the document's order: Box takes the attributes of a file before the file alone.
  const names = new Set([...bodyFields(input_schema), ...Object.keys(given)]);
  for (const name of [...names].filter((one) => Object.hasOwn(given, one))) {
    const value = given[name];
    const said = encodingOf(body_encoding, name);
    const isUpload = (one: unknown): one is JsonObject =>
      !object_fields.includes(name) && isFile(one);
    const list = [value].flat();
    if (isNested(value) && (said.style ?? said.explode) !== undefined && !list.some(isUpload)) {
      parts.push(...styledParts(name, value, said));
      continue;
    }
    for (const [i, item] of list.entries()) {
      if (item === undefined || item === null) continue;
      const part = isUpload(item) ? filePart(name, item, said.content_type)
        : plainPart(name, item, said.content_type);
      if (part === null) {
        return wrong(`/${name}${Array.isArray(value) ? `/${i}` : ''}/base64`, 'must be base64');
      }
      parts.push(part);
    }
  }
  const boundary = `gatehouse-${randomBytes(18).toString('hex')}`;
  const [type] = media_type.split(';');
  return { body: partsText(parts, boundary), content_type: `${type}; boundary=${boundary}` };
}

/** A part for each pair that a form would have: `metadata[key]`. */
function styledParts(name: string, value: unknown, said: FieldEncoding): Part[] {
  const { style = 'form', explode = style === 'form' } = said;
  return formPairs({ name, style, explode, allow_reserved: false }, value).map((pair) => {
    const [key = '', content = ''] = pair.split('=').map(decodeURIComponent);
    return { name: key, filename: null, content_type: null, content };
  });
}

/** `declared`: the media types that the document allows for the part, separated by commas. */
function filePart(name: string, value: JsonObject, declared: string | undefined): Part | null {
  const file = readFile(value);
  return file && { name, filename: file.filename ?? 'file', content: file.content,
    content_type: file.media_type ?? onlyType(declared) ?? 'application/octet-stream' };
}

function plainPart(name: string, item: unknown, declared: string | undefined): Part {
  const fixed = onlyType(declared);
  const isJson = isNested(item) || (fixed !== null && isJsonMediaType(fixed));
  return { name, filename: null, content: isJson ? JSON.stringify(item) : scalar(item),
    content_type: fixed ?? (isJson ? 'application/json' : null) };
}

function onlyType(declared = ''): string | null {
  const [only, ...others] = declared.split(',').map((type) => type.trim());
  return only !== undefined && others.length === 0 && isMediaType(only) ? only : null;
}

function partsText(parts: readonly Part[], boundary: string): Buffer {
  const chunks = parts.flatMap(({ name, filename, content_type, content }) => {
    const file = filename === null ? '' : `; filename="${quoted(filename)}"`;
    const type = content_type === null ? '' : `Content-Type: ${content_type}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data;`
      + ` name="${quoted(name)}"${file}\r\n${type}\r\n`;
    return [head, content, '\r\n'];
  });
  return Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
}

/** Escapes as browsers do: a line break in a name would begin another header. */
function quoted(text: string): string {
  return text.toWellFormed().replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
