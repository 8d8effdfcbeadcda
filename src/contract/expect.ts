/** How a check says what it expects. A Fault is what it has found; a Skip is why it cannot look. */
import { isDeepStrictEqual } from 'node:util';

/** The target breaks the contract. The message is for a person. */
export class Fault extends Error {}

/** The target has answered that it is to be asked later than the kit waits. */
export class Busy extends Fault {}

/** The check cannot be made on this target. The message says why. */
export class Skip extends Error {}

/** The target cannot be reached, or does not take the key: no check says anything then. */
export class Unreachable extends Error {}

const SHOWN_CHARACTERS = 300;

/** A value as a message shows it. */
export function excerptOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

/** Throws Fault unless it holds. */
export function holds(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Fault(otherwise);
}

/** Throws Fault unless the two are equal, each member of them. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const path = firstDifference(actual, expected);
  const [is, was] = path.reduce<[unknown, unknown]>(
    ([one, other], key) => [(one as any)[key], (other as any)[key]], [actual, expected]);
  const place = path.length === 0 ? '' : ` at /${path.join('/')}`;
  throw new Fault(`${what}: ${excerptOf(is)}${place} where ${excerptOf(was)} is expected`);
}

/** The same for the members that `expected` has. */
export function sameFields(
  actual: Readonly<Record<string, any>>, expected: Readonly<Record<string, any>>, what: string,
): void {
  const names = Object.keys(expected);
  same(Object.fromEntries(names.map((name) => [name, actual[name]])), expected, what);
}

/** Where two values begin to differ: as deep as both have members. */
function firstDifference(one: unknown, other: unknown): string[] {
  if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other)) return [];
  if (Array.isArray(one) && one.length !== (other as unknown as unknown[]).length) return [];
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (isDeepStrictEqual(one[key], other[key])) continue;
    return [key, ...firstDifference(one[key], other[key])];
  }
  return [];
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
