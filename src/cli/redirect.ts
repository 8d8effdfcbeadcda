import { oneLine } from './terminal.ts';

/**
 * What is said of an answer that only leads elsewhere, where no secret is sent; undefined if it
 * does not. `address`: what was given, with which that of the request begins.
 */
export function redirection(
  { status, headers, url }: Response, address: string): string | undefined {
  const location = headers.get('location');
  const target = location !== null && status >= 300 && status < 400
    ? URL.parse(location, url) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined;
  // What stands in the query may be for nobody else.
  const asked = new URL(url).pathname.slice(new URL(address).pathname.replace(/\/$/, '').length);
  const place = target.origin + (target.pathname.endsWith(asked)
    ? target.pathname.slice(0, target.pathname.length - asked.length) : target.pathname);
  return `What answers at ${address} leads to ${oneLine(place, 300)}. If that is the service, give`
    + ' that address.';
}
