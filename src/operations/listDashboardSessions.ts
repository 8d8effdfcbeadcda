import { listDashboardSessions as readSessions } from '../store/dashboardSessions.ts';
import type { Operation } from './operation.ts';
import { presentDashboardSession } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /admin/dashboard_sessions */
export const listDashboardSessions: Operation<'listDashboardSessions'> = async (context) =>
  await listOperation('dashboard_sessions',
    ({ services: { sql, dashboard }, operator }: typeof context, page) =>
      readSessions(sql, dashboard.personOf(operator), page),
    (row) => presentDashboardSession(row, context.operator.session?.id))(context);
