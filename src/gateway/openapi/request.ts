import { follow, isContainer, type JsonObject } from '../../json.ts';
import type { Violation } from '../action/outcome.ts';
import { withExactNumbers } from '../schema/exactNumbers.ts';
import { propertySchema, type OperationInput, type Parameter } from './inputSchema.ts';
import { patchTypeOf } from './mediaTypes.ts';
import type { ImportedAction } from './openapi.ts';
import { filledPairs, splitPath } from './ownQuery.ts';
import { isWrongInPath } from './pathSlashes.ts';
import { formPairs, headerText, pathText, valueText } from './styles.ts';
import { uploadTypeOf } from './uploads.ts';

/** A request as the document describes it: the path without the server's base. */
export interface OperationRequest {
  method: string;
  path: string;
  /** Without the question mark; undefined: none. */
  query?: string;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * The request that `input` (valid by the action's schema) makes, or why it makes none. The action's
 * path may hold a query of its own, and a fragment, which is never sent.
 */
export function buildRequest(
  action: Pick<ImportedAction, 'method' | 'path' | 'request' | 'withheld' | 'input_schema'>,
  input: JsonObject,
): { request: OperationRequest } | { violations: Violation[] } {
  let { path, own } = splitPath(action.path);
  const template = path;
  const query: string[] = [];
  const headers: Record<string, string> = { accept: 'application/json' };
  const cookies: string[] = [];
  const violations: Violation[] = [];
  const filled = filledPairs(action.path);
  for (const parameter of action.request.parameters) {
    const { place, name, as_json } = parameter;
    const value = parameter.value ?? follow(input, [place, name]) ?? parameter.default;
    const isGiven = value !== undefined && value !== null;
    if (!isGiven && place !== 'path') continue;
    const exact = withExactNumbers(
      action.input_schema, propertySchema(action.input_schema, place, name), value);
    const written = as_json ? JSON.stringify(exact) : exact;
    const refuse = (message: string) =>
      violations.push({ path: `/input/${place}/${name}`, message });
    const refuseWithheld = (at: string, named: readonly string[]) => {
      const taken = named.find((one) => isWithheld(action, at, one));
      if (taken !== undefined) refuse(`sets ${taken}, which is not for callers to set`);
    };
    if (place === 'query' || place === 'cookie') {
      const pairs = formPairs(parameter, written);
      refuseWithheld(place, pairs.map(nameIn).filter((one) => one !== name));
      (place === 'query' ? query : cookies).push(...pairs);
    } else if (place === 'path') {
      const variable = `{${name}}`;
      const text = isGiven ? pathText(parameter, written) : '';
      const problem = template.includes(variable) ? problemInPath(parameter, written, text) : null;
      if (problem !== null) refuse(problem);
      if (parameter.value === undefined) {
        refuseWithheld('query',
          filled.filter((pair) => pair.variable === name).map((pair) => pair.name));
      }
      path = path.replaceAll(variable, () => text);
      // There no value leaves its pair, whatever it is.
      own = own?.replaceAll(variable, () => (isGiven ? valueText(written) : ''));
    } else {
      const text = headerText(parameter, as_json ? asciiJson(String(written)) : written);
      if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) {
        refuse('must hold only characters that a header may carry');
      }
      headers[name.toLowerCase()] = text;
    }
  }
  if (violations.length > 0) return { violations };
  if (cookies.length > 0) headers.cookie = cookies.join('; ');
  const request: OperationRequest = { method: action.method, path, headers };
  if (own !== undefined) query.unshift(own);
  if (query.length > 0) request.query = query.join('&');
  if (action.request.body_media_type !== null && input.body !== undefined) {
    headers['content-type'] = typeOfBody(action.request, input);
    request.body = input.body;
  }
  return { request };
}

/** What the body is sent as: by the file in it, as the caller chooses, or as the document says. */
function typeOfBody(
  { body_media_type, body_media_types, upload }: OperationInput,
  { body, content_type }: JsonObject): string {
  const of_file = uploadTypeOf(upload, body);
  if (of_file !== undefined) return of_file;
  if (body_media_types === undefined) return body_media_type!;
  return body_media_types.find((type) => type === content_type)
    ?? patchTypeOf(body_media_types, body);
}

/** The name of a pair of a query or cookie. */
function nameIn(pair: string): string {
  return decodeURIComponent(pair.split('=')[0]!);
}

/** Whether what a key of a value would name is not for callers to set; `token[]` is `token`. */
function isWithheld(
  { withheld }: Pick<ImportedAction, 'withheld'>, place: string, named: string): boolean {
  const written = [named, named.split('[')[0]!].map(asRead);
  return withheld.some((one) => one.place === place && written.includes(asRead(one.name)));
}

/** The name, as PHP reads one: `account.id`, ` account id` and `account[id` are `account_id`. */
function asRead(name: string): string {
  return name.toLowerCase().trimStart().replace(/[ .[]/g, '_');
}

/** Why a value may not be sent in the path, where it is written as `text`; null: it may. */
function problemInPath(parameter: Parameter, value: unknown, text: string): string | null {
  const { name, slashes } = parameter;
  // What is written counts, too: a style may have left out all that the value is made of.
  const isWrong = /^(\.|%2e){0,2}$/i.test(text)
    || texts(value).some((one) => isWrongInPath(one, parameter));
  if (!isWrong) return null;
  const isSlashAlone = slashes !== 'reserved' && !texts(value).some((one) =>
    isWrongInPath(one, { slashes: 'encoded', slash_first: true }));
  const how = '. Where slashes belong to it, the operator of this service can say so by the'
    + ` override {"path_slashes": {${JSON.stringify(name)}: "encoded"}}`;
  return (slashes === null
    ? 'must be one path segment, not empty and without slashes, dots only or control characters'
    : 'must be path segments that are not empty, without dots only, control characters or'
      + ' slashes that are encoded already') + (isSlashAlone ? how : '');
}

/**
 * All texts that a value writes into a path; at least one, so that one of which nothing is written
 * is refused: an empty list, and one that holds only null, which every style leaves out.
 */
function texts(value: unknown): string[] {
  if (!isContainer(value)) return [String(value)];
  if (Object.values(value).every((item) => item === null)) return [''];
  return Array.isArray(value) ? value.flatMap(texts)
    : Object.entries(value).flatMap(([key, item]) => [key, ...texts(item)]);
}

/** JSON can write every character in ASCII; a header has no such way. */
function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
