/** For whom an api key stands: entries by which the identity provider's people are found. */
import { emailOf, groupsOf, type Claims } from './oidcRoles.ts';

/** How exactly each form of an entry names somebody: an address is one person, a group are many. */
const RANKS = [/^[^@:]+@/, /^sub:/, /^group:/, /^@/];

/** So many groups of one person count. */
const GROUPS = 1_000;

/** Each once, addresses in lower case as those of claims are. */
export function normalIdentities(identities: readonly string[]): string[] {
  return [...new Set(identities.map((one) => (/^(sub|group):/.test(one) ? one
    : one.toLowerCase())))];
}

/** The entries that name whom these claims are of. */
export function identitiesOf(claims: Claims): string[] {
  const address = emailOf(claims);
  // It would read as a group's or a subject's entry.
  const email = address?.includes(':') ? null : address;
  return [
    ...(email === null ? [] : [email, email.slice(email.lastIndexOf('@'))]),
    `sub:${claims.sub}`,
    ...groupsOf(claims).slice(0, GROUPS).map((group) => `group:${group}`),
  ].filter((entry) => !entry.includes('\0')); // which no text of the database has
}

/** Of those that name somebody by these entries, the ones that do so most exactly. */
export function mostExact<T extends { identities: readonly string[] }>(found: readonly T[]): T[] {
  const rankOf = ({ identities }: T) => Math.min(...identities.map((one) =>
    RANKS.findIndex((form) => form.test(one))));
  const best = Math.min(...found.map(rankOf));
  return found.filter((one) => rankOf(one) === best);
}
