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
  if (target === null) return undefined;
  const rest = url.slice(address.length);
  const place = target.href.endsWith(rest) ? target.href.slice(0, target.href.length - rest.length)
    : target.origin + target.pathname;
  return `What answers at ${address} leads to ${oneLine(place, 300)}. If that is the service, give`
    + ' that address.';
}
