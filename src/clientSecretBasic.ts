/**
 * How a client says its id and secret by HTTP Basic: each as a form writes it (RFC 6749, 2.3.1).
 * The library's own way escapes `-`, `_` and `.` too, which a form leaves as they are: servers that
 * compare the texts as they come refused ids and secrets with these.
 */
export function clientSecretBasic(client_secret: string) {
  return (
    _server: unknown, { client_id }: { client_id: string }, _body: unknown, headers: Headers) => {
    const pair = [client_id, client_secret]
      .map((text) => new URLSearchParams({ text }).toString().slice('text='.length));
    headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`);
  };
}
