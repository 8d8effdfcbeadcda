/** Reads the fields of draft-ietf-httpapi-ratelimit-headers: lists of texts with parameters. */

export interface LimitItem { policy: string; [parameter: string]: string | number }

// What the service writes of structured fields (RFC 9651), and no more.
const ITEM = /^"([a-z-]+)"((?:;[a-z]+=(?:\d{1,15}|"[a-z-]+"))*)$/;

/** The items of a field; [] if there is none. Throws an Error if it is not well formed. */
export function limitItems(headers: Headers, name: 'RateLimit' | 'RateLimit-Policy'): LimitItem[] {
  const text = headers.get(name);
  if (text === null) return [];
  return text.split(', ').map((part) => {
    const [, policy, parameters] = ITEM.exec(part) ?? [];
    if (policy === undefined) throw new Error(`${name} is not well formed: ${text}`);
    return Object.fromEntries([['policy', policy], ...parameters!.split(';').slice(1)
      .map((pair) => pair.split('='))
      .map(([key, value]) => [key, JSON.parse(value!) as string | number])]);
  });
}

/** What is wrong with a 429, by the document; [] if nothing is. */
export function faultsOf(headers: Headers): string[] {
  const left = limitItems(headers, 'RateLimit');
  const policies = limitItems(headers, 'RateLimit-Policy');
  const retry_after = headers.get('retry-after') ?? '';
  const empty = left.filter(({ r }) => r === 0);
  return [
    !/^[1-9]\d*$/.test(retry_after) && `Retry-After is ${retry_after}`,
    empty.length === 0 && 'no limit is said to be reached',
    empty.some(({ t }) => Number(t) > Number(retry_after)) && 'Retry-After is too early',
    left.some(({ policy }) => !policies.some((one) => one.policy === policy))
      && 'a limit has no policy',
    policies.some(({ q }) => typeof q !== 'number') && 'a policy has no quota',
  ].filter((fault) => fault !== false);
}
