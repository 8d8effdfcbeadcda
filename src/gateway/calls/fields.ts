import { isObject } from '../../json.ts';

/** The fields asked for, as a tree; true: everything from here on. */
type Wanted = true | Map<string, Wanted>;

/**
 * The parts of `result` that the dot paths name: `data.id` keeps the id of every item of `data`.
 * Lists keep their length; a path that leads nowhere adds nothing.
 */
export function projectFields(result: unknown, fields: readonly string[]): unknown {
  return project(result, wantedTree(fields.map((field) => field.split('.')))) ?? null;
}

function wantedTree(paths: readonly string[][]): Wanted {
  if (paths.some(({ length }) => length === 0)) return true; // A shorter path takes all of it.
  return new Map(Map.groupBy(paths, ([name]) => name!).entries()
    .map(([name, below]) => [name, wantedTree(below.map((path) => path.slice(1)))]));
}

/** Undefined if no part of the value is wanted. */
function project(value: unknown, wanted: Wanted): unknown {
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
