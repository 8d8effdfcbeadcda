/** Whom of those that the identity provider knows the operator lets in, and as what. */
import { DASHBOARD_ROLES, type DashboardRole } from '../caller.ts';
import type { Config } from '../config.ts';
import { sanitizeText } from '../sanitize.ts';

/** An identity is no longer than this in the audit log. */
export const ID_CHARS = 255;

/** What the provider says of a person, as far as it matters here. */
export interface Claims {
  sub: string;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
  groups?: unknown;
}

export type RoleLists = Pick<Config, 'oidc_viewers' | 'oidc_operators' | 'oidc_admins'>;

const LISTS = {
  viewer: 'oidc_viewers', operator: 'oidc_operators', admin: 'oidc_admins',
} as const satisfies Record<DashboardRole, keyof RoleLists>;

/**
 * The person's e-mail address, if the provider says that somebody has made sure of it: else anybody
 * could have given it.
 */
export function emailOf({ email, email_verified }: Claims): string | null {
  const is_verified = email_verified === true || email_verified === 'true';
  return typeof email === 'string' && email.includes('@') && is_verified
    ? email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : null;
}

/**
 * What the token says, completed by what the provider says elsewhere of the same person. Whether
 * somebody has made sure of an address is said of that very one: the two may name different ones.
 */
export function completed(token: Claims, elsewhere: Claims): Claims {
  const { email, email_verified } = token.email === undefined
    || (token.email === elsewhere.email && token.email_verified === undefined) ? elsewhere : token;
  return { ...elsewhere, ...token, email, email_verified };
}

/** Whether there is an address that counts for nothing, as nobody has made sure of it. */
export function hasUnverifiedEmail(claims: Claims): boolean {
  return typeof claims.email === 'string' && claims.email.includes('@') && emailOf(claims) === null;
}

/** The person's groups. Some providers write a single one as a mere text (AD FS). */
export function groupsOf({ groups }: Claims): string[] {
  return (Array.isArray(groups) ? groups : [groups])
    .filter((group) => typeof group === 'string' && group !== '');
}

/**
 * As whom the audit log names somebody. Where people choose what the provider calls them, a subject
 * may read like the address of somebody else, so it is marked as one.
 */
export function auditNameOf(claims: Claims): string {
  return sanitizeText((emailOf(claims) ?? `sub:${claims.sub}`).slice(0, ID_CHARS));
}

/** The highest role of a list that names this person; null if none does. */
export function roleOf(claims: Claims, lists: RoleLists): DashboardRole | null {
  const email = emailOf(claims);
  const groups = groupsOf(claims);
  const names = (entry: string) => {
    if (entry.startsWith('group:')) return groups.includes(entry.slice('group:'.length));
    if (entry.startsWith('sub:')) return claims.sub === entry.slice('sub:'.length);
    const address = entry.toLowerCase();
    return email !== null
      && (address.startsWith('@') ? email.slice(email.lastIndexOf('@')) === address
        : email === address);
  };
  return DASHBOARD_ROLES.findLast((role) => entriesOf(lists[LISTS[role]]).some(names)) ?? null;
}

export function namesGroups(lists: RoleLists): boolean {
  return Object.values(LISTS).some((list) =>
    entriesOf(lists[list]).some((entry) => entry.startsWith('group:')));
}

export function entriesOf(list: string | null): string[] {
  return (list ?? '').split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');
}
