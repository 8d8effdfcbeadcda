import { isObject, objectOf, type JsonObject } from '../json.ts';
import type { Violation } from '../outcome.ts';
import type { Parameter } from './inputSchema.ts';
import type { ImportedAction } from './openapi.ts';

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
  action: ImportedAction, input: JsonObject, cursor: string | null,
): { request: OperationRequest } | { violations: Violation[] } {
  const given: Record<string, JsonObject> = {
    path: objectOf(input.path),
    query: { ...objectOf(input.query), ...(cursor === null ? {} : { cursor }) },
    header: objectOf(input.header),
  };
  const values = action.request.parameters.flatMap((parameter) => {
    const value = own(given[parameter.place]!, parameter.name);
    return value === undefined || value === null ? [] : [{ parameter, value }];
  });
  const violations: Violation[] = [];
  let path = action.path;
  const query: string[] = [];
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const { parameter, value } of values) {
    if (parameter.place === 'query') query.push(...queryPairs(parameter, value));
    else {
      const text = simple(parameter, value);
      const wrong = parameter.place === 'path' ? wrongPathValue(text) : wrongHeaderValue(text);
      if (wrong !== null) {
        violations.push({ path: `/input/${parameter.place}/${parameter.name}`, message: wrong });
      } else if (parameter.place === 'path') {
        path = path.replaceAll(`{${parameter.name}}`, () => encodeURIComponent(text));
      } else headers[parameter.name.toLowerCase()] = text;
    }
  }
  if (violations.length > 0) return { violations };
  const request: OperationRequest = { method: action.method, path, headers };
  if (query.length > 0) request.query = query.join('&');
  const { body_media_type } = action.request;
  if (body_media_type !== null && input.body !== undefined) {
    headers['content-type'] = body_media_type;
    request.body = input.body;
  }
  return { request };
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A value that leaves its segment would reach another operation than the permitted one. */
function wrongPathValue(text: string): string | null {
  if (text === '') return 'must not be empty';
  const leaves = text === '.' || text === '..' || /[/\\]|%2f|%5c|[\0-\x1f\x7f]/i.test(text);
  return leaves ? 'must be one path segment, without slashes or control characters' : null;
}

function wrongHeaderValue(text: string): string | null {
  return /[^\t\x20-\x7e\x80-\xff]/.test(text)
    ? 'must hold only characters that a header may carry' : null;
}

function queryPairs(parameter: Parameter, value: unknown): string[] {
  const { name, style, explode } = parameter;
  if (parameter.as_json) return [pair(name, JSON.stringify(value))];
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => pair(name, scalar(item)));
    const separator = { spaceDelimited: '%20', pipeDelimited: '|' }[style] ?? ',';
    const items = value.map((item) => encodeURIComponent(scalar(item)));
    return [`${encodeURIComponent(name)}=${items.join(separator)}`];
  }
  if (!isObject(value)) return [pair(name, scalar(value))];
  const entries = Object.entries(value);
  if (style === 'deepObject') return entries.map(([key, v]) => pair(`${name}[${key}]`, scalar(v)));
  if (explode) return entries.map(([key, item]) => pair(key, scalar(item)));
  return [pair(name, entries.flatMap(([key, item]) => [key, scalar(item)]).join(','))];
}

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

/** The style of path and header parameters: lists by comma, objects as `a,1` or `a=1`. */
function simple(parameter: Parameter, value: unknown): string {
  if (parameter.as_json) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(scalar).join(',');
  if (!isObject(value)) return scalar(value);
  const joint = parameter.explode ? '=' : ',';
  return Object.entries(value).map(([key, item]) => `${key}${joint}${scalar(item)}`).join(',');
}

function scalar(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
