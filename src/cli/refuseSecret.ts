/** Keys and tokens in the place of their ids. */
import { EXIT, Failure } from './failure.ts';
import { oneLine } from './terminal.ts';
import type { Workplace } from './workplace.ts';

/** By how they begin: what they are, where they are listed, and which commands end one. */
const SECRETS = {
  gth_: { what: 'key', path: '/admin/api_keys', group: 'keys' },
  gta_: { what: 'token', path: '/admin/admin_tokens', group: 'admin-tokens' },
} as const;
/** Whole ids and their beginnings. A token of the configuration has more characters. */
const IDS = { key_: /^(key_)?[0-9a-z]{0,26}$/, adm_: /^(adm_)?[0-9a-z]{0,26}$/ };

/**
 * Refuses a secret in the place of its id, which begins with `kind`: whoever has found a leaked one
 * has that itself in hand. They are told which one ends so, and it is sent nowhere; its end is too
 * short to revoke by. What else cannot be an id may be a secret, too: it is not sent nor printed.
 */
export async function refuseSecret(
  { client, again }: Workplace, kind: keyof typeof IDS, given: string): Promise<void> {
  if (IDS[kind].test(given)) return;
  const secret = SECRETS[given.slice(0, 4) as keyof typeof SECRETS];
  if (secret === undefined) {
    throw new Failure(`That is no id of what is meant here: those are ${kind} and 26 lower-case`
      + ' letters and digits, or begin so. Nothing was changed.', EXIT.usage);
  }
  const { what, path, group } = secret;
  const all = await Array.fromAsync(client.list(path, {}));
  const alike = all.filter(({ hint, status }) => status === 'active'
    && hint !== null && hint.length > 1 && given.endsWith(hint.replace('…', '')));
  const which = alike.map(({ id, name, hint }) =>
    `\n${oneLine(name, 40)} ends in ${hint}: ${again(group, 'revoke', id)}`);
  throw new Failure(`That is a ${what}, not the id of one. Nothing was changed.`
    + `${which.join('') || ` No ${what} that is good ends so.`}`, EXIT.usage);
}
