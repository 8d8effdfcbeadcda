/** The address of another service's consent page, and what in its query is for us alone to say. */

// What a request says by RFC 6749, PKCE, OpenID Connect, RFC 8707, RFC 9101 and RFC 9396. With one
// of them in the address twice, a server may heed the first: a person would be sent back elsewhere.
const OURS = new Set(['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'nonce',
  'code_challenge', 'code_challenge_method', 'response_mode', 'resource', 'request',
  'request_uri', 'claims', 'authorization_details']);

/** The names in the query of the address that each request sets itself. */
export function ownParametersIn(url: string): string[] {
  return [...new Set(partsOf(url).flatMap(ownNamesIn))];
}

/** The address without them, whoever named it. */
export function withoutOwnParameters(url: string): string {
  const parts = partsOf(url);
  const others = parts.filter((part) => ownNamesIn(part).length === 0);
  if (others.length === parts.length) return url;
  const clean = new URL(url);
  clean.search = others.join('&');
  return clean.href;
}

function partsOf(url: string): string[] {
  return (URL.parse(url)?.search ?? '').slice(1).split('&');
}

/** As some servers read it, for which `;` ends a parameter as well. */
function ownNamesIn(part: string): string[] {
  return part.split(';').flatMap((one) => [...new URLSearchParams(one).keys()])
    .filter((name) => OURS.has(readLeniently(name)));
}

/** As PHP and others do, which take `redirect.uri`, ` redirect_uri` and `redirect_uri[]` for it. */
function readLeniently(name: string): string {
  return name.split(/[[\0]/)[0]!.trim().replace(/[. ]/g, '_').toLowerCase();
}
