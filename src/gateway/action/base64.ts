const BEGINNING_CHARS = 400;
/** Lines of base64 have 64 or 76 characters; texts of lists, one word for each line, have not. */
const LINE = /^[\w+/-]{60}/;
const LONG = /^[\w+/-]{256}/;

/** Whether a text begins as the base64 of a file does: long, in one piece or in lines. */
export function isLongBase64(text: string): boolean {
  const beginning = text.slice(0, BEGINNING_CHARS);
  return LINE.test(beginning) && LONG.test(beginning.replaceAll(/\r?\n/g, ''));
}
