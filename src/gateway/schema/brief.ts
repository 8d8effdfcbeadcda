/**
 * A text of a document in at most `limit_chars` characters, with an ellipsis if that is less than
 * all of it. Addresses of Markdown's links are left out, and blanks count once.
 */
export function brief(text: string, limit_chars: number): string {
  if (limit_chars <= 0) return '';
  const said = text.slice(0, 20 * limit_chars)
    .replace(/\[([^[\]]{1,300})\]\([^()\s]{1,500}\)/g, '$1')
    .replace(/\s+/g, ' ').trim();
  if (said.length <= limit_chars) return said;
  const cut = said.slice(0, limit_chars - 1).toWellFormed();
  // Rather a whole sentence or word less than half of one.
  const sentence = cut.search(/[.!?](?=[^.!?]*$)(?= )/);
  if (sentence >= limit_chars / 2) return `${cut.slice(0, sentence + 1)} …`;
  const blank = cut.lastIndexOf(' ');
  return `${blank >= limit_chars / 2 ? cut.slice(0, blank) : cut}…`;
}
