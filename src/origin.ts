/** The origin of a server that listens on `host`, as seen from this machine. */
export function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1'
    : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The path that the service is below, of its public address: `/gatehouse`, or empty. */
export function prefixOf(public_url: string | null): string {
  return public_url === null ? '' : new URL(public_url).pathname.replace(/\/+$/, '');
}

/** Whether two addresses are of one server; all names of this machine count as the same. */
export function isSameOrigin(one: string, other: string): boolean {
  const nameOf = (address: string) => URL.parse(address)?.origin
    .replace(/\/\/(localhost|\[::1\]|127(\.\d+){3})(?=:|$)/, '//localhost');
  return nameOf(one) === nameOf(other);
}

/** Where a client looks for the service if nothing says where it is. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:3000/v1';

/**
 * Whether a secret from elsewhere may be sent to the address that a credentials file names: if
 * somebody has named the place of the file, or the service is looked for there without any file. A
 * file that just lies in the current folder may be somebody else's, as the folder may be.
 */
export function mayTakeSecrets(kept_base_url: string, names_data_dir: boolean): boolean {
  return names_data_dir || isSameOrigin(kept_base_url, DEFAULT_BASE_URL);
}
