/** The upstream does not take the credentials: refresh them once, if that can be done. */
export class Unauthorized extends Error {
  /** As that of ActionFailure: an upstream that refuses credentials has got the call. */
  readonly sent: boolean;

  /** Something must be said to whoever has to reconnect; it names no secret. */
  constructor(message: string, { sent = true }: { sent?: boolean } = {}) {
    super(message);
    this.name = 'Unauthorized';
    this.sent = sent;
  }
}
