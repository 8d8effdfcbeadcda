/** The upstream does not take the credentials: they are renewed once, if that can be done. */
export class Unauthorized extends Error {
  /** `message` is for whoever has to reconnect; it names no secret. */
  constructor(message: string) {
    super(message);
    this.name = 'Unauthorized';
  }
}
