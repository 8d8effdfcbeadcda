/** Whether the identity provider says what it has to, where people sign in by one. */
import { askProvider, whyUnknown } from '../accounts/oidcProvider.ts';
import { failed, ok, type CheckContext, type CheckOutcome } from './report.ts';

/** Sooner than a check as a whole has failed, which could not say why. */
const ANSWER_S = 4;

/** Asks it for its settings, as a node does at the first sign-in. Id and secret are not tried. */
export async function checkIdentityProvider({ config }: CheckContext): Promise<CheckOutcome> {
  const { oidc_issuer } = config;
  try {
    const { authorization_endpoint } = (await askProvider(config, ANSWER_S)).serverMetadata();
    return ok(`${oidc_issuer} answers; people sign in at ${authorization_endpoint}`);
  } catch (error) {
    return failed(`${oidc_issuer} cannot be used: ${whyUnknown(error as Error)}`,
      'Set GATEHOUSE_OIDC_ISSUER to exactly what the provider calls itself: "issuer" in its'
      + ' /.well-known/openid-configuration. Else look whether this machine reaches it, and trusts'
      + ' its certificate (NODE_EXTRA_CA_CERTS).');
  }
}
