import type { Operation } from './operation.ts';
import { getOperation } from './reads.ts';

/** GET /actions/{action} */
export const getAction: Operation<'getAction'> = getOperation('action',
  ({ caller, services: { gateway } }, name) => gateway.catalogue.get(caller, name),
  (action) => action);
