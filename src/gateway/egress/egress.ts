/**
 * Where a request may go. Everything that leaves the service passes here: calls, documents, token
 * endpoints, MCP servers. A URL is looked at before it is used, and an address before it is
 * connected to (`guardedConnector.ts`), for a name may lead anywhere at any time.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Says which rule refuses it. Names the host at most: never an address, a path or a query. */
export class EgressRefused extends Error {
  override name = 'EgressRefused';
}

/**
 * An entry of `egress_allow` that operators do not write: credentials may be sent to public
 * addresses by plain http. It goes with the others wherever these go.
 */
const PLAIN_HTTP = 'http';

/** Where requests of an integration may go. */
export function reachOf({ egress_allow, insecure_http }: {
  egress_allow: readonly string[]; insecure_http: boolean;
}): readonly string[] {
  return insecure_http ? [...egress_allow, PLAIN_HTTP] : egress_allow;
}

type IpAddress = ReturnType<typeof ipaddr.process>;

interface Allowed {
  network: IpAddress;
  bits: number;
  port: number;
}

// Cloud machines give out their credentials here, some of them at public addresses (168.63.129.16).
const METADATA_ADDRESSES = new Set(['169.254.169.254', '169.254.170.2', '169.254.170.23',
  '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23',
  'fd20:ce::254'].map((text) => ipaddr.parse(text).toNormalizedString()));
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'metadata.goog',
  'instance-data', 'instance-data.ec2.internal']);

// Nothing outside 2000::/3 is assigned for the public. It closes what a list of special ranges
// misses: ipaddr.js takes ::127.0.0.1, an old way to write 127.0.0.1, for an ordinary address.
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * The URL, if a request to it may be tried: http or https, no user or password in it, no address
 * that is not public unless `egress_allow` holds it. Throws EgressRefused. What a name leads to is
 * seen when it is connected to.
 */
export function checkUpstreamUrl(url: string | URL, egress_allow: readonly string[]): URL {
  const checked = URL.parse(String(url));
  if (checked === null) throw new EgressRefused('This is not a URL.');
  if (checked.protocol !== 'https:' && checked.protocol !== 'http:') {
    throw new EgressRefused('Only http and https URLs can be called.');
  }
  if (checked.username !== '' || checked.password !== '') {
    throw new EgressRefused('A URL must not hold a user or a password.');
  }
  const host = hostOf(checked.hostname);
  if (METADATA_NAMES.has(host)) {
    throw new EgressRefused(`${host} is the metadata service of a cloud machine.`);
  }
  if (isIP(host) !== 0) checkAddress(host, portOf(checked), egress_allow);
  return checked;
}

/** Without the brackets of an IPv6 address and the dot that may end a name. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '').toLowerCase();
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Throws EgressRefused unless the address is public or allowed with this port. */
export function checkAddress(
  address: string, port: number, egress_allow: readonly string[], name = 'The host'): void {
  if (!ipaddr.isValid(address)) throw new EgressRefused(`${name} has no valid address.`);
  const parsed = ipaddr.process(address);
  const metadata = METADATA_ADDRESSES.has(parsed.toNormalizedString());
  if (isPublic(parsed) && !metadata) return;
  const allowed = egress_allow.filter((entry) => entry !== PLAIN_HTTP)
    .map(parseEgressAllow).some((entry) => entry.port === port
    && parsed.kind() === entry.network.kind()
    // A wide range was not meant to hold the metadata service: it has to be named itself.
    && (!metadata || entry.bits === parsed.toByteArray().length * 8)
    && parsed.match([entry.network, entry.bits] as [ipaddr.IPv4, number]));
  if (allowed) return;
  throw new EgressRefused(metadata
    ? `${name} leads to the metadata service of a cloud machine.`
    // Where both are there, as for localhost, an operator mostly has allowed the other one.
    : `${name} leads to an ${parsed.kind() === 'ipv6' ? 'IPv6 ' : ''}address that is not public`
      + ` (${parsed.range()}), at port ${port}. The operator can allow it for the integration, by`
      + ' `egress_allow`.');
}

/** Throws EgressRefused if credentials must not be sent to the address by plain http. */
export function checkPlain(address: string, egress_allow: readonly string[], name: string): void {
  if (!isPublic(ipaddr.process(address)) || egress_allow.includes(PLAIN_HTTP)) return;
  throw new EgressRefused(`${name} is called by plain http, so everybody on the way could read the`
    + ' credentials. Use https; or the operator allows it for the integration: `gatehouse'
    + ' integrations update <slug> --insecure`.');
}

function isPublic(address: IpAddress): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(PUBLIC_IPV6);
}

const ALLOW_ENTRY =
  /^(?:\[([0-9a-f.]*:[0-9a-f:.]+(?:\/\d+)?)\]|([\d.]+(?:\/\d+)?)):(\d{1,5})$/i;

/** `10.0.0.0/8:8080`, `127.0.0.1:3000` or `[fd00::/8]:443`; for anything else EgressRefused. */
export function parseEgressAllow(entry: string): Allowed {
  const wrong = new EgressRefused(`${JSON.stringify(entry)} is no entry of egress_allow: it takes`
    + ' an address or a range, a colon and a port, such as 10.0.0.0/8:8080 or [fd00::/8]:443.');
  const parts = ALLOW_ENTRY.exec(entry);
  const range = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3]);
  if (range === undefined || port < 1 || port > 65_535) throw wrong;
  const [text = '', bits] = range.split('/');
  if (isIP(text) === 0) throw wrong;
  const network = ipaddr.parse(text);
  const width = network.toByteArray().length * 8;
  const length = bits === undefined ? width : Number(bits);
  if (length > width) throw wrong;
  const mapped = network.kind() === 'ipv6' && (network as ipaddr.IPv6).isIPv4MappedAddress();
  // Addresses are compared in their plain form, so a mapped range would never match.
  if (mapped && length < 96) throw wrong;
  return mapped
    ? { network: (network as ipaddr.IPv6).toIPv4Address(), bits: length - 96, port }
    : { network, bits: length, port };
}
