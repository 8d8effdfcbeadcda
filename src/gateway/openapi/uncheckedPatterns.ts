import { isContainer, isObject, type JsonObject } from '../../json.ts';
import type { SchemaBundler } from '../schema/bundle.ts';
import { CONDITIONS_LEFT_OUT, schemaPatterns, UncheckedParts } from '../schema/conditions.ts';
import { linearPattern } from '../schema/linearPattern.ts';
import { mapSchemas } from '../schema/mapSchemas.ts';
import { lookUp } from '../schema/references.ts';

const SHOWN = 20;
const SHOWN_CHARS = 200;

/**
 * A warning for each pattern of these schemas that inputs are not checked by. It takes a while: not
 * for the thread that answers requests.
 */
export function uncheckedPatterns(schemas: readonly JsonObject[]): string[] {
  const sources = new Set<string>();
  const waiting: unknown[] = [...schemas];
  const seen = new Set<object>(); // schemas of one document share their definitions
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isContainer(next) || seen.has(next)) continue;
    seen.add(next);
    if (isObject(next)) for (const source of schemaPatterns(next)) sources.add(source);
    waiting.push(...Object.values(next).filter((value) => value !== null));
  }
  const problems = new Map([...sources].flatMap((source) => {
    const pattern = linearPattern(source);
    return 'problem' in pattern ? [[source, pattern.problem] as const] : [];
  }));
  const left_out = problems.size > 0 && schemas.some((schema) => leavesOut(schema, problems));
  return patternWarnings(problems, left_out);
}

/** A warning for each pattern that could not become one of JavaScript, and was left out. */
export function unreadablePatterns(
  { unreadable_patterns, left_out_conditions }: SchemaBundler): string[] {
  const problems = new Map([...unreadable_patterns].map((source) =>
    [source, 'cannot be read as a regular expression of JavaScript'] as const));
  return patternWarnings(problems, left_out_conditions);
}

/** By patterns the reasons why they are not checked; `left_out`: so is a `not` or `if` for one. */
function patternWarnings(
  problems: ReadonlyMap<string, string>, left_out: boolean): string[] {
  const warnings = [...problems].sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, problem]) => warningOf(source, problem));
  const more = warnings.length - SHOWN;
  return [...warnings.slice(0, SHOWN),
    ...(more > 0 ? [`${more} further patterns are not checked`] : []),
    ...(left_out ? [CONDITIONS_LEFT_OUT] : [])];
}

function leavesOut(schema: JsonObject, problems: ReadonlyMap<string, string>): boolean {
  const unchecked = new UncheckedParts((reference) => lookUp(schema, reference),
    (pattern) => !problems.has(pattern));
  mapSchemas(schema, (one) => unchecked.without(one));
  return unchecked.left_out;
}

function warningOf(source: string, problem: string): string {
  const shown = source.length > SHOWN_CHARS ? `${source.slice(0, SHOWN_CHARS)}…` : source;
  return `The pattern ${shown} is not checked, for it ${problem}. The service that is`
    + ' called checks it';
}
