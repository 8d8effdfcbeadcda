/** Whether an operation can reach what the operator has denied, hidden or wants to approve. */
import type { ImportedAction } from '../openapi/openapi.ts';
import { addressAt, AddressIndex } from '../openapi/operationAddress.ts';
import type { Former } from './leftBehind.ts';

/**
 * Finds the name of something restricted that an operation can reach by its address. `accepted`:
 * the operations of the accepted document, which say where they are; `base`: of the integration.
 */
export function reachedIn(
  restricted: readonly Former[], accepted: readonly ImportedAction[], base: string | null,
): (action: ImportedAction) => string | undefined {
  const owns = new Map(accepted.map(({ name, servers: [own] }) => [name, own]));
  const index = AddressIndex.of(restricted, base, (name) => owns.get(name));
  return ({ source_key, name, servers: [own], request }) => {
    const open = request.parameters.filter(({ place, slashes }) =>
      place === 'path' && slashes !== null).map((parameter) => parameter.name);
    return index.reachedAt(addressAt(source_key, { own, base, open }), name);
  };
}
