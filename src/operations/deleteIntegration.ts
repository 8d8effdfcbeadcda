import { operatorOf } from './operator.ts';
import type { Operation } from './operation.ts';

/** DELETE /admin/integrations/{slug} */
export const deleteIntegration: Operation<'deleteIntegration'> = async (context) => {
  await context.services.integrations.remove(context.params.path.slug, operatorOf(context));
  return { status: 204 };
};
