/**
 * What the operator said of actions, in the order of who wins: a source key (`POST /pets`, a tool's
 * name) over a name, a name over a pattern of names, of patterns the one with more fixed parts, at
 * last `*` for everything; of two that are equally specific the later one. Fields are decided one
 * by one: a pattern may say the effect, and the source key that it is hidden. What every call sends
 * is decided parameter by parameter.
 */
import { byPattern, type PatternTree } from './patterns.ts';

export interface Ruling<T> {
  /** All that holds for the action. */
  override: T;
  /** The keys that say something of it, the one that wins last. */
  keys: readonly string[];
}

interface Rule<T> {
  key: string;
  said: T;
  rank: number;
}

const EVERYTHING = '*';
const BY_SOURCE_KEY = Infinity;

export class OverrideRules<T extends object> {
  readonly #said: Readonly<Record<string, T>>;
  readonly #patterns: PatternTree<Rule<T>[]>;

  constructor(said: Readonly<Record<string, T>>) {
    this.#said = said;
    const rules = Object.entries(said).map(([key, one], index) =>
      ({ key, said: one, rank: rankOf(key) + index * 1e-6 }));
    this.#patterns = byPattern(rules.filter(({ key }) => isNamePattern(key)), ({ key }) => key);
  }

  /** `source_keys`: what it is in its source now, and what it was when the operator said so. */
  of({ name, source_keys }: { name: string; source_keys: readonly string[] }): Ruling<T> {
    const exact = [...new Set(source_keys)].reverse()
      .filter((key) => Object.hasOwn(this.#said, key))
      .map((key) => ({ key, said: this.#said[key]!, rank: BY_SOURCE_KEY }));
    const rules = [...this.#patterns.matching(name).flat().sort((a, b) => a.rank - b.rank),
      ...exact].filter(({ key }, at, all) => all.findLastIndex((one) => one.key === key) === at);
    const parameters = Object.assign({}, ...rules.map(({ said }) =>
      (said as { parameters?: object }).parameters));
    return {
      override: Object.assign({}, ...rules.map(({ said }) => said),
        Object.keys(parameters).length > 0 ? { parameters } : {}) as T,
      keys: rules.map(({ key }) => key),
    };
  }
}

/** Whether a key can be meant as a pattern of names; source keys of documents hold a space. */
function isNamePattern(key: string): boolean {
  return key === EVERYTHING || /^[^\s.]+(\.[^\s.]+)+$/.test(key);
}

/** More fixed parts are more specific; of as many, a longer pattern is. */
function rankOf(pattern: string): number {
  const parts = pattern.split('.');
  const fixed = parts.filter((part) => part !== EVERYTHING).length;
  const is_name = fixed === parts.length;
  return (is_name ? 1_000 : 0) + fixed * 10 + Math.min(parts.length, 9);
}
