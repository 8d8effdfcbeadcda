import type { Operation } from './operation.ts';

/** POST /admin/dashboard_tickets */
export const createDashboardTicket: Operation<'createDashboardTicket'> = async (
  { operator, request_id, services: { dashboard, publicUrl } }) => {
  const { ticket, expires_at } = await dashboard.createTicket(operator, request_id);
  const url = `${publicUrl()}/dashboard/#ticket=${ticket}`;
  return { status: 201, body: { object: 'dashboard_ticket', ticket, url, expires_at } };
};
