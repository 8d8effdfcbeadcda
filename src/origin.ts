/** The origin of a server that listens on `host`, as seen from this machine. */
export function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1'
    : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
