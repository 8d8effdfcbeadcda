/**
 * Operations with POST that are called as if they only read, as all of Plaid's are and Notion's
 * search. Nothing but words says so, which is too little to call them without a grant: the operator
 * is told how to say it.
 */
import { shellWord } from '../../shellWord.ts';
import { READING_VERB } from '../action/words.ts';

const SHOWN = 10;

export class ReadingPosts {
  readonly #slug: string;
  /** By what the flag names, how many operations it stands for. */
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(slug: string) {
    this.#slug = slug;
  }

  add(name: string, source_key: string): void {
    const parts = name.slice(this.#slug.length + 1).split('.');
    const verb = parts.at(-1)!;
    const [word] = READING_VERB.exec(verb) ?? [];
    if (word === undefined) return;
    // A pattern has whole parts: what ends in more than the verb is named by itself.
    const key = word === verb && parts.length === 2 ? `${this.#slug}.*.${verb}` : source_key;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#total += 1;
  }

  /** What the operator can say of them, the most first; null if there are none. */
  words(): string | null {
    if (this.#total === 0) return null;
    const all = [...this.#counts].sort(([, a], [, b]) => b - a);
    const flags = all.slice(0, SHOWN).map(([key, count]) =>
      `--effect ${shellWord(`${key}=read`)}${count === 1 ? '' : ` (${count})`}`);
    const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : '';
    return `${this.#total} with POST are called as if they only read, and need a grant all the`
      + ` same. Where they do read, say so: ${flags.join(', ')}${more}`;
  }
}
