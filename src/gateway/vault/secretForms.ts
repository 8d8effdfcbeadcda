/** The forms that a secret takes when somebody repeats it. */

/**
 * Shorter secrets are not looked for. Their forms occur in ordinary text, which would be mangled;
 * and a reader who finds `[secret]` where "admin" must have stood knows the secret.
 */
export const SHORTEST_SECRET_CHARS = 8;

/** Each form of a secret, once: raw, JSON, URL, HTML, hex, base64 and base64url. */
export function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET_CHARS) return [];
  const text = secret.toWellFormed();
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const all = [
    secret, text, ...jsonForms(text), ...urlForms(text), ...htmlForms(text), hex, hex.toUpperCase(),
    ...base64Forms(bytes),
  ];
  return [...new Set(all.filter((form) => form.length >= SHORTEST_SECRET_CHARS))];
}

/** As JSON.stringify writes it, and as others write it that also escape `/`, HTML or non-ASCII. */
function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const slashes = plain.replaceAll('/', '\\/');
  const html = plain.replace(/[<>&\u2028\u2029]/g, unicodeEscape);
  const ascii = [plain, slashes, html].map((form) => form.replace(/[^\0-\x7f]/g, unicodeEscape));
  // As .NET writes it by default.
  ascii.push(plain.replaceAll('\\"', '\\u0022').replace(/[&'+<>`\x7f-\uffff]/g, unicodeEscape));
  return [plain, slashes, html, ...ascii,
    ...ascii.map((form) => form.replace(/\\u[0-9a-f]{4}/g, (escape) =>
      `\\u${escape.slice(2).toUpperCase()}`))];
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * As a path or query has it, as a form has it (`+` for a space), with either case of the hex; and
 * each of them as an address has it that is in the query of another one.
 */
function urlForms(text: string): string[] {
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (character) =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const written = [component, strict, formEncoded(text), encodeURI(text)];
  const either = [...written, ...written.map((one) =>
    one.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()))];
  return [...either, ...either.flatMap((one) => [encodeURIComponent(one), formEncoded(one)])];
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** As a page of an error quotes it: with its quotes as they are, or in the ways to write them. */
function htmlForms(text: string): string[] {
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = plain.replaceAll('"', '&quot;');
  // As Go writes it, in a template a plus as well.
  const numbers = plain.replaceAll('"', '&#34;').replaceAll("'", '&#39;');
  return [plain, quoted, numbers, numbers.replaceAll('+', '&#43;'),
    ...['&#39;', '&#x27;', '&apos;'].map((quote) => quoted.replaceAll("'", quote))];
}

/**
 * By itself, and within longer base64 text (`user:password`, a whole body), at each of three
 * offsets in a group of four characters. Characters that share bits with neighbours are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  const within = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const from = Math.ceil(offset * 8 / 6);
    return encoded.slice(from, Math.floor((offset + bytes.length) * 8 / 6));
  });
  const standard = [bytes.toString('base64'), ...within];
  return [...standard, ...standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')
    .replaceAll('=', ''))];
}
