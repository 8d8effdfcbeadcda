import { certificateFault, isOfUnknownAuthority } from '../../certificates.ts';

/** No usable answer came. The message is for people and models: it names no address. */
export class UpstreamUnreachable extends Error {
  override name = 'UpstreamUnreachable';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

const BEFORE_SENDING: Record<string, string> = {
  ENOTFOUND: 'its name does not resolve',
  EAI_AGAIN: 'its name does not resolve at the moment',
  ECONNREFUSED: 'it refuses connections',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  EADDRNOTAVAIL: 'there is no way to it',
  ETIMEDOUT: 'it does not take connections',
  UND_ERR_CONNECT_TIMEOUT: 'it does not take connections',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  UND_ERR_INVALID_ARG: 'the request cannot be written as HTTP',
};

const TO_TRUST = '; the service trusts one of your own if NODE_EXTRA_CA_CERTS names its file';

const AFTER_SENDING: Record<string, string> = {
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'its answer stopped coming',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer broke off',
  UND_ERR_SOCKET: 'the connection broke before its answer was complete',
  ECONNRESET: 'the connection broke before its answer was complete',
  EPIPE: 'the connection broke before its answer was complete',
  Z_BUF_ERROR: 'its answer broke off',
  Z_DATA_ERROR: 'its answer is not compressed as it says',
};

/** Whether no machine has the name, and not only at the moment. */
export function isUnknownName({ cause }: UpstreamUnreachable): boolean {
  return codeOf(cause) === 'ENOTFOUND';
}

/** What a failure of the transport means. `left`: the request was on its way already. */
export function unreachable(error: unknown, left: boolean): UpstreamUnreachable {
  const code = codeOf(error);
  if (!left) {
    const before = BEFORE_SENDING[code] ?? ofTls(code) ?? 'no connection to it came about';
    return new UpstreamUnreachable(before, error);
  }
  // Node gives each error of Brotli's own a code that begins so.
  const name = code.startsWith('ERR__ERROR_FORMAT') ? 'Z_DATA_ERROR' : code;
  const after = AFTER_SENDING[name]
    ?? (code.startsWith('HPE_') || code === 'HTTPParserError'
      ? 'what it answers is no proper HTTP' : 'the exchange failed');
  return new UpstreamUnreachable(after, error);
}

function ofTls(code: string): string | undefined {
  const fault = certificateFault(code);
  if (fault) {
    return `its certificate ${fault.said}${isOfUnknownAuthority(code) ? TO_TRUST : ''}`;
  }
  return /CERT|ISSUER|^ERR_SSL|^ERR_TLS|EPROTO/.test(code)
    ? `no TLS connection to it came about (${code})` : undefined;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // undici's parser gives a code to some of its errors only.
  if (error instanceof Error && error.name === 'HTTPParserError') return error.name;
  return 'cause' in error ? codeOf(error.cause) : '';
}
