/**
 * The upstream does not take the credentials: they are renewed once, if that can be done. The
 * message is for the person who has to reconnect; it names no secret. `details` are for the caller,
 * if the call fails alone: what the upstream has said.
 */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
  readonly details: object | null;

  constructor(message: string, details: object | null = null) {
    super(message);
    this.details = details;
  }
}

/** One call was refused; the connection is as it was: without credentials, or with good ones. */
export class RefusedAlone extends Error {
  override name = 'RefusedAlone';
}
