import type { Operation } from './operation.ts';

/** POST /actions/search */
export const searchActions: Operation<'searchActions'> = async ({
  caller, body, services: { gateway },
}) => {
  const found = await gateway.catalogue.search(caller, body);
  return { status: 200, body: { object: 'list', has_more: false, next_cursor: null, ...found } };
};
