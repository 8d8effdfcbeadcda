/**
 * The upstream does not take the credentials: they are renewed once, if that can be done. The
 * message is for the person who has to reconnect; it names no secret.
 */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
}
