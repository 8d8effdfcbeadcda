import { isObject } from '../../json.ts';

/** The fields asked for, as a tree; true: everything from here on. */
type Wanted = true | Map<string, Wanted>;

/**
 * The parts of `result` that the dot paths name: `data.id` keeps the id of every item of `data`.
 * Lists keep their length; a path that leads nowhere adds nothing.
 */
export function projectFields(result: unknown, fields: readonly string[]): unknown {
  return project(result, wantedTree(fields)) ?? null;
}

function wantedTree(fields: readonly string[]): Wanted {
  const root = new Map<string, Wanted>();
  for (const field of fields) {
    const names = field.split('.');
    let node = root;
    for (const [i, name] of names.entries()) {
      const known = node.get(name);
      if (known === true) break; // a shorter path took all of it
      if (i === names.length - 1) node.set(name, true);
      else {
        const next = known ?? new Map<string, Wanted>();
        node.set(name, next);
        node = next;
      }
    }
  }
  return root;
}

/** Undefined if no part of the value is wanted. */
function project(value: unknown, wanted: Wanted): unknown {
  if (wanted === true) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, wanted) ?? null);
  if (!isObject(value)) return undefined;
  const kept: [string, unknown][] = [];
  for (const [name, below] of wanted) {
    if (!Object.hasOwn(value, name)) continue;
    const found = project(value[name], below);
    if (found !== undefined) kept.push([name, found]);
  }
  return Object.fromEntries(kept);
}
