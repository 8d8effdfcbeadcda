/**
 * OpenAPI's styles: how a value is written into a path, a query, a header or a form. They are those
 * of RFC 6570, whose examples the tests hold; deepObject, which no RFC describes, is as Rails, PHP
 * and Stripe read it.
 */
import { isContainer, isObject, type JsonObject } from '../../json.ts';
import { isExactNumber } from '../schema/exactNumbers.ts';
import type { PathSlashes } from './pathSlashes.ts';

export interface ParameterStyle {
  name: string;
  style: string;
  explode: boolean;
  allow_reserved: boolean;
}

type Encode = (text: string) => string;

/** Everything but RFC 3986's unreserved characters. A lone surrogate is no text: it is replaced. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Reserved characters stay, except those that would end the value or change its meaning: `&`, `;`
 * (to some servers the same), `+`, `#`, and brackets, which a query may not hold.
 */
function encodeReserved(text: string): string {
  return encode(text).replace(/%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3D)/g,
    (triplet) => decodeURIComponent(triplet));
}

/** A text; JSON for values that are nested deeper than a style can say, and for exact numbers. */
export function scalar(value: unknown): string {
  return isContainer(value) ? JSON.stringify(value) : String(value);
}

/** Whether a value has fields of its own; one number with all its digits has none. */
export function isFields(value: unknown): value is JsonObject {
  return isObject(value) && !isExactNumber(value);
}

/** Whether a value holds others. */
export function isNested(value: unknown): boolean {
  return Array.isArray(value) || isFields(value);
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && !value.some(isNested);
}

/** Null and undefined are left out. */
function items(list: readonly unknown[]): string[] {
  return list.filter(isGiven).map(scalar);
}

function entries(object: object): [string, string][] {
  return Object.entries(object).filter(([, value]) => isGiven(value))
    .map(([key, value]) => [key, scalar(value)]);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * simple, label or matrix, for a path; each text in it is encoded. `slashes`: whether those of a
 * value stay as they are; everything else is encoded still, for `:` begins a verb at Google's.
 */
export function pathText(
  { name, style, explode, slashes }: ParameterStyle & { slashes?: PathSlashes | null },
  value: unknown): string {
  if (style === 'matrix') return matrix(encode(name), value, explode);
  if (style === 'label') return `.${simple(value, explode, explode ? '.' : ',', encode)}`;
  return simple(value, explode, ',', slashes === 'reserved' ? encodeSegments
    : slashes === 'encoded_twice' ? encodeSlashesTwice : encode);
}

/** A value within a query that the path itself has, as `id={id}`: all of it is encoded. */
export function valueText(value: unknown): string {
  return simple(value, false, ',', encode);
}

function encodeSlashesTwice(text: string): string {
  return text.includes('/') ? encode(encode(text)) : encode(text);
}

function encodeSegments(text: string): string {
  return text.split('/').map(encode).join('/');
}

/** simple, as headers have it: nothing is encoded. */
export function headerText({ explode }: ParameterStyle, value: unknown): string {
  return simple(value, explode, ',', (text) => text);
}

/** Lists by `joint`, objects as `a,1,b,2` or `a=1,b=2`. */
function simple(value: unknown, explode: boolean, joint: string, write: Encode): string {
  if (Array.isArray(value)) return items(value).map(write).join(joint);
  if (!isFields(value)) return write(scalar(value));
  return entries(value).map(([key, item]) => `${write(key)}${explode ? '=' : ','}${write(item)}`)
    .join(joint);
}

function matrix(name: string, value: unknown, explode: boolean): string {
  const one = (key: string, text: string) => `;${key}${text === '' ? '' : '='}${text}`;
  if (explode && Array.isArray(value)) {
    return items(value).map((item) => one(name, encode(item))).join('');
  }
  if (explode && isFields(value)) {
    return entries(value).map(([key, item]) => one(encode(key), encode(item))).join('');
  }
  return one(name, simple(value, false, ',', encode));
}

// Percent-encoded: OpenAPI 3.1.0's examples show a bare `|`, which a URL may not hold and Tomcat
// refuses; all decode it before they split.
const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20', pipeDelimited: '%7C', tabDelimited: '%09',
};

/** form, spaceDelimited, pipeDelimited or deepObject: `name=value` pairs, encoded. */
export function formPairs(style: ParameterStyle, value: unknown): string[] {
  const { name, explode } = style;
  const write = style.allow_reserved ? encodeReserved : encode;
  const pair = (key: string, text: string) => `${encode(key)}=${write(text)}`;
  if (style.style === 'deepObject' && typeof value === 'object') {
    return deepPairs(name, value, pair);
  }
  const isList = Array.isArray(value);
  if (!isList && !isFields(value)) return [pair(name, scalar(value))];
  if (explode) {
    return isList ? items(value).map((item) => pair(name, item))
      // No RFC says how a list is written within an object (`sort` of Spring's `pageable`): as any
      // list of a form is.
      : Object.entries(value).flatMap(([key, item]) =>
        items(isPlainList(item) ? item : [item]).map((text) => pair(key, text)));
  }
  const texts = isList ? items(value) : entries(value).flat();
  if (texts.length === 0) return [];
  const separator = SEPARATORS[style.style] ?? ',';
  return [`${encode(name)}=${texts.map(write).join(separator)}`];
}

/** `a[b]=1`, also deeper; of lists `a[]=1`, or `a[0][b]=1` for objects in a list. */
function deepPairs(
  name: string, value: unknown, pair: (key: string, text: string) => string): string[] {
  if (!isGiven(value)) return [];
  if (Array.isArray(value)) {
    const nested = value.some(isNested);
    return value.flatMap((item, i) => deepPairs(`${name}[${nested ? i : ''}]`, item, pair));
  }
  if (!isFields(value)) return [pair(name, scalar(value))];
  return Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item, pair));
}
