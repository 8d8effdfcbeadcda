/**
 * The configurations of docs/proxies.md, each tried with its proxy where that is installed: with
 * TLS left out, and with the addresses of this test.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { ownFolder } from '../scripts/leftovers.ts';
import { runKit } from '../src/contract/kit.ts';
import { freePort } from './support/freePort.ts';
import { listen } from './support/listen.ts';
import { fencesOf } from './support/markdown.ts';
import { testServer, type TestServer } from './support/server.ts';
import { until } from './support/until.ts';

t.setTimeout(300_000);

const PAGE = 'docs/proxies.md';
/** What proxies are known to spoil. */
const TOPICS = ['headers', 'errors', 'streams', 'resume', 'wait', 'cancellation'];
/** More than any proxy takes by itself, and less than a document may have. */
const LARGE_BYTES = 20 * 2 ** 20;
/** Longer than a node takes to its restart; nginx by itself leaves one out for 10 s. */
const FORGIVEN_MS = 8_000;
const PLACES = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const APACHE_MODULES = '/usr/lib/apache2/modules';

interface Place { port: number; folder: string }
interface Proxy {
  program: string;
  /** The language of its fence on the page. */
  language: string;
  /** What of its configuration the page has in other words for below a path. */
  above: RegExp;
  /** Its page's configuration without TLS, as a whole file. */
  whole(text: string, place: Place): string;
  args(file: string, port: number): string[];
}

const PROXIES: readonly Proxy[] = [{
  program: 'nginx', language: 'nginx', above: /^ *location [^]*(?=^}\n)/m,
  whole: (text, { port, folder }) => `daemon off; pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${text.replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *(ssl_certificate|server_name).*\n/gm, '')}
}`,
  args: (file) => ['-c', file, '-e', 'stderr'],
}, {
  program: 'haproxy', language: 'haproxy', above: /^ *http-request deny .*\n/m,
  whole: (text, { port }) => text.replace(/bind :443 .*/, `bind 127.0.0.1:${port}`),
  args: (file) => ['-db', '-f', file],
}, {
  program: 'caddy', language: 'caddy', above: /^[^]*$/,
  whole: (text, { port }) => `{\n  admin off\n}\n${
    text.replace(/^\S+/, `http://127.0.0.1:${port}`)}`,
  args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
}, {
  program: 'apache2', language: 'apache', above: /^ *ProxyPass [^]*<\/Location>\n/m,
  whole: (text, { port, folder }) => `ServerRoot ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/log
Mutex file:${folder}
${['mpm_event', 'authz_core', 'authz_host', 'slotmem_shm', 'proxy', 'proxy_http',
    'proxy_balancer', 'proxy_hcheck', 'lbmethod_byrequests', 'http2']
    .map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so\n`).join('')}
Listen 127.0.0.1:${port}
${text.replace('*:443', `*:${port}`)
    .replaceAll(/^ *SSL.*\n/gm, '')}`,
  args: (file) => ['-DFOREGROUND', '-f', file],
}, {
  program: 'traefik', language: 'yaml', above: /^ {2}routers:[^]*(?=^ {2}services:)/m,
  // What starts it, and the certificates, come before.
  whole: (text) => text.slice(text.indexOf('\nhttp:')).replaceAll(/^ *tls: \{\}\n/gm, '')
    .replaceAll(/Host\(`.*?`\)/g, 'Host(`127.0.0.1`)'),
  args: (file, port) => [`--entryPoints.websecure.address=127.0.0.1:${port}`,
    `--providers.file.filename=${file}`],
}, {
  program: 'envoy', language: 'yml', above: /^ {14}routes:[^]*(?=^ {2}clusters:)/m,
  whole: (text, { port }) => text
    .replace(/^ {4}- transport_socket:[^]*?^ {6}filters:/m, '    - filters:')
    .replace('address: 0.0.0.0, port_value: 443', `address: 127.0.0.1, port_value: ${port}`),
  // Without shared memory, which several on one machine would have in common.
  args: (file) => ['-c', file, '--disable-hot-restart', '--log-level', 'warning'],
}];

function programOf(name: string): string | undefined {
  return PLACES.map((folder) => join(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function whyNot({ program }: Proxy): string | false {
  return process.platform !== 'linux' ? 'it needs a second loopback address'
    : programOf(program) === undefined ? `there is no ${program} here`
    : program === 'apache2' && !existsSync(APACHE_MODULES) && 'its modules are elsewhere';
}

/** What the page shows for a proxy: below a path, if there is one. */
function shownFor({ language, above }: Proxy, path: string): string {
  const shown = fencesOf(PAGE).filter((fence) => fence.language === language)
    .map(({ text }) => text);
  // The last one says what is other below a path.
  const below = shown.pop()!;
  const text = shown.join('');
  return path === '' ? text : text.replace(above, () => below);
}

/** Starts the proxy before these nodes, by the page; answers where the service is behind it. */
async function startProxy(
  t: Test, proxy: Proxy, nodes: TestServer[], path = ''): Promise<string> {
  const folder = await mkdtemp(ownFolder('proxy-'));
  await chmod(folder, 0o711);
  const port = await freePort();
  const [first, second] = nodes.map(({ service }) => new URL(service.base_url).host);
  const text = shownFor(proxy, path)
    .replaceAll('10.0.0.11:3000', first!).replaceAll('10.0.0.12:3000', second!)
    .replaceAll('10.0.0.0/8', '127.0.0.1/32')
    // Envoy has them apart.
    .replaceAll(/address: 10\.0\.0\.1([12]), port_value: 3000/g, (_, which) =>
      `address: 127.0.0.1, port_value: ${(which === '1' ? first : second)!.split(':')[1]}`)
    .replaceAll('10.0.0.0, prefix_len: 8', '127.0.0.1, prefix_len: 32');
  const file = join(folder, 'configuration.yaml');
  await writeFile(file, proxy.whole(text, { port, folder }));
  mkdirSync(join(folder, 'home'));
  const child = spawn(programOf(proxy.program)!, proxy.args(file, port),
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: join(folder, 'home') } });
  let said = '';
  child.stderr.on('data', (data) => { said += data; });
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const address = `http://127.0.0.1:${port}${path}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said);
    return fetch(`${address}/readyz`).then(({ ok }) => ok, () => false);
  });
  return address;
}

/** What the operators' list of workspaces, at this path as it is, is answered at an address. */
async function workspacesFrom(
  localAddress: string, origin: string, path: string, token: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const asking = request({ hostname, port, path, localAddress,
    headers: { Authorization: `Bearer ${token}` } });
  const [answer] = await once(asking.end(), 'response') as [IncomingMessage];
  const said = await text(answer);
  // Where nothing is, Caddy answers 200, and says nothing.
  return said.includes('"object":"list"') ? 'a list' : String(answer.statusCode);
}

/** Below a path nobody comes around what is said of operators, whatever stands before it. */
async function tryBelow(t: Test, proxy: Proxy, nodes: TestServer[]): Promise<void> {
  const address = await startProxy(t, proxy, nodes, '/gatehouse');
  const { origin } = new URL(address);
  const ask = (from: string, path: string) =>
    workspacesFrom(from, origin, path, nodes[0]!.client.admin_token!);
  t.equal(await ask('127.0.0.1', '/gatehouse/v1/admin/workspaces'), 'a list');
  t.equal(await ask('127.0.0.2', '/gatehouse/v1/admin/workspaces'), '403');
  for (const start of ['/gatehouse/', '/', '/x/gatehouse/', '/gatehouse', '/gatehouse/x/../']) {
    for (const rest of ['v1/admin/workspaces', 'v1/%61dmin/workspaces', '/v1/admin/workspaces']) {
      t.not(await ask('127.0.0.2', start + rest), 'a list', `${start}${rest} from elsewhere`);
    }
  }
}

/** Before the next node of a rolling restart stops, the one that is back has to be known again. */
async function tryReturn(t: Test, origin: string, port: number): Promise<void> {
  let asked = 0;
  const back = createServer(({ url }, response) => {
    if (url !== '/readyz') asked += 1;
    response.end();
  });
  await listen(t, back, port);
  const began_ms = performance.now();
  await until(async () => {
    await fetch(`${origin}/healthz`).then((answer) => answer.text());
    return asked > 0;
  });
  const took_ms = Math.round(performance.now() - began_ms);
  t.ok(took_ms < FORGIVEN_MS, `a node that is back is asked again after ${took_ms} ms`);
}

for (const proxy of PROXIES) {
  t.test(`${proxy.program}, as ${PAGE} has it`, { skip: whyNot(proxy) }, async (t) => {
    const one = await testServer(t, { config: { trusted_proxies: '127.0.0.1' } });
    const two = await testServer(t, { database: one, config: one.config });
    const origin = await startProxy(t, proxy, [one, two]);
    const { api_key, admin_token } = one.client;
    const { results } = await runKit({ base_url: `${origin}/v1`, api_key: api_key!, only: TOPICS,
      patience_ms: 60_000, parallel: 4 });
    t.strictSame(results.filter(({ status }) => status === 'failed')
      .map(({ check, reason }) => `${check.name}: ${reason}`), []);

    const document = { openapi: '3.1.0', info: { title: 'Large', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: { '/pets': { get: { responses: { 200: { description: 'Pets' } } } } } };
    const large = await fetch(`${origin}/v1/admin/integrations`, {
      method: 'POST', body: JSON.stringify({ slug: 'large', kind: 'openapi', document })
        + ' '.repeat(LARGE_BYTES),
      headers: { Authorization: `Bearer ${admin_token}`, 'Content-Type': 'application/json' },
    });
    t.equal(large.status, 201, await large.text());
    for (const [from, said] of [['127.0.0.2', '403'], ['127.0.0.1', 'a list']] as const) {
      t.equal(await workspacesFrom(from, origin, '/v1/admin/workspaces', admin_token!), said);
    }
    await tryBelow(t, proxy, [one, two]);

    await two.service.stop();
    const statuses = new Set<number>();
    for (let at = 0; at < 20; at++) {
      const { status } = await fetch(`${origin}/v1/sessions`,
        { method: 'POST', headers: { Authorization: `Bearer ${api_key}` } });
      statuses.add(status);
    }
    t.strictSame([...statuses], [201], 'when a node was stopped');
    await tryReturn(t, origin, Number(new URL(two.service.base_url).port));
  });
}
