/** What of the configuration a session of the dashboard stands on. */
import { createHmac } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Origin } from '../store/dashboardSessions.ts';
import { sameHash } from './token.ts';

type Whose = Omit<Origin, 'configured'>;

/**
 * The sign of the part of the configuration by which this session or ticket is good; null if it is
 * by an admin token of the database. Another configuration, or another secret, makes another sign.
 */
export function configuredSign(
  config: Config, secret: string, { person, admin_token_id }: Whose): Buffer | null {
  if (admin_token_id !== null) return null;
  const { oidc_issuer, oidc_client_id, oidc_viewers, oidc_operators, oidc_admins } = config;
  const said = person === null ? ['admin_token', config.admin_token]
    : ['oidc', oidc_issuer, oidc_client_id, oidc_viewers, oidc_operators, oidc_admins];
  return createHmac('sha256', secret).update(JSON.stringify(said)).digest();
}

/** Whether it is good by the configuration as it is now. */
export function isConfigured(config: Config, secret: string, origin: Origin): boolean {
  const sign = configuredSign(config, secret, origin);
  return sign === null || (origin.configured !== null && sameHash(sign, origin.configured));
}
