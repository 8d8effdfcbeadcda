import { removeGrant } from '../gateway/face.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/grants/{grant_id} */
export const deleteGrant: Operation<'deleteGrant'> = async (context) => {
  await removeGrant(context.services.sql, context.params.path.grant_id, operatorOf(context));
  return { status: 204 };
};
