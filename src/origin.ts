/** The origin of a server that listens on `host`, as seen from this machine. */
export function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1'
    : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Whether two addresses are of one server; all names of this machine count as the same. */
export function isSameOrigin(one: string, other: string): boolean {
  const nameOf = (address: string) => URL.parse(address)?.origin
    .replace(/\/\/(localhost|\[::1\]|127(\.\d+){3})(?=:|$)/, '//localhost');
  return nameOf(one) === nameOf(other);
}
