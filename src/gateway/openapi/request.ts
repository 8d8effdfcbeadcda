import { follow, isObject, type JsonObject } from '../../json.ts';
import type { Violation } from '../action/outcome.ts';
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

/**
 * The request that `input` (valid by the action's schema) makes, or why it makes none. The action's
 * path may hold a query of its own, and a fragment, which is never sent.
 */
export function buildRequest(
  action: Pick<ImportedAction, 'method' | 'path' | 'request'>, input: JsonObject,
): { request: OperationRequest } | { violations: Violation[] } {
  const [, template = '', own] = /^([^?#]*)(?:\?([^#]*))?/.exec(action.path)!;
  let path = template;
  const query = own === undefined ? [] : [own];
  const headers: Record<string, string> = { accept: 'application/json' };
  const cookies: string[] = [];
  const violations: Violation[] = [];
  for (const parameter of action.request.parameters) {
    const { place, name, as_json } = parameter;
    const value = follow(input, [place, name]);
    if (value === undefined || value === null) continue;
    const written = as_json ? JSON.stringify(value) : value;
    const refuse = (message: string) =>
      violations.push({ path: `/input/${place}/${name}`, message });
    if (place === 'query') query.push(...formPairs(parameter, written));
    else if (place === 'cookie') cookies.push(...formPairs(parameter, written));
    else if (place === 'path') {
      if (texts(written).some((text) => isWrongInPath(text, parameter.multi_segment))) {
        refuse('must be one path segment, not empty and without slashes, dots only or control'
          + ' characters');
      }
      path = path.replaceAll(`{${name}}`, () => pathText(parameter, written));
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
  if (query.length > 0) request.query = query.join('&');
  const { body_media_type } = action.request;
  if (body_media_type !== null && input.body !== undefined) {
    headers['content-type'] = body_media_type;
    request.body = input.body;
  }
  return { request };
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
