/**
 * The lines of a stream of UTF-8, without what ends them; null stands for one that is longer than
 * `limit_chars`. Only a line feed ends a line: node:readline also takes U+2028 for an end, which
 * stands as it is in the strings of JSON.
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array | string>, limit_chars: number): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let chars = 0;
  const add = (part: string) => {
    chars += part.length;
    if (chars > limit_chars) parts = [];
    else parts.push(part);
  };
  const taken = () => {
    const line = chars > limit_chars ? null : parts.join('');
    parts = [];
    chars = 0;
    return line;
  };
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const [first, ...others] = text.split('\n');
    add(first!);
    for (const other of others) {
      yield taken();
      add(other);
    }
  }
  add(decoder.decode());
  if (chars > 0) yield taken();
}
