/** `chat_postMessage` → `chat_post_message`, `XMLParser v2` → `xml_parser_v2`; '' if no word. */
export function snake(text: string): string {
  return text
    // By what is beside it alone: all that is before it would be read again for each letter.
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}

/**
 * The name of each thing: the first of its forms that nothing else has and that is not `taken`.
 * Things with equal names all move on to their next form together, so that no name depends on their
 * order. A last form stays, whatever has it too.
 */
export function distinctNames(
  forms: readonly (readonly string[])[], taken: ReadonlySet<string>): string[] {
  const named = forms.map((names) => ({ names, level: 0 }));
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
  return named.map(({ names, level }) => names[level]!);
}
