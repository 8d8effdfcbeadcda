import { hash } from 'node:crypto';
import { distinctNames, nameWord } from '../action/words.ts';

const WORDS_LIMIT_CHARS = 100;

/**
 * Names `<slug>.tools.<tool>` for tools that have none yet, by the tools' names. Tools whose names
 * are equal all get six digits of their hash appended, or else the whole hash. No name in `taken`
 * is given. A name depends on the set of tools, never on their order.
 */
export function nameTools(
  slug: string, tools: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const unnamed = [...new Set(tools)];
  const names = distinctNames(unnamed.map((tool) => {
    const words = nameWord(tool, 'tool').slice(0, WORDS_LIMIT_CHARS) || 'tool';
    const digest = hash('sha256', tool, 'hex');
    const forms = [words, `${words}_${digest.slice(0, 6)}`, `${words}_${digest}`];
    return forms.map((form) => `${slug}.tools.${form}`);
  }), taken);
  return new Map(unnamed.map((tool, i) => [tool, names[i]!]));
}
