import type { SignInRequest } from '../accounts/dashboardSessions.ts';
import type { Operation } from './operation.ts';
import { presentDashboardSession } from './present.ts';

/** POST /admin/dashboard_sessions */
export const createDashboardSession: Operation<'createDashboardSession'> = async (context) => {
  const { body, request_id, user_agent, cookie_secret, services: { dashboard } } = context;
  // The document allows for one of the two alone.
  const request = body as SignInRequest;
  const { session, secret } = await context.guarded((beforeLookup) =>
    dashboard.signIn(request, { request_id, user_agent, cookie_secret }, beforeLookup));
  return {
    status: 201, body: presentDashboardSession(session, session.id),
    headers: { 'Set-Cookie': context.cookieSetting(secret) },
  };
};
