/** Certificates that are not taken, such as those of a company's own authority. */

/** What there is to say of one, and to do. */
export interface Refused {
  said: string;
  advice: string;
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Node's own advice is an option that our commands do not take. */
const TRUST: Refused = {
  said: 'is of an authority that is not known here',
  advice: 'If it is one of your own, name the file of its authority (PEM) in NODE_EXTRA_CA_CERTS;'
    + ' else have the other side send its whole chain.',
};
const UNSUITABLE: Partial<Record<string, Refused>> = {
  CERT_HAS_EXPIRED: {
    said: 'has expired', advice: 'Renew it, unless the clock of this machine is wrong.' },
  CERT_NOT_YET_VALID: {
    said: 'is not valid yet', advice: 'See whether the clock of this machine is right.' },
  ERR_TLS_CERT_ALTNAME_INVALID: { said: 'is for another name',
    advice: 'Take an address that it is for, or have the other side show one for this address.' },
};

/** Whether the certificate lacks an authority that is known here: it may be one's own. */
export function isOfUnknownAuthority(code: string): boolean {
  return UNKNOWN_AUTHORITY.has(code);
}

/** What is wrong with a certificate, by the code of Node's error; undefined for any other. */
export function certificateFault(code: string): Refused | undefined {
  return isOfUnknownAuthority(code) ? TRUST : UNSUITABLE[code];
}

/**
 * What is said of an error of fetch where the certificate of that address is not taken; undefined
 * for any other error. Nothing was sent then.
 */
export function refusedCertificate(address: string, { cause }: Error): Refused | undefined {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  const refused = certificateFault(code);
  return refused && { ...refused, said: `the certificate of ${address} ${refused.said} (${code})` };
}
