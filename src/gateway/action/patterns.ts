/**
 * Patterns of actions' names: `*` stands for one part of a name, and as the last part for any
 * number of them. They are kept as a tree of their parts: which of them match a name is found in a
 * few steps for each part of the name, however many patterns there are.
 */

interface Node<V> {
  /** What comes after a part of this text; `*` is for any one part. */
  parts: Map<string, Node<V>>;
  /** Of the pattern that ends here. */
  ends: V | undefined;
  /** Of the pattern whose last part, a `*`, comes after this. */
  rest: V | undefined;
}

/** One value for each pattern. */
export class PatternTree<V> {
  readonly #root: Node<V> = node();

  /** The value of this pattern; `make` makes it when the pattern is first asked for. */
  of(pattern: string, make: () => V): V {
    const parts = pattern.split('.');
    const last = parts.pop()!;
    let at = this.#root;
    for (const part of parts) at = child(at, part);
    if (last === '*') return at.rest ??= make();
    const end = child(at, last);
    return end.ends ??= make();
  }

  /** The values of all patterns that match the name. */
  matching(name: string): V[] {
    const found: V[] = [];
    collect(this.#root, name.split('.'), 0, found);
    return found;
  }
}

/** A list for each pattern: each of thousands of workspaces may have one of the same. */
export function byPattern<T>(
  all: readonly T[], patternOf: (one: T) => string): PatternTree<T[]> {
  const tree = new PatternTree<T[]>();
  for (const one of all) tree.of(patternOf(one), () => []).push(one);
  return tree;
}

function node<V>(): Node<V> {
  return { parts: new Map(), ends: undefined, rest: undefined };
}

function child<V>({ parts }: Node<V>, part: string): Node<V> {
  let next = parts.get(part);
  if (next === undefined) parts.set(part, next = node());
  return next;
}

/** Adds what matches the parts from `index` on, below this node. */
function collect<V>(at: Node<V>, parts: readonly string[], index: number, found: V[]): void {
  if (index === parts.length) {
    if (at.ends !== undefined) found.push(at.ends);
    return;
  }
  if (at.rest !== undefined) found.push(at.rest);
  const part = parts[index]!;
  const same = at.parts.get(part);
  if (same !== undefined) collect(same, parts, index + 1, found);
  // A part that is itself a `*` has been followed already.
  const any = part === '*' ? undefined : at.parts.get('*');
  if (any !== undefined) collect(any, parts, index + 1, found);
}
