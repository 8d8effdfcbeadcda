/** Values that were right, and then something happened to them. */
import fc from 'fast-check';
import { isObject, type JsonObject } from '../../src/json.ts';
import { HOSTILE_TEXTS, Known } from './schemaArbitrary.ts';

/** In the text of a body, lists within lists stand in its place: too deep for a value of ours. */
export const DEEP = 'lists within lists';

/** What takes the place of a value, or of a part of it. */
const STRANGERS: readonly unknown[] = [
  null, true, false, 0, -1, 1.5, 1e308, -0, Number.MAX_SAFE_INTEGER, 2 ** 63, [], {}, [[]], [null],
  { $ref: '#' }, { toString: null }, DEEP, { input: DEEP }, ...HOSTILE_TEXTS,
];
const NAMES = ['unknown', '__proto__', 'constructor', 'toJSON', '', '\0', 'id', 'workspace_id',
  '$ref'];

interface Step {
  kind: 'replace' | 'remove' | 'add' | 'repeat';
  /** Which part, from outside to inside; each counts among the members there are. */
  way: number[];
  stranger: unknown;
  name: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'add', 'repeat'),
  way: fc.array(fc.nat(20), { maxLength: 5 }),
  stranger: fc.constantFrom(...STRANGERS),
  name: fc.constantFrom(...NAMES),
});

/** The value with one to three changes. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.array(step, { minLength: 1, maxLength: 3 }))
    .map(([value, steps]) => steps.reduce<unknown>((at, one) => changed(at, one, one.way), value));
}

function changed(value: unknown, one: Step, way: readonly number[]): unknown {
  const [turn, ...rest] = way;
  if (turn !== undefined && value !== null && typeof value === 'object'
    && !(value instanceof Known)) {
    const names = Object.keys(value);
    const name = names[turn % names.length];
    if (name !== undefined) {
      if (one.kind === 'remove' && rest.length === 0) return without(value, name);
      const next = changed((value as JsonObject)[name], one, rest);
      return Array.isArray(value) ? value.with(Number(name), next) : withMember(value, name, next);
    }
  }
  switch (one.kind) {
    case 'add': return isObject(value) ? withMember(value, one.name, one.stranger) : [value];
    case 'repeat': return Array.isArray(value) ? Array(200).fill(value).flat() : [value, value];
    default: return one.stranger;
  }
}

/** `__proto__` as a member like any other, as it comes out of JSON.parse. */
function withMember(value: object, name: string, member: unknown): object {
  return Object.fromEntries([...Object.entries(value), [name, member]]);
}

function without(value: object, name: string): unknown {
  if (Array.isArray(value)) return value.toSpliced(Number(name), 1);
  return Object.fromEntries(Object.entries(value).filter(([own]) => own !== name));
}
