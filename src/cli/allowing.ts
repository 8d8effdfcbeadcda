/** Addresses that are not public: how an operator allows an integration to be called there. */
import { ApiError } from './answers.ts';
import type { Schemas } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import type { Workplace } from './workplace.ts';

/** Where the command that was refused has the flag. */
export const ALLOW = 'Here: --allow <address>:<port>, or a range such as 10.1.0.0/16:443, for each'
  + ' address that is not public.';

/** Whether a message is about an address that can be allowed. */
export function isNotPublic(message: string): boolean {
  return message.includes('`egress_allow`');
}

/** The command that allows one more: the flag takes back what it does not name. */
export function howToAllow(
  again: Workplace['again'],
  { slug, egress_allow }: Pick<Schemas['Integration'], 'slug' | 'egress_allow'>): string {
  const allowed = egress_allow.flatMap((one) => ['--allow', one]);
  return `It is allowed with: ${again('integrations', 'update', slug, ...allowed)}`
    + ' --allow <address>:<port>';
}

/** Adds to an address that was refused how it is allowed. */
export async function withAllowing(
  error: unknown, how: () => string | Promise<string>): Promise<never> {
  if (!(error instanceof ApiError) || !isNotPublic(error.message)) throw error;
  throw new Failure(`${error.message}\n${await how()}`, EXIT.failed, error);
}
