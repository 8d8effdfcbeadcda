/** Where a server that listens on `host` is asked from this machine, without a path. */
export function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1'
    : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
