import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/dashboard_sessions/current */
export const endDashboardSession: Operation<'endDashboardSession'> = async (context) => {
  const { operator, services: { dashboard } } = context;
  await dashboard.revoke(operator.session!.id, operator, operatorOf(context));
  return { status: 204, headers: { 'Set-Cookie': context.cookieSetting('') } };
};
