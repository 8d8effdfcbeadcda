/** The settings of the identity provider, before the service starts with them. */
import { oidcScopes, SETTINGS, type Config } from '../config.ts';
import { entriesOf } from './oidcRoles.ts';

const ENTRY = /^((group|sub):.+|[^@\s]*@[^@\s]+)$/;
const OIDC_LISTS = ['oidc_viewers', 'oidc_operators', 'oidc_admins'] as const;

/** What is wrong with the settings of the identity provider, a line each. */
export function oidcFaults(config: Config): string[] {
  const { oidc_issuer, oidc_client_id } = config;
  const given = [...OIDC_LISTS, 'oidc_client_id', 'oidc_client_secret', 'mcp_audience'] as const;
  if (oidc_issuer === null) {
    return given.filter((name) => config[name] !== null).map((name) =>
      `${SETTINGS[name].variable} is set, and GATEHOUSE_OIDC_ISSUER is not.`);
  }
  const { protocol = '', hostname = '' } = URL.parse(oidc_issuer) ?? {};
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return [
    ...(protocol === 'https:' || (protocol === 'http:' && here) ? []
      : [`GATEHOUSE_OIDC_ISSUER is ${JSON.stringify(oidc_issuer)}; it must be an address such as`
        + ' https://login.example.com. Plain http is for this machine alone.']),
    ...(oidc_client_id === null ? ['GATEHOUSE_OIDC_CLIENT_ID is not set, and'
      + ' GATEHOUSE_OIDC_ISSUER is.'] : []),
    ...(oidcScopes(config).includes('openid') ? [] : ['GATEHOUSE_OIDC_SCOPES has no openid:'
      + ' without it the provider does not say who signs in.']),
    ...(OIDC_LISTS.some((name) => config[name] !== null) ? []
      : ['GATEHOUSE_OIDC_ISSUER is set, and nobody is let in: set GATEHOUSE_OIDC_ADMINS,'
        + ' GATEHOUSE_OIDC_OPERATORS or GATEHOUSE_OIDC_VIEWERS.']),
    ...OIDC_LISTS.flatMap((name) => entriesOf(config[name]).filter((entry) => !ENTRY.test(entry))
      .map((entry) => `${SETTINGS[name].variable} has ${JSON.stringify(entry)}; an entry is such`
        + ' as ada@example.com, @example.com, group:name or sub:id.')),
  ];
}
