/** No usable answer came. The message is for people and models: it names no address. */
export class UpstreamUnreachable extends Error {
  /** Whether the upstream may have got the request: a write may then have happened. */
  reached: boolean;

  constructor(message: string, options: { reached: boolean, cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'UpstreamUnreachable';
    this.reached = options.reached;
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
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  UND_ERR_INVALID_ARG: 'the request cannot be written as HTTP',
};

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

/** Of errors that say it themselves, or whose causes would say the contrary. */
const reachedBy = new WeakMap<object, boolean>();

/** Notes that no connection came about, so that nothing was sent over it. Answers the error. */
export function unconnected<E extends object>(error: E): E {
  reachedBy.set(error, false);
  return error;
}

/** Notes that a request was answered before, by a redirect. Answers the error. */
export function afterAnswer(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) reachedBy.set(error, true);
  return error;
}

/**
 * What a failure of the transport means. It counts as sent unless it is known that there was no
 * connection: a code alone does not say so. ETIMEDOUT and EHOSTUNREACH come to connections in use
 * as well, and with TLS 1.3 a server may refuse the client after it has read the request.
 */
export function unreachable(error: unknown): UpstreamUnreachable {
  const code = codeOf(error);
  if (hasNotLeft(error)) {
    const before = BEFORE_SENDING[code]
      ?? (/CERT|SELF_SIGNED|ISSUER|^ERR_SSL|^ERR_TLS/.test(code)
        ? 'it is not what its certificate has to show' : 'no connection to it came about');
    return new UpstreamUnreachable(before, { reached: false, cause: error });
  }
  // Node calls the errors of Brotli so, one for each way to be wrong.
  const name = code.startsWith('ERR__ERROR_FORMAT') ? 'Z_DATA_ERROR' : code;
  const after = AFTER_SENDING[name]
    ?? (code.startsWith('HPE_') || code === 'HTTPParserError'
      ? 'what it answers is no proper HTTP' : 'the exchange failed');
  return new UpstreamUnreachable(after, { reached: true, cause: error });
}

function hasNotLeft(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const noted = reachedBy.get(error);
  if (noted !== undefined) return !noted;
  if ('syscall' in error && /^(connect|getaddrinfo)$/.test(String(error.syscall))) return true;
  if ('code' in error && /^UND_ERR_(CONNECT_TIMEOUT|INVALID_ARG)$/.test(String(error.code))) {
    return true;
  }
  return 'cause' in error && hasNotLeft(error.cause);
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // undici's parser gives a code to some of its errors only.
  if (error instanceof Error && error.name === 'HTTPParserError') return error.name;
  return 'cause' in error ? codeOf(error.cause) : '';
}
