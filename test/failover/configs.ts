/** The configuration files of the programs that the trial runs beside Gatehouse. */
import { addressOf, NETWORK } from './network.ts';

export interface Member {
  name: string;
  place: number;
}

/** Where Patroni keeps who is primary: etcd by its old protocol, or by its new one. */
export type Registry = 'etcd' | 'etcd3';

export const PROXY_PORT = 5000;
export const POOLER_PORT = 6432;

/** Arguments of etcd for one member of its cluster. */
export function etcdArguments({ name, place }: Member, members: Member[], folder: string) {
  const url = (at: number, port: number) => `http://${addressOf(at)}:${port}`;
  return [
    `--name=${name}`, `--data-dir=${folder}/etcd`, '--enable-v2=true',
    `--listen-client-urls=${url(place, 2379)}`, `--advertise-client-urls=${url(place, 2379)}`,
    `--listen-peer-urls=${url(place, 2380)}`, `--initial-advertise-peer-urls=${url(place, 2380)}`,
    `--initial-cluster=${members.map((m) => `${m.name}=${url(m.place, 2380)}`).join(',')}`,
    '--initial-cluster-state=new', '--heartbeat-interval=250', '--election-timeout=2500',
  ];
}

/** Patroni with a synchronous standby, and its usual times. */
export function patroniConfig(
  { name, place }: Member, members: Member[], registry: Registry, folder: string): string {
  const address = addressOf(place);
  const login = (user: string) => ({ username: user, password: 'trusted' });
  return JSON.stringify({ // YAML, too
    scope: 'gatehouse', name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    [registry]: { hosts: members.map((member) => `${addressOf(member.place)}:2379`) },
    bootstrap: {
      dcs: {
        // With 20, 2 and 3 the primary resigned while etcd elected a new leader of its own.
        ttl: 30, loop_wait: 10, retry_timeout: 10,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true, use_slots: true,
          parameters: {
            wal_level: 'replica', hot_standby: 'on', max_connections: 150,
            // Or pg_rewind may not find what it needs to bring an old primary back.
            wal_keep_size: '512MB',
            // Or connections of nodes that were cut off hold their locks for two hours.
            tcp_keepalives_idle: 30, tcp_keepalives_interval: 10, tcp_keepalives_count: 3,
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [`host all all ${NETWORK} trust`, `host replication all ${NETWORK} trust`,
        'local all all trust'],
    },
    postgresql: {
      listen: `${address}:5432`, connect_address: `${address}:5432`,
      data_dir: `${folder}/data`, pgpass: `${folder}/pgpass`, bin_dir: '/usr/lib/postgresql/15/bin',
      authentication: {
        superuser: login('postgres'), replication: login('replicator'), rewind: login('postgres'),
      },
      parameters: { unix_socket_directories: folder },
    },
  }, null, 2);
}

/** HAProxy leads to whoever Patroni says is the primary, and cuts connections to who was it. */
export function haproxyConfig(members: Member[], place: number): string {
  return [
    'global', '  maxconn 500',
    'defaults', '  mode tcp', '  timeout connect 2s', '  timeout client 30m',
    '  timeout server 30m', '  option clitcpka', '  clitcpka-idle 30s', '  clitcpka-intvl 10s',
    '  clitcpka-cnt 3',
    'listen primary', `  bind ${addressOf(place)}:${PROXY_PORT}`,
    '  option httpchk OPTIONS /primary', '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...members.map((m) => `  server ${m.name} ${addressOf(m.place)}:5432 check port 8008`),
    '',
  ].join('\n');
}

/** PgBouncer before HAProxy, with a pool whose connections go from hand to hand. */
export function pgbouncerConfig(place: number, folder: string): string {
  return [
    '[databases]',
    `* = host=${addressOf(place)} port=${PROXY_PORT} user=postgres`,
    '[pgbouncer]',
    `listen_addr = ${addressOf(place)}`, `listen_port = ${POOLER_PORT}`,
    'auth_type = any', 'pool_mode = transaction', 'default_pool_size = 20',
    'max_client_conn = 500', 'server_login_retry = 1', 'server_connect_timeout = 3',
    'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout,'
      + ' tcp_keepalives_idle, tcp_keepalives_interval, tcp_keepalives_count',
    `unix_socket_dir = ${folder}`, '',
  ].join('\n');
}
