/**
 * Authenticated encryption of small texts: AES-256-GCM, as `v1.key.iv.tag.ciphertext`. The tag
 * covers what the text belongs to, so that a moved ciphertext does not open. Only this room imports
 * it; the others use secrets.ts.
 */
import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
// Without it Node accepts tags of 4 bytes, which can be guessed.
const TAG_BYTES = 16;

/** Bytes that `KeyObject`s for this cipher have. */
export const KEY_BYTES = 32;

/** A sealed text was changed or moved, or another key sealed it. Says nothing of what it holds. */
export class DecryptionFailed extends Error {
  override name = 'DecryptionFailed';

  constructor(message = 'A sealed value does not open: it was changed or moved.') {
    super(message);
  }
}

/** What a sealed text belongs to; `|` separates the parts, so none may hold one. */
function belongsTo(parts: readonly string[]): Buffer {
  if (parts.some((part) => part === '' || part.includes('|'))) {
    throw new Error('a part of what a sealed value belongs to is empty or holds a |');
  }
  return Buffer.from(parts.join('|'), 'utf8');
}

/** Seals bytes with a key, which is named `key_id` in the text. */
export function seal(
  key: KeyObject, key_id: string, context: readonly string[], plain: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(belongsTo(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return [VERSION, key_id, ...[iv, cipher.getAuthTag(), sealed]
    .map((bytes) => bytes.toString('base64url'))].join('.');
}

/** Which key a sealed text names. Throws DecryptionFailed if it is none. */
export function keyIdOf(sealed: string): string {
  return partsOf(sealed).key_id;
}

/** Opens what `seal` made with the same key for the same context. Throws DecryptionFailed. */
export function open(key: KeyObject, context: readonly string[], sealed: string): Buffer {
  const { iv, tag, ciphertext } = partsOf(sealed);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(belongsTo(context));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    throw new DecryptionFailed();
  }
}

function partsOf(sealed: string) {
  const [version, key_id, ...encoded] = sealed.split('.');
  const [iv, tag, ciphertext] = encoded.map(bytesOf);
  if (version !== VERSION || !key_id || encoded.length !== 3 || iv!.length !== IV_BYTES
    || tag!.length !== TAG_BYTES) {
    throw new DecryptionFailed('A sealed value is not of the form that this version writes.');
  }
  return { key_id, iv: iv!, tag: tag!, ciphertext: ciphertext! };
}

/** Refuses all but one way to write the bytes; Node would skip invalid characters. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new DecryptionFailed();
  return bytes;
}
