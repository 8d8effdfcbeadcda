import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARACTERS = 43; // 62^43 > 2^256
const CHECK_CHARACTERS = 6; // 62^6 > 2^32

/**
 * `gth_`: an api key; `gta_`: an admin token; `gts_`: a session of the dashboard; `gtk_`: a ticket,
 * which begins one. Secret scanners find them by these.
 */
export type TokenPrefix = 'gth' | 'gta' | 'gts' | 'gtk';

/**
 * A new secret: prefix, 256 random bits in base 62, and a CRC-32 of the secret, by which a mistyped
 * or invented token is told from a real one without asking the database.
 */
export function newToken(prefix: TokenPrefix): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_CHARACTERS);
  return `${prefix}_${secret}${checkOf(secret)}`;
}

/** Whether this can be a token of that prefix: its form and its check characters are right. */
export function isWellFormed(prefix: TokenPrefix, token: string): boolean {
  const match = /^([a-z]{3})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(token);
  return match !== null && match[1] === prefix && checkOf(match[2]!) === match[3];
}

/** What is stored of a token. The secret has 256 bits, so a plain hash cannot be searched. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Whether two hashes are equal, in a time that does not tell where they differ. */
export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The end of a token, by which a person recognises it in a list. */
export function hintOf(token: string): string {
  return `…${token.slice(-4)}`;
}

function checkOf(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECK_CHARACTERS);
}

function base62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest /= 62n) {
    text = ALPHABET[Number(rest % 62n)]! + text;
  }
  return text;
}
