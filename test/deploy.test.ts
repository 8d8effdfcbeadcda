/**
 * What is there to deploy by: Dockerfile, compose.yaml, and the files of deploy/. Nothing of them
 * can be run here; so they are held to name what exists, and to agree with each other.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, SETTINGS, VERSION } from '../src/config.ts';
import { pages } from '../src/http/pages.ts';
import { SHARED_DIR } from '../src/store/embedded/location.ts';
import { fullName, GAUGES } from '../src/telemetry/metrics.ts';
import { fencesOf } from './support/markdown.ts';
import { filesBelow, read, ROOT } from './support/sourceTree.ts';

/** A document as it is written: a member that it lacks fails the test that asks for it. */
type Tree = any;

const variables = new Set<string>(
  Object.values(SETTINGS).flatMap((setting): string[] =>
    [setting.variable, ...('aliases' in setting ? setting.aliases : [])]));
/** What programs beside ours read. */
const OF_OTHERS = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', 'POSTGRES_PASSWORD', 'POSTGRES_USER',
  'POSTGRES_DB']);
const unknown = (names: Iterable<string>) =>
  [...names].filter((name) => !variables.has(name) && !OF_OTHERS.has(name));
const served = pages(async () => [], undefined, async () => ({} as never));

const dockerfile = read('Dockerfile').replaceAll(/\\\n/g, ' ').replaceAll(/^#.*\n/gm, '');
const image = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
const words = (instruction: string) => new RegExp(`^${instruction} (.*)$`, 'm').exec(image)![1]!;
const image_variables = Object.fromEntries(
  words('ENV').split(' ').map((pair) => pair.split('=') as [string, string]));
const compose: Tree = parse(read('compose.yaml'));
const MANIFESTS = 'deploy/kubernetes/';
const kustomization: Tree = parse(read(`${MANIFESTS}kustomization.yaml`));
const manifests: Tree[] = kustomization.resources.flatMap((file: string) =>
  parseAllDocuments(read(MANIFESTS + file)).map((document) => document.toJS()));
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment');
const { engines } = JSON.parse(read('package.json'));
const [major] = /\d+/.exec(engines.node)!;

t.test('the image: what is started exists, by a user that is not root', async (t) => {
  t.strictSame([...dockerfile.matchAll(/^FROM \S*node(?:js|:)(\d+)/gm)].map(([, found]) => found),
    [major, major, major], 'of the Node that package.json asks for');
  t.match(words('FROM'), /distroless.*:nonroot$/);
  t.match(words('USER'), /^[1-9]\d*:[1-9]\d*$/);
  t.strictSame(unknown(Object.keys(image_variables)), []);
  const [, ...entry] = JSON.parse(words('ENTRYPOINT'));
  const program = entry.at(-1).replace(`${words('WORKDIR')}/dist/service/`, '');
  t.ok(existsSync(join(ROOT, program.replace(/js$/, 'ts'))), program);
  t.match(read('bin/gatehouse'), `$package/dist/service/${program}`, 'as the command starts it');
  t.equal(words('EXPOSE'), image_variables.PORT);
  t.ok(served.has(/1:\$\{process\.env\.PORT\}(\/\w+)`/.exec(image)![1]!), 'its health is asked');
  for (const [, given] of dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
    t.strictSame(given!.split(' ').filter((path) => !existsSync(join(ROOT, path))), []);
  }
  const excluded = read('.dockerignore').split('\n');
  t.notOk(['src', 'scripts', 'generated', 'docs', 'bin'].some((name) => excluded.includes(name)));
});

t.test('compose: known settings, one version, a read-only root', async (t) => {
  const { gatehouse, database } = compose.services;
  t.strictSame(unknown([...Object.keys(gatehouse.environment),
    ...Object.keys(database.environment),
    ...[...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)]), []);
  t.equal(gatehouse.image, `gatehouse:${VERSION}`);
  t.match(gatehouse.ports, [`127.0.0.1:3000:${image_variables.PORT}`]);
  t.strictSame(gatehouse.volumes, [`data:${image_variables.GATEHOUSE_DATA_DIR}`]);
  t.match(gatehouse, { read_only: true, cap_drop: ['ALL'], env_file: [{ path: '.env' }] });
  t.ok(parseInt(gatehouse.stop_grace_period) * 1_000 > 2 * SETTINGS.drain_ms.fallback);
  t.strictSame(Object.keys(compose.volumes), ['data', 'database']);
});

t.test('compose: the service starts once the database that it names answers', async (t) => {
  const { gatehouse, database } = compose.services;
  t.strictSame(gatehouse.depends_on, { database: { condition: 'service_healthy' } });
  const { POSTGRES_USER: user, POSTGRES_DB: name } = database.environment;
  const password = '${POSTGRES_PASSWORD:?see docs/deploying.md}';
  t.equal(database.environment.POSTGRES_PASSWORD, password);
  t.equal(gatehouse.environment.DATABASE_URL, `postgres://${user}:${password}@database/${name}`);
  const { test, interval, timeout, retries } = database.healthcheck;
  // Not by the socket, on which the server that makes the database listens before there is one.
  t.strictSame(test, ['CMD', 'pg_isready', '--host=127.0.0.1', `--username=${user}`]);
  const [every_s, limit_s] = [interval, timeout].map((text) => Number(/^(\d+)s$/.exec(text)![1]));
  t.ok(every_s! <= 5 && limit_s! > 0, 'it is seen soon');
  t.ok(every_s! * retries >= 60, 'and waited for where a disk is slow');
  t.match(database.image, /^postgres:(1[5-9]|[2-9]\d)$/, 'one that the service runs on');
  t.strictSame(database.volumes, ['database:/var/lib/postgresql'], 'what it stores stays');
  const told = read('docs/deploying.md').replaceAll(/\\\n */g, '');
  const backup = [...told.matchAll(
    /exec (?:-T )?database \w+ .*--username=(\w+).*?(\w+)(?: [<>].*)?$/gm)];
  t.strictSame(backup.map(([, ...named]) => named), Array(4).fill([user, name]),
    'a dump and its restore name user and database as they are');
});

t.test('every manifest is listed, and selects what there is', async (t) => {
  t.strictSame(filesBelow(MANIFESTS).map((path) => path.slice(MANIFESTS.length))
    .filter((file) => !/^(kustomization|prometheus-adapter)\.yaml$/.test(file)),
  kustomization.resources);
  t.strictSame(kustomization.images, [{ name: 'gatehouse', newTag: VERSION }]);
  const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
  const selects = (selected: object) => labels.some((one) =>
    Object.entries(selected).every(([key, value]) => one[key] === value));
  for (const { kind, spec } of manifests) {
    const { selector, scaleTargetRef: target } = spec;
    if (selector) t.ok(selects(selector.matchLabels ?? selector), kind);
    if (target) t.ok(deployments.some(({ metadata }) => metadata.name === target.name), kind);
  }
  t.strictSame(ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name),
    deployments.map(({ metadata }) => metadata.name));
});

t.test('pods: known settings and pages, nothing to write to, and time to stop', async (t) => {
  const given = kustomization.configMapGenerator[0].literals.map((one: string) =>
    one.split('=')[0]);
  t.strictSame(unknown(given), []);
  for (const { spec: { template: { metadata, spec } } } of deployments) {
    const [container] = spec.containers;
    t.strictSame(unknown(container.env.map(({ name }: Tree) => name)), []);
    t.strictSame(container.envFrom.map((from: Tree) => Object.values<Tree>(from)[0].name),
      [kustomization.configMapGenerator[0].name, 'gatehouse']);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      t.ok(served.has(container[probe].httpGet.path), probe);
      t.equal(container[probe].httpGet.port, container.ports[0].name);
    }
    t.equal(String(container.ports[0].containerPort), image_variables.PORT);
    t.ok(served.has(metadata.annotations['prometheus.io/path']));
    t.equal(metadata.annotations['prometheus.io/port'], image_variables.PORT);
    t.equal(container.volumeMounts[0].mountPath, image_variables.GATEHOUSE_DATA_DIR);
    t.match(container.securityContext, { readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
    t.match(spec, { enableServiceLinks: false, securityContext: { runAsNonRoot: true } });
    t.equal(`${spec.securityContext.fsGroup}`, words('USER').split(':')[1]);
    t.ok(spec.terminationGracePeriodSeconds * 1_000 > 2 * SETTINGS.drain_ms.fallback + 5_000);
  }
  const role = ({ spec }: Tree) => spec.template.spec.containers[0].env[0].value;
  t.strictSame(deployments.map(role), ['api', 'worker']);
});

t.test('autoscalers: metrics of the service, which the adapter hands over', async (t) => {
  const gauges = new Set((Object.keys(GAUGES) as (keyof typeof GAUGES)[]).map(fullName));
  const adapter: Tree = parse(read(`${MANIFESTS}prometheus-adapter.yaml`));
  const names = (rules: Tree[]) => rules.map(({ seriesQuery }) => /^\w+/.exec(seriesQuery)![0]);
  const workers = ofKind('HorizontalPodAutoscaler').find(({ metadata }) =>
    metadata.name === 'gatehouse-worker');
  const asked = (type: string): Tree[] => workers.spec.metrics.filter((one: Tree) =>
    one.type === type);
  const external = asked('External').map((one) => one.external.metric.name);
  const [pods] = asked('Pods').map((one) => one.pods);
  t.strictSame(names(adapter.rules.external), external);
  t.strictSame(names(adapter.rules.custom), [pods.metric.name]);
  t.strictSame([...external, pods.metric.name].filter((name) => !gauges.has(name)), []);
  const [, concurrency] = deployments[1].spec.template.spec.containers[0].env;
  t.equal(Number(pods.target.averageValue), 0.75 * concurrency.value);
});

t.test('the pages count the connections of a node as it has them, and of all pods', async (t) => {
  // Besides, a node listens; a worker has its lock too, and what keeps its lease while it is busy.
  const [api, worker] = [1, 3].map((beside) => SETTINGS.database_connections.fallback + beside);
  const most = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.maxReplicas);
  const surge = deployments.map(({ spec }) => spec.strategy.rollingUpdate.maxSurge);
  const taken = (most[0] + surge[0]) * api! + (most[1] + surge[1]) * worker!;
  t.strictSame(surge, [1, 1], 'of which the page says "two more"');
  t.match(read('docs/deploying.md').replaceAll(/\s+/g, ' '), `${most[0] + most[1]} pods at most,`
    + ` and two more while both roles are rolled out, take ${taken} of the database's`
    + ` \`max_connections\`, ${worker} a worker, ${api} an API node`);
  t.match(read('docs/postgresql.md'),
    `: ${worker} connections serve thousands of clients. Twenty nodes need ${20 * worker!} `);
  t.match(read('docs/configuration.md'), 'besides, a node holds up to three.');
});

t.test('the proxy: documents have room, and admin operations an access of their own', async (t) => {
  const { text } = fencesOf('docs/proxies.md').find(({ language }) => language === 'nginx')!;
  const [, server, admin] =
    /^server \{\n([^]*?) location \/v1\/admin\/ \{([^]*?)\}/m.exec(text) ?? [];
  const [, most_mb] = /client_max_body_size (\d+)m;/.exec(server!)!;
  t.ok(Number(most_mb) * 1_048_576 > readConfig({}).document_limit_bytes,
    'what is too large, the service refuses in its own words');
  t.match(admin, /allow .*;[^]*\n +deny all;/);
});

t.test('the unit: known settings, and the command where npm puts it', async (t) => {
  const unit = read('deploy/gatehouse@.service');
  const set = /^Environment=(.*)$/m.exec(unit)![1]!.split(' ').map((pair) => pair.split('=')[0]!);
  t.strictSame(unknown(set), []);
  const [, prefix] = /^ExecStart=(\S+)\/bin\/gatehouse serve$/m.exec(unit)!;
  t.match(read('docs/deploying.md'), `npm install --global --prefix ${prefix} `);
  t.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) * 1_000 > 2 * SETTINGS.drain_ms.fallback);
  t.notMatch(unit, /^MemoryDenyWriteExecute/m, 'V8 could not compile');
  const [, state] = /^StateDirectory=(.+)$/m.exec(unit)!;
  t.notOk(`${SHARED_DIR}/`.startsWith(`/var/lib/${state}/`), 'all that is there becomes its own');
  const [, head] = /\[Unit\]\n([^]*?)\n\[Service\]/.exec(unit)!;
  t.match(head, /^StartLimitIntervalSec=0$/m, 'it starts again however long the database is away');
});

t.test('a command in a pod is the entry point of the image, of deployments that there are', (t) => {
  const page = read('docs/deploying.md');
  const entry: string[] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(read('Dockerfile'))![1]!);
  t.match(page, `\\\n    ${entry.join(' ')} keys rotate-master\n`);
  const named = new Set([...page.matchAll(/\bdeployment\/([\w-]+)/g)].map(([, name]) => name));
  const there = ['api', 'worker'].map((role) => read(`deploy/kubernetes/${role}.yaml`))
    .map((manifest) => /kind: Deployment\nmetadata: \{ name: (\S+) \}/.exec(manifest)![1]);
  t.strictSame([...named].sort(), there);
  t.end();
});

t.test('the page names settings that there are', async (t) => {
  const named = read('docs/deploying.md').matchAll(/\b(GATEHOUSE_[A-Z_]+|[A-Z]+_URL)\b/g);
  const client = new Set(['GATEHOUSE_BASE_URL']);
  t.strictSame(unknown([...named].map(([name]) => name)).filter((name) => !client.has(name)), []);
});
