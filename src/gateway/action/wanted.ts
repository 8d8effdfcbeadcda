/** The fields of a result that a caller asks for, as a tree; true: everything from here on. */
export type WantedFields = true | WantedParts;
export type WantedParts = Map<string, WantedFields>;

/** The tree of these paths; a path without names takes all. */
export function wantedTree(paths: readonly (readonly string[])[]): WantedFields {
  if (paths.some(({ length }) => length === 0)) return true; // A shorter path takes all of it.
  return new Map(Map.groupBy(paths, ([name]) => name!).entries()
    .map(([name, below]) => [name, wantedTree(below.map((path) => path.slice(1)))]));
}

/** The names of a dot path. */
export function namesOf(field: string): string[] {
  return field.split('.');
}
