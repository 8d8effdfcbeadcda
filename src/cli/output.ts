/** What several commands print alike. */
import { EXIT } from './failure.ts';

export const AS_ADMIN = { as: 'admin_token' } as const;

export function none(say: (text: string) => void, what: string): number {
  say(`There are no ${what}.\n`);
  return EXIT.ok;
}

/** A timestamp to the minute, or a dash. */
export function minute(timestamp: string | null): string {
  return timestamp === null ? '-' : `${timestamp.slice(0, 16).replace('T', ' ')}Z`;
}
