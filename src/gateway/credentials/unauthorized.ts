/**
 * The upstream does not take the credentials: they are renewed once, if that can be done. The
 * message is for the person who has to reconnect; it names no secret. `details` are for the caller,
 * if the call fails alone: what the upstream has said. So is `otherwise`, a sentence: this call
 * asks for other credentials than the connection's, and that they are refused says nothing of them.
 */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
  readonly details: object | null;
  readonly otherwise: string | null;

  constructor(
    message: string, details: object | null = null, otherwise: string | null = null) {
    super(message);
    this.details = details;
    this.otherwise = otherwise;
  }
}

/** One call was refused; the connection is as it was: without credentials, or with good ones. */
export class RefusedAlone extends Error {
  override name = 'RefusedAlone';
}
