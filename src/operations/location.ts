/** The header that says where a resource is. */
import type { Config } from '../config.ts';
import { prefixOf } from '../origin.ts';

/**
 * Location, for a path below /v1: an absolute path of the server that the document names, so below
 * `public_url` where there is one. A path relative to the request would be right behind every
 * prefix, and wrong in clients that put it behind their base address.
 */
export function locationOf({ public_url }: Config, path: string): { Location: string } {
  return { Location: `${prefixOf(public_url)}/v1/${path}` };
}
