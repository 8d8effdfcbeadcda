/** Whose address a request counts for. */
import { BlockList, isIP } from 'node:net';

/**
 * The networks of GATEHOUSE_TRUSTED_PROXIES, such as `10.0.0.0/8, 192.0.2.7`. Throws an Error that
 * names the first entry that is none.
 */
export function parseNetworks(list: string): BlockList {
  const networks = new BlockList();
  for (const entry of list.split(',').map((text) => text.trim()).filter(Boolean)) {
    const [address = '', bits, ...more] = entry.split('/');
    const version = isIP(address);
    const width = version === 4 ? 32 : 128;
    const length = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
    if (version === 0 || length > width || more.length > 0) {
      throw new Error(`GATEHOUSE_TRUSTED_PROXIES: ${JSON.stringify(entry)} is no address and no`
        + ' range. It takes such as 10.0.0.0/8 and 2001:db8::7, by commas.');
    }
    networks.addSubnet(address, length, familyOf(version));
  }
  return networks;
}

/**
 * The address that a request comes from, as far as it can be believed: `X-Forwarded-For` is read
 * from its end, for as long as a trusted proxy wrote it. Of IPv6 the network of 64 bits, which is
 * what one customer has.
 *
 * @param peer the other end of the connection
 */
export function clientAddress(
  peer: string | undefined, forwarded: string | undefined, trusted: BlockList): string {
  let address = plain(peer ?? '');
  if (forwarded !== undefined) {
    const hops = forwarded.split(',');
    while (hops.length > 0 && isWithin(trusted, address)) {
      const hop = plain(hops.pop()!.trim());
      if (isIP(hop) === 0) break;
      address = hop;
    }
  }
  return isIP(address) === 6 ? networkOf(address) : address;
}

/** Whether `peer`, as a socket names it, is in one of the networks. */
export function isWithin(networks: BlockList, peer: string): boolean {
  const address = plain(peer);
  const version = isIP(address);
  return version !== 0 && networks.check(address, familyOf(version));
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** Without a port, brackets and zone; IPv4 in its own form. */
function plain(text: string): string {
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/^([\d.]+):\d+$/, '$1');
}

function networkOf(address: string): string {
  const groupsOf = (part: string) => part === '' ? [] : part.split(':');
  // An IPv4 address at the end takes the room of two groups.
  const [head, tail] = address.replace(/[\d.]*\.[\d.]*$/, '0:0').split('::').map(groupsOf);
  const gap = tail === undefined ? 0 : 8 - head!.length - tail.length;
  const groups = [...head!, ...Array<string>(gap).fill('0'), ...tail ?? []];
  return groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(':') + '::/64';
}
