import { sanitizeText } from '../../sanitize.ts';

/** Takes secrets out of what a server said. */
export type Scrub = <V>(value: V) => V;

/**
 * The beginning of a text, as it can be stored. Its secrets are taken out before it is cut: of one
 * that is cut in two nothing would recognise the first part.
 */
export function beginningOf(text: string, limit_chars: number, scrub: Scrub): string {
  return sanitizeText(scrub(text).slice(0, limit_chars));
}
