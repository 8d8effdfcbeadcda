import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { checkAddress, checkPlain, hostOf } from './egress.ts';
import { undici } from './undici.ts';

export interface GuardOptions {
  egress_allow: readonly string[];
  /** Credentials are sent, which plain http would show to everybody on the way. */
  confidential: boolean;
  connect_timeout_ms: number;
  /** How names are resolved; tests lead them where they like. */
  lookup?: LookupFunction;
}

/**
 * Connects to checked addresses only. A name is resolved once for each connection, and that answer
 * is both checked and used: what it says a moment later does not matter. Node asks no lookup for an
 * address written out, so that is checked here first; and in the end the peer itself is.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { egress_allow, confidential, connect_timeout_ms } = options;
  return (target, callback) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    const host = hostOf(target.hostname);
    const check = (address: string) => {
      checkAddress(address, port, egress_allow, host);
      if (confidential && target.protocol === 'http:') checkPlain(address, egress_allow, host);
    };
    try {
      if (isIP(host) !== 0) check(host);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    const connect = undici().buildConnector({
      lookup: guardedLookup(options.lookup ?? systemLookup, check),
      timeout: connect_timeout_ms,
    });
    connect({ ...target, socketPath: null }, (error, socket) => {
      if (error !== null) return callback(error, null);
      try {
        check(socket.remoteAddress ?? '');
      } catch (refusal) {
        socket.destroy();
        return callback(refusal as Error, null);
      }
      callback(null, socket);
    });
  };
}

/** One bad address among good ones refuses the name: no honest host has both. */
function guardedLookup(
  lookup: LookupFunction, check: (address: string) => void): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses = found as unknown as LookupAddress[];
      try {
        for (const { address } of addresses) check(address);
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, '', 0);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family);
    });
  };
}
