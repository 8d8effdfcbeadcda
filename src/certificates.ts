/** Certificates that are not taken, such as those of a company's own authority. */

const UNKNOWN_AUTHORITY: ReadonlySet<string | undefined> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What to do then. Node's own advice is an option that our commands do not take. */
export const TRUST_ADVICE = 'If it is one of your own, name the file of its authority (PEM) in'
  + ' NODE_EXTRA_CA_CERTS; else give the proxy its whole chain.';

/**
 * What is said of an error of fetch where nobody who is known here has signed the certificate of
 * that address; undefined for any other error. Nothing was sent then.
 */
export function untrustedCertificate(address: string, { cause }: Error): string | undefined {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return UNKNOWN_AUTHORITY.has(code)
    ? `the certificate of ${address} is of an authority that is not known here (${code})`
    : undefined;
}
