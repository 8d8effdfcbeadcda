import { isContainer, isObject, type JsonObject } from '../../json.ts';
import { linearPattern } from '../schema/linearPattern.ts';

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
    const { pattern, patternProperties } = next as JsonObject;
    if (typeof pattern === 'string') sources.add(pattern);
    if (isObject(patternProperties)) {
      for (const source of Object.keys(patternProperties)) sources.add(source);
    }
    waiting.push(...Object.values(next).filter((value) => value !== null));
  }
  const warnings = [...sources].sort().flatMap((source) => warningOf(source) ?? []);
  const more = warnings.length - SHOWN;
  return more <= 0 ? warnings
    : [...warnings.slice(0, SHOWN), `${more} further patterns are not checked`];
}

function warningOf(source: string): string | undefined {
  const pattern = linearPattern(source);
  if (!('problem' in pattern)) return undefined;
  const shown = source.length > SHOWN_CHARS ? `${source.slice(0, SHOWN_CHARS)}…` : source;
  return `The pattern ${shown} is not checked, for it ${pattern.problem}. The service that is`
    + ' called checks it';
}
