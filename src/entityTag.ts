/** Entity tags: how a reader that has something already learns that it is still the same. */
import { hash } from 'node:crypto';

/** The strong tag of a content, with its quotation marks. */
export function entityTag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'hex').slice(0, 32)}"`;
}

/** Whether an If-None-Match header names this tag; compared weakly, as RFC 9110 asks of it. */
export function isCurrent(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = ifNoneMatch ?? '';
  return known.trim() === '*'
    || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
