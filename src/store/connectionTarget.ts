/**
 * Where a PostgreSQL URL points. postgres.js sends every parameter it does not know to the server,
 * which then refuses the connection; the parameters that libpq and psql know are taken out here,
 * so that one URL works for both.
 */
export type Address = { host: string; port: number } | { path: string };

const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
/** As in libpq; without one, TLS is not tried. */
export type TlsMode = (typeof TLS_MODES)[number];

export interface ConnectionTarget {
  /** The URL without the parameters that are answered below. */
  url: string;
  /** Null when the URL names several hosts; then TLS stays in the URL too. */
  address: Address | null;
  tls: TlsMode;
  /** A file with the certificates of the authorities to trust. */
  ca_path?: string;
  user?: string;
  password?: string;
  database?: string;
  connect_timeout_s?: number;
}

// Meant for libpq or for other drivers; neither postgres.js nor the server knows them.
const FOREIGN_PARAMETERS = ['channel_binding', 'gssencmode', 'passfile', 'pgbouncer', 'schema'];
const DEFAULT_PORT = 5432;

/** Reads a postgres:// or postgresql:// URL. Throws an Error that does not repeat the password. */
export function connectionTarget(text: string): ConnectionTarget {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new Error('The database URL does not begin with postgres:// or postgresql://.'
      + ' Set DATABASE_URL to postgres://user:password@host:5432/database.');
  }
  const [base = '', query = ''] = splitAt(text, text.indexOf('?'));
  const parameters = new URLSearchParams(query);
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined;
    parameters.delete(name);
    return value === '' ? undefined : value;
  };
  for (const name of FOREIGN_PARAMETERS) parameters.delete(name);
  const host = take('host');
  const port = take('port');
  const timeout_s = Number(take('connect_timeout'));
  const address = addressOf(base, host, port);
  const target = {
    ...(address === null ? { tls: 'disable' as const } : tlsOf(take)),
    user: take('user'), password: take('password'), database: take('dbname'),
    ...(timeout_s > 0 ? { connect_timeout_s: timeout_s } : {}),
  };
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  // A socket's path in the place of the host is no host name that postgres.js could read.
  const readable = address && 'path' in address
    ? base.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/]*/, '$1localhost') : base;
  return { url: readable + rest, address, ...target };
}

function addressOf(base: string, host: string | undefined, port: string | undefined) {
  const authority = base.replace(/^\w+:\/\//, '').split('/')[0]!;
  if (host === undefined && authority.includes(',')) return null;
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    throw new Error('The database URL cannot be read. A password with characters such as'
      + ' @ / ? # % must be percent-encoded: postgres://user:p%40ss@host:5432/database.');
  }
  const named = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const name = host ?? (named || 'localhost');
  const number = Number(port ?? (url.port || DEFAULT_PORT));
  return name.startsWith('/')
    ? { path: `${name}/.s.PGSQL.${number}` } : { host: name, port: number };
}

function tlsOf(take: (name: string) => string | undefined): { tls: TlsMode; ca_path?: string } {
  const root = take('sslrootcert');
  const given = take('sslmode') ?? take('ssl');
  const aliases: Record<string, TlsMode> = {
    false: 'disable', true: 'verify-full', allow: 'prefer', 'no-verify': 'require',
  };
  const tls = root === 'system' ? 'verify-full'
    : aliases[given ?? 'false'] ?? TLS_MODES.find((mode) => mode === given);
  if (tls === undefined) {
    throw new Error(`the sslmode of the database URL must be one of ${TLS_MODES.join(', ')}.`);
  }
  return root === undefined || root === 'system' ? { tls } : { tls, ca_path: root };
}

function splitAt(text: string, index: number): string[] {
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
