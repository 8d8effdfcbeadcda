/** An OpenAPI document as it arrives: JSON or YAML, from anybody. */
import { parseDocument, visit } from 'yaml';
import { isContainer, isObject, type JsonObject } from '../../json.ts';
import { sanitizeJson } from '../../sanitize.ts';
import { DocumentError } from './documentError.ts';

/** The largest real document known to us, Microsoft Graph's beta, has 47 MB. */
const JSON_LIMIT_BYTES = 67_108_864;
/** YAML takes 100 times as long as JSON: 7.4 s for GitHub's 10 MB, which take 0.06 s as JSON. */
const YAML_LIMIT_BYTES = 16_777_216;
/** The parser looks for the anchor of each alias from the top: 10,000 take a second. */
const ALIASES_LIMIT = 10_000;
/** Real ones are at most 60 deep. */
const DEPTH_LIMIT = 256;
/** Aliases count as if they were written out; Microsoft Graph's document has 1 million parts. */
const NODES_LIMIT = 10_000_000;

/** Throws DocumentError. */
export function loadDocument(source: string): JsonObject {
  const bytes = Buffer.byteLength(source);
  refuseLarger(bytes, JSON_LIMIT_BYTES, 'document');
  const text = source.replace(/^\uFEFF/, '');
  const start = text.trimStart().slice(0, 1);
  if (start === '') throw new DocumentError('The document is empty.');
  if (start === '<') {
    throw new DocumentError('This is HTML or XML, not an OpenAPI document. Give the address of the'
      + ' document itself (it often ends in openapi.json or openapi.yaml), not that of a page'
      + ' about it.');
  }
  const document = start === '{' ? fromJson(text, bytes) : fromYaml(text, bytes);
  if (!isObject(document)) {
    throw new DocumentError('This is no OpenAPI document: at its top must be an object.');
  }
  refuseBombs(document);
  // Its texts become titles, keys and names that are stored.
  return sanitizeJson(document);
}

function refuseLarger(bytes: number, limit: number, what: string): void {
  if (bytes <= limit) return;
  throw new DocumentError(`The ${what} has ${(bytes / 1_048_576).toFixed(1)} MB; at most`
    + ` ${limit / 1_048_576} MB are taken. Leave out what is not needed${
      limit === YAML_LIMIT_BYTES ? ', or give it as JSON' : ''}.`);
}

function fromJson(text: string, bytes: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // `{a: b}` may be YAML; only small texts are tried.
    if (bytes < 65_536) {
      try {
        return fromYaml(text, bytes);
      } catch {
        // The error of JSON.parse is nearer to what the author meant.
      }
    }
    throw new DocumentError(`The document is no valid JSON: ${(error as Error).message}.`);
  }
}

function fromYaml(text: string, bytes: number): unknown {
  refuseLarger(bytes, YAML_LIMIT_BYTES, 'YAML document');
  let aliases = 0;
  try {
    const document = parseDocument(text, {
      merge: true, uniqueKeys: false, prettyErrors: true, logLevel: 'error' });
    if (document.errors.length > 0) throw document.errors[0]!;
    visit(document, { Alias: () => void (aliases += 1) });
    // The parser's own count refuses real documents. Aliases stay shared objects, and refuseBombs
    // counts what they would be if they were written out.
    if (aliases <= ALIASES_LIMIT) return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    const said = (error as Error).message.split('\n')[0]!.replace(/:$/, '');
    throw new DocumentError(`The document is no valid YAML: ${said}.`);
  }
  throw new DocumentError(`The document has ${aliases} aliases; at most ${ALIASES_LIMIT} are taken.`
    + ' Use `$ref` in their place, or give it as JSON.');
}

/**
 * Aliases can make a small text an endless object, or one of a trillion parts. Walked without
 * recursion, because such an object would overflow the stack.
 */
function refuseBombs(document: JsonObject): void {
  const stack: { value: object, depth: number }[] = [{ value: document, depth: 1 }];
  let nodes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next;
    if (depth > DEPTH_LIMIT) {
      throw new DocumentError(`The document is nested more than ${DEPTH_LIMIT} levels deep, or an`
        + ' alias in it leads back to itself. Use `$ref` for schemas that contain themselves.');
    }
    const children = Object.values(value);
    nodes += children.length;
    if (nodes > NODES_LIMIT) {
      throw new DocumentError(`The document has more than ${NODES_LIMIT} parts, its aliases`
        + ' included. Use `$ref` in place of aliases, or leave out what is not needed.');
    }
    for (const child of children) {
      if (isContainer(child)) stack.push({ value: child, depth: depth + 1 });
    }
  }
}
