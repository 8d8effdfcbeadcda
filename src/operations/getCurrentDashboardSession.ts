import { getDashboardSession } from '../store/dashboardSessions.ts';
import type { Operation } from './operation.ts';
import { presentDashboardSession } from './present.ts';

/** GET /admin/dashboard_sessions/current */
export const getCurrentDashboardSession: Operation<'getCurrentDashboardSession'> = async (
  { operator, services: { sql } }) => {
  const { id } = operator.session!;
  const row = await getDashboardSession(sql, id);
  return { status: 200, body: presentDashboardSession(row!, id) };
};
