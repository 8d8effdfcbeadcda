/**
 * The query that a path has itself: `/x?Action=List`, `/x?id={id}`. OpenAPI wants none there, but
 * documents tell operations apart by it, or show what a call looks like.
 */

import type { JsonObject } from '../../json.ts';
import type { ParameterStyle } from './styles.ts';

const QUERY_TEMPLATE = /\{[?&]([^{}]*)\}/g;

/** The path without RFC 6570's `{?page,size}` and `{&page}`: what goes there is in the query. */
export function withoutQueryTemplates(whole: string): string {
  return whole.replace(QUERY_TEMPLATE, '');
}

/** The names of what goes there: `ids` of `{?ids*}`. */
export function templateNames(whole: string): string[] {
  return [...whole.matchAll(QUERY_TEMPLATE)].flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim().replace(/\*$|:\d+$/, '')).filter(Boolean);
}

/** The path, its own query (undefined: none), and what follows: a fragment, which is never sent. */
export function splitPath(whole: string): { path: string, own?: string, fragment: string } {
  const [, path = '', own, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(whole)!;
  return { path, fragment, ...(own !== undefined && { own }) };
}

/**
 * The path without the pairs of its query that only show where a declared parameter goes, such as
 * `id={id}`: it would be asked for and sent twice.
 */
export function withoutShownPairs(whole: string, declared: ReadonlySet<string>): string {
  const { path, own, fragment } = splitPath(whole);
  if (own === undefined) return whole;
  const pairs = own.split('&').filter((pair) =>
    !declared.has(/^([^=]+)=\{\1\}$/.exec(pair)?.[1] ?? ''));
  return `${path}${pairs.length > 0 ? '?' : ''}${pairs.join('&')}${fragment}`;
}

/** What variables fill in a path's own query: `action` by `verb` in `/x?action={verb}`. */
export function filledPairs(whole: string): { name: string, variable: string }[] {
  return [...new URLSearchParams(splitPath(whole).own)].flatMap(([name, value]) =>
    [...`${name}=${value}`.matchAll(/\{([^{}]+)\}/g)].map(([, variable]) =>
      ({ name, variable: variable! })));
}

/**
 * Whether a value may name parameters of its own: each key of an object is one, where it is written
 * as a form has it.
 */
export function maySetAnyName(
  { style, explode, as_json }: Pick<ParameterStyle, 'style' | 'explode'> & { as_json: boolean },
  { type }: JsonObject): boolean {
  return explode && !as_json && style === 'form'
    && !['string', 'number', 'integer', 'boolean', 'array'].includes(String(type));
}
