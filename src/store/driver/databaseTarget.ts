/**
 * Where a PostgreSQL URL points. postgres.js sends every parameter it does not know to the server,
 * which then refuses the connection; the parameters that libpq and psql know are taken out here,
 * so that one URL works for both.
 */
export type Address = { host: string; port: number } | { path: string };

/** An address as people write it. */
export function placeOf(address: Address): string {
  return 'path' in address ? address.path : `${address.host}:${address.port}`;
}

const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
/** As in libpq; without one, TLS is not tried. */
export type TlsMode = (typeof TLS_MODES)[number];

/** Files in PEM; the key may be sealed by a passphrase. */
export interface ClientCertificate { cert_path: string; key_path: string; passphrase?: string }

export interface DatabaseTarget {
  /** The URL without the hosts and the parameters that are answered below. */
  url: string;
  /** One or more, to be tried in this order. */
  addresses: Address[];
  /** Whether a server that takes no writes is passed over. */
  primary_only: boolean;
  tls: TlsMode;
  /** A file with the certificates of the authorities to trust. */
  ca_path?: string;
  /** By which the server knows the role, where it asks for a certificate. */
  client?: ClientCertificate;
  user?: string;
  password?: string;
  database?: string;
  connect_timeout_s?: number;
  /** Whether statements are prepared under names, where the URL says it. */
  prepare?: boolean;
}

// Meant for libpq or for other drivers; neither postgres.js nor the server knows them.
const FOREIGN_PARAMETERS = ['gssencmode', 'keepalives', 'keepalives_count',
  'keepalives_idle', 'keepalives_interval', 'passfile', 'pgbouncer', 'schema', 'sslcompression',
  'sslnegotiation', 'sslsni', 'tcp_user_timeout'];
const DEFAULT_PORT = 5432;

/** Reads a postgres:// or postgresql:// URL. Throws an Error that does not repeat the password. */
export function databaseTarget(text: string): DatabaseTarget {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new Error('The database URL does not begin with postgres:// or postgresql://.'
      + ' Set DATABASE_URL to postgres://user:password@host:5432/database.');
  }
  const [base = '', query = ''] = splitAt(text, text.indexOf('?'));
  // They are no form's: to libpq a + is no space.
  const parameters = new URLSearchParams(query.replaceAll('+', '%2B'));
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined;
    parameters.delete(name);
    return value === '' ? undefined : value;
  };
  for (const name of FOREIGN_PARAMETERS) parameters.delete(name);
  const host = take('host');
  const port = take('port');
  const timeout_s = Number(take('connect_timeout'));
  const prepare = take('prepare');
  const target = {
    addresses: addressesOf(base, host, port),
    primary_only: primaryOnly(take('target_session_attrs')),
    ...tlsOf(take), ...clientOf(take),
    user: take('user'), password: take('password'), database: take('dbname') ?? nameIn(base),
    ...(timeout_s > 0 ? { connect_timeout_s: timeout_s } : {}),
    ...(prepare === undefined ? {} : { prepare: prepare === 'true' }),
  };
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  return { url: readable(base) + rest, ...target };
}

const AUTHORITY = /^(\w+:\/\/(?:[^@/]*@)?)([^/]*)/;

/** The URL with one host: a reader of URLs takes neither several hosts nor a socket's path. */
function readable(base: string): string {
  const url = base.replace(AUTHORITY, '$1localhost');
  try {
    decodeURIComponent(new URL(url).password);
    return url;
  } catch {
    throw unreadable();
  }
}

/** The name of the database; postgres.js would not decode it. */
function nameIn(base: string): string | undefined {
  const path = base.replace(AUTHORITY, '').slice(1);
  return path === '' ? undefined : decoded(path);
}

function addressesOf(base: string, host: string | undefined, port: string | undefined): Address[] {
  const authority = (AUTHORITY.exec(base)?.[2] ?? '').split(',').map(hostAndPort);
  // A path is one place: its folders may have commas in their names.
  const named = host?.startsWith('/') ? [host] : host?.split(',');
  const hosts = named?.map((name) => ({ name, port: authority[0]!.port })) ?? authority;
  const ports = port?.split(',') ?? [];
  return hosts.map(({ name, port: own }, index) => {
    // As libpq: a port for each host, or one for all.
    const number = Number(ports[index] ?? ports[0] ?? own ?? DEFAULT_PORT);
    if (!(number > 0 && number < 65_536)) throw unreadable();
    return name.startsWith('/')
      ? { path: `${name}/.s.PGSQL.${number}` } : { host: name || 'localhost', port: number };
  });
}

function hostAndPort(text: string): { name: string; port: string | undefined } {
  const written = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text);
  if (!written) throw unreadable();
  const name = decoded(written[1]!).replace(/^\[(.*)\]$/, '$1');
  return { name, port: written[2] || undefined };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable();
  }
}

function unreadable(): Error {
  return new Error('The database URL cannot be read. A password with characters such as'
    + ' @ / ? # % must be percent-encoded: postgres://user:p%40ss@host:5432/database.');
}

function primaryOnly(attributes: string | undefined): boolean {
  if (attributes === undefined || attributes === 'any') return false;
  if (attributes === 'primary' || attributes === 'read-write') return true;
  throw new Error('the target_session_attrs of the database URL must be primary, read-write or'
    + ' any: gatehouse writes.');
}

function tlsOf(take: (name: string) => string | undefined): { tls: TlsMode; ca_path?: string } {
  const root = take('sslrootcert');
  const given = take('sslmode') ?? take('ssl');
  const bound = take('channel_binding') === 'require';
  const aliases: Record<string, TlsMode> = {
    false: 'disable', true: 'verify-full', allow: 'prefer', 'no-verify': 'require',
  };
  const tls = root === 'system' ? 'verify-full'
    : aliases[given ?? 'false'] ?? TLS_MODES.find((mode) => mode === given);
  if (tls === undefined) {
    throw new Error(`the sslmode of the database URL must be one of ${TLS_MODES.join(', ')}.`);
  }
  const ca_path = root === 'system' ? undefined : root;
  // As libpq does: who names certificates wants the server's to be looked at.
  const asked = given === 'require' && ca_path !== undefined ? 'verify-ca' : tls;
  // The driver binds to no channel. Who requires it wants nobody between here and the server.
  const unproven = bound && !asked.startsWith('verify-');
  return { tls: unproven ? 'verify-full' : asked, ...(ca_path === undefined ? {} : { ca_path }) };
}

function clientOf(take: (name: string) => string | undefined): { client?: ClientCertificate } {
  const [cert_path, key_path, passphrase] = ['sslcert', 'sslkey', 'sslpassword'].map(take);
  if (cert_path === undefined && key_path === undefined) return {};
  if (cert_path === undefined || key_path === undefined) {
    throw new Error('sslcert and sslkey of the database URL go together: the certificate of the'
      + ' role, and its key.');
  }
  return { client: { cert_path, key_path, ...(passphrase === undefined ? {} : { passphrase }) } };
}

function splitAt(text: string, index: number): string[] {
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
