/** Which alternative of a union is which of another. */
import type { SchemaNode } from '../document.ts';
import { same, type Shape } from './shape.ts';

export interface Alternative { node: SchemaNode | null; shape: Shape }
export interface Pairing {
  pairs: { old: Alternative; now: Alternative; label: string }[];
  /** What to call those that only one side has. */
  removed: string[];
  added: string[];
}

/**
 * Pairs alternatives by the constant of the discriminating member, then by name, then by equal
 * shape, then by their types.
 */
export function pairAlternatives(
  before: Alternative[], after: Alternative[], tag: string | undefined): Pairing {
  const pairs: Pairing['pairs'] = [];
  let [old, now] = [before, after];
  const tests: ((one: Alternative, other: Alternative) => boolean)[] = [
    (one, other) => tagOf(one, tag) !== undefined && tagOf(one, tag) === tagOf(other, tag),
    (one, other) => one.shape.name !== null && one.shape.name === other.shape.name,
    (one, other) => same(plain(one), plain(other)),
    (one, other) => one.shape.types !== null && same(one.shape.types, other.shape.types)
      && (tagOf(one, tag) === undefined || tagOf(other, tag) === undefined),
  ];
  for (const matches of tests) {
    for (const one of old) {
      const other = now.find((each) => matches(one, each));
      if (!other) continue;
      pairs.push({ old: one, now: other, label: labelOf(one, tag) });
      old = old.filter((each) => each !== one);
      now = now.filter((each) => each !== other);
    }
  }
  return {
    pairs,
    removed: old.map((each) => labelOf(each, tag)), added: now.map((each) => labelOf(each, tag)),
  };
}

/** The one value that the member has which tells the alternatives apart. */
function tagOf({ shape }: Alternative, tag: string | undefined): string | undefined {
  const member = tag === undefined ? undefined : shape.properties.get(tag);
  const value = member?.const ?? (Array.isArray(member?.enum) && member.enum.length === 1
    ? member.enum[0] : undefined);
  return value === undefined ? undefined : String(value);
}

function labelOf(alternative: Alternative, tag: string | undefined): string {
  const { name, types, values } = alternative.shape;
  return tagOf(alternative, tag) ?? name ?? values?.join('|') ?? types?.join('|') ?? 'anything';
}

function plain({ shape }: Alternative): unknown {
  const [properties, required] = [[...shape.properties], [...shape.required].sort()];
  return { ...shape, words: null, properties, required };
}
