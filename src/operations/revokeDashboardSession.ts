import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/dashboard_sessions/{dashboard_session_id} */
export const revokeDashboardSession: Operation<'revokeDashboardSession'> = async (context) => {
  const { params: { path }, operator, services: { dashboard } } = context;
  await dashboard.revoke(path.dashboard_session_id, operator, operatorOf(context));
  return { status: 204 };
};
