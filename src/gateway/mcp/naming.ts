import { createHash } from 'node:crypto';
import { snake } from '../action/words.ts';

const WORDS_LIMIT_CHARS = 100;

/**
 * Names `<slug>.tools.<tool>` for tools that have none yet, by the tools' names. Tools whose names
 * are equal all get six digits of their hash appended, or else the whole hash. No name in `taken`
 * is given. A name depends on the set of tools, never on their order.
 */
export function nameTools(
  slug: string, tools: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const named = [...new Set(tools)].map((tool) => {
    const words = snake(tool).slice(0, WORDS_LIMIT_CHARS) || 'tool';
    const hash = createHash('sha256').update(tool).digest('hex');
    const forms = [words, `${words}_${hash.slice(0, 6)}`, `${words}_${hash}`];
    return { tool, names: forms.map((form) => `${slug}.tools.${form}`), level: 0 };
  });
  for (let moved = true; moved;) {
    moved = false;
    for (const [name, group] of Map.groupBy(named, ({ names, level }) => names[level]!)) {
      if (group.length === 1 && !taken.has(name)) continue;
      for (const member of group) {
        if (member.level === member.names.length - 1) continue;
        member.level += 1;
        moved = true;
      }
    }
  }
  return new Map(named.map(({ tool, names, level }) => [tool, names[level]!]));
}
