import { isObject } from '../../json.ts';
import { namesOf, wantedTree, type WantedFields } from './wanted.ts';

/** A fifth of what the largest results have, and a few milliseconds. */
const LOOKS_LIMIT = 100_000;

/**
 * The parts of `result` that the dot paths name: `data.id` keeps the id of every item of `data`.
 * Lists keep their length; a path that leads nowhere adds nothing.
 */
export function projectFields(result: unknown, fields: readonly string[]): unknown {
  return project(result, wantedTree(fields.map(namesOf))) ?? null;
}

/**
 * Those of the paths that no part of `result` has, although it has the place for them. Of what is
 * null or an empty list nobody can say what would be in it, and of a very long result nobody looks.
 */
export function unknownFields(result: unknown, fields: readonly string[]): string[] {
  const looks = { left: LOOKS_LIMIT };
  return fields.filter((field) => leads(result, namesOf(field), 0, looks) === 'nowhere');
}

/** Where the names from the nth on lead; null: that cannot be said. */
function leads(
  value: unknown, names: readonly string[], nth: number, looks: { left: number },
): 'to it' | 'nowhere' | null {
  if (nth === names.length) return 'to it';
  if (looks.left-- <= 0 || value === null) return null;
  if (Array.isArray(value)) {
    let all: 'nowhere' | null = null;
    for (const item of value) {
      const one = leads(item, names, nth, looks);
      if (one === 'to it') return one;
      all = one ?? all;
      if (looks.left <= 0) return null;
    }
    return all;
  }
  return isObject(value) && Object.hasOwn(value, names[nth]!)
    ? leads(value[names[nth]!], names, nth + 1, looks) : 'nowhere';
}

/** Undefined if no part of the value is wanted. */
function project(value: unknown, wanted: WantedFields): unknown {
  if (wanted === true) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, wanted) ?? null);
  if (!isObject(value)) return undefined;
  // A result may have 100,000 objects: for those, iterators take twice the time of this loop.
  const kept: [string, unknown][] = [];
  for (const [name, below] of wanted) {
    const found = Object.hasOwn(value, name) ? project(value[name], below) : undefined;
    if (found !== undefined) kept.push([name, found]);
  }
  return Object.fromEntries(kept);
}
