import { hash } from 'node:crypto';

/** What clients and models take as the name of a tool. */
const PLAIN = /^[a-z0-9_]{1,64}$/i;
const KEPT_CHARS = 50;
const HASH_CHARS = 8;

/**
 * The name of the tool that stands for one action: `github.issues.create` becomes
 * `github-issues-create`. A name that would be too long, or could be that of another action, ends
 * in a hash instead. It depends on the action alone, so that it never changes.
 */
export function toolNameOf(action: string): string {
  const name = action.replaceAll('.', '-');
  if (name.length <= 64 && PLAIN.test(action.replaceAll('.', '_'))) return name;
  const digest = hash('sha256', action, 'hex').slice(0, HASH_CHARS);
  // No part of a plain name is empty, so that none has two hyphens.
  return `${keptOf(name)}--${digest}`;
}

function keptOf(name: string): string {
  return name.slice(0, KEPT_CHARS).replaceAll(/[^\w-]/g, '_');
}

/** The one action that a tool may stand for; undefined if its name ends in a hash. */
export function plainActionOf(tool: string): string | undefined {
  return tool.includes('--') ? undefined : tool.replaceAll('-', '.');
}

/** Whether this action may be the one of a tool whose name ends in a hash: quick, and a filter. */
export function begins(tool: string, action: string): boolean {
  const kept_chars = Math.min(action.length, KEPT_CHARS);
  if (tool.length !== kept_chars + '--'.length + HASH_CHARS) return false;
  return tool.startsWith(keptOf(action.slice(0, kept_chars).replaceAll('.', '-')));
}
