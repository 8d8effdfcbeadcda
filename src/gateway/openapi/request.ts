import { isObject, objectOf, type JsonObject } from '../../json.ts';
import type { Violation } from '../action/outcome.ts';
import type { Parameter } from './inputSchema.ts';
import type { ImportedAction } from './openapi.ts';
import { formPairs, headerText, pathText } from './styles.ts';

/** A request as the document describes it: the path without the server's base. */
export interface OperationRequest {
  method: string;
  path: string;
  /** Without the question mark; undefined: none. */
  query?: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** The request that `input` (valid by the action's schema) makes, or why it makes none. */
export function buildRequest(
  action: Pick<ImportedAction, 'method' | 'path' | 'request'>, input: JsonObject,
  cursor: string | null): { request: OperationRequest } | { violations: Violation[] } {
  const given: Record<string, JsonObject> = {
    path: objectOf(input.path),
    query: { ...objectOf(input.query), ...(cursor === null ? {} : { cursor }) },
    header: objectOf(input.header),
    cookie: objectOf(input.cookie),
  };
  const draft = new Draft(action.path);
  for (const parameter of action.request.parameters) {
    const value = own(given[parameter.place]!, parameter.name);
    if (value !== undefined && value !== null) draft.add(parameter, value);
  }
  if (draft.violations.length > 0) return { violations: draft.violations };
  const request: OperationRequest = { method: action.method, ...draft.finished() };
  const { body_media_type } = action.request;
  if (body_media_type !== null && input.body !== undefined) {
    request.headers['content-type'] = body_media_type;
    request.body = input.body;
  }
  return { request };
}

/** A request while its parameters are written into it. */
class Draft {
  readonly violations: Violation[] = [];
  #path: string;
  readonly #query: string[] = [];
  readonly #headers: Record<string, string> = { accept: 'application/json' };
  readonly #cookies: string[] = [];

  /** `path` may hold a query of its own, and a fragment, which is never sent. */
  constructor(path: string) {
    const [sent = ''] = path.split('#');
    const mark = sent.indexOf('?');
    this.#path = mark < 0 ? sent : sent.slice(0, mark);
    if (mark >= 0) this.#query.push(sent.slice(mark + 1));
  }

  add(parameter: Parameter, value: unknown): void {
    const { place, name } = parameter;
    const written = parameter.as_json ? JSON.stringify(value) : value;
    if (place === 'query') this.#query.push(...formPairs(parameter, written));
    else if (place === 'cookie') this.#cookies.push(...formPairs(parameter, written));
    else if (place === 'path') {
      if (texts(written).some((text) => isWrongInPath(text, parameter.multi_segment))) {
        this.#refuse(parameter, 'must be one path segment, not empty and without slashes, dots only'
          + ' or control characters');
      }
      this.#path = this.#path.replaceAll(`{${name}}`, () => pathText(parameter, written));
    } else {
      const text = headerText(parameter, parameter.as_json ? asciiJson(String(written)) : written);
      if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) {
        this.#refuse(parameter, 'must hold only characters that a header may carry');
      }
      this.#headers[name.toLowerCase()] = text;
    }
  }

  #refuse({ place, name }: Parameter, message: string): void {
    this.violations.push({ path: `/input/${place}/${name}`, message });
  }

  finished(): Pick<OperationRequest, 'path' | 'query' | 'headers'> {
    const headers = this.#headers;
    const query = this.#query.length > 0 ? { query: this.#query.join('&') } : {};
    if (this.#cookies.length > 0) headers.cookie = this.#cookies.join('; ');
    return { path: this.#path, headers, ...query };
  }
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** All texts that a value writes into a path; at least one, so that an empty list is refused. */
function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [''] : value.flatMap(texts);
  if (!isObject(value)) return [String(value)];
  const entries = Object.entries(value);
  return entries.length === 0 ? [''] : entries.flatMap(([key, item]) => [key, ...texts(item)]);
}

/**
 * Whether a value leaves its path segment: it would reach another operation than the permitted one,
 * perhaps only behind a proxy that decodes a path once or twice.
 */
function isWrongInPath(text: string, multi_segment: boolean): boolean {
  const decoded = text.replace(/%(25)+/g, '%').replace(/%2e/gi, '.').replace(/%2f/gi, '/')
    .replace(/%5c/gi, '\\');
  if (/[\\\0-\x1f\x7f]|%[01][0-9a-f]/i.test(decoded)) return true;
  const segments = decoded.split('/');
  return (segments.length > 1 && (!multi_segment || /%2f|%5c/i.test(text)))
    || segments.some((segment) => segment === '' || segment === '.' || segment === '..');
}

/** JSON can write every character in ASCII; a header has no such way. */
function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
