import type { Operation } from './operation.ts';

/** GET /admin/dashboard_sign_in */
export const getDashboardSignIn: Operation<'getDashboardSignIn'> = async (
  { services: { config: { oidc_issuer } } }) => {
  const oidc = oidc_issuer === null ? null : { issuer_name: new URL(oidc_issuer).host };
  return { status: 200, body: { object: 'dashboard_sign_in', oidc } };
};
