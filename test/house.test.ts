/** The house rules of CONTRIBUTING.md, checked. Each subtest lists what breaks its rule. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test as Tap } from 'tap';
import { filesBelow, reachable, read, readSource, ROOT } from './support/sourceTree.ts';

const LINE_CHARACTERS = 100;
const FUNCTION_LINES = 70;
const FILE_LINES = 400;

const paths = ['src', 'test', 'scripts', 'generated'].flatMap((folder) =>
  filesBelow(folder).filter((path) => /\.[jt]sx?$/.test(path)));
const sources = new Map(paths.map((path) => [path, readSource(path)]));
const all = [...sources.values()];
const ours = all.filter(({ path }) => !path.startsWith('generated/'));

/** What each room may import besides itself and generated/. A leaf is a file directly in src. */
const MAY_IMPORT: Record<string, string[]> = {
  main: ['service', 'cli', 'mock'],
  cli: ['contract', 'leaf'],
  contract: [],
  mock: ['service', 'http', 'operations', 'accounts', 'runs', 'models', 'gateway', 'store',
    'telemetry', 'leaf'],
  service: ['http', 'operations', 'mcp', 'overview', 'accounts', 'runs', 'models', 'gateway',
    'audit', 'store', 'telemetry', 'doctor', 'leaf'],
  doctor: ['models', 'gateway', 'accounts', 'store', 'leaf'],
  http: ['operations', 'mcp', 'runs', 'gateway', 'docs', 'telemetry', 'leaf'],
  docs: ['leaf'],
  mcp: ['gateway', 'leaf'],
  operations: ['overview', 'accounts', 'runs', 'models', 'gateway', 'store', 'leaf'],
  overview: ['store', 'leaf'],
  accounts: ['gateway', 'audit', 'store', 'leaf'],
  runs: ['models', 'gateway', 'audit', 'store', 'telemetry', 'leaf'],
  models: ['leaf'],
  gateway: ['audit', 'store', 'telemetry', 'leaf'],
  audit: ['store', 'leaf'],
  store: ['telemetry', 'leaf'],
  telemetry: ['leaf'],
  dashboard: [],
  leaf: ['fixed'],
  fixed: [],
};

/** Who alone may import these packages: the folder that begins the path. */
const OWNER: Record<string, string | string[]> = {
  postgres: 'src/store/driver/', polka: 'src/http/', 'openapi-backend': 'src/http/',
  // To integrations it goes guarded; the models' addresses are the operator's own.
  undici: ['src/gateway/egress/', 'src/models/untimedFetch.ts'], 'ipaddr.js': 'src/gateway/egress/',
  // Accounts of other services that agents use, and people who sign in here.
  'openid-client': ['src/gateway/credentials/', 'src/accounts/oidc'],
  '@modelcontextprotocol/client': 'src/gateway/mcp/',
  '@modelcontextprotocol/server': 'src/mcp/',
  '@ai-sdk/': 'src/models/', '@opentelemetry/': 'src/telemetry/',
  '@stoplight/prism-cli': 'src/mock/',
  yaml: 'src/gateway/openapi/', '@scalar/openapi-upgrader': 'src/gateway/openapi/',
  re2js: 'src/gateway/schema/',
  minisearch: 'src/docs/', '@scalar/fastify-api-reference': 'src/docs/',
  react: 'src/dashboard/', 'react-dom': 'src/dashboard/', '@tanstack/': 'src/dashboard/',
  '@base-ui/': 'src/dashboard/',
};

/** The rooms inside the gateway, in the same way. Its own files put the rooms together. */
const GATEWAY_MAY_IMPORT: Record<string, string[]> = {
  gateway: ['access', 'integrations', 'builtin', 'calls', 'catalogue', 'openapi', 'mcp',
    'credentials', 'vault', 'egress', 'embeddings', 'action'],
  integrations: ['calls', 'openapi', 'mcp', 'catalogue', 'credentials', 'egress', 'action'],
  access: [],
  builtin: ['openapi', 'catalogue', 'schema', 'action'],
  calls: ['catalogue', 'credentials', 'egress', 'schema', 'action'],
  openapi: ['credentials', 'egress', 'schema', 'threads', 'action'],
  mcp: ['credentials', 'vault', 'egress', 'schema', 'threads', 'action'],
  catalogue: ['embeddings', 'action'],
  embeddings: ['action'],
  credentials: ['vault', 'action'],
  vault: [],
  egress: [],
  schema: [],
  threads: [],
  action: ['egress'],
};

function roomOf(path: string): string {
  const [, room] = path.split('/');
  if (['main.ts', 'service.ts', 'fixed.ts'].includes(room!)) return room!.slice(0, -3);
  return room!.endsWith('.ts') ? 'leaf' : room!;
}

function gatewayRoomOf(path: string): string {
  const [, , room] = path.split('/');
  return room!.endsWith('.ts') ? 'gateway' : room!;
}

t.test('imports point down', async (t) => {
  const inSrc = all.filter(({ path }) => path.startsWith('src/'));
  t.strictSame(inSrc.flatMap(({ path, files }) => files
    .filter((file) => !/^(src|generated)\//.test(file))
    .map((file) => `${path} imports ${file}`)), []);
  holdRules(t, inSrc, 'src/', roomOf, MAY_IMPORT);
});

t.test('nobody imports past the face of the gateway', async (t) => {
  const outside = all.filter(({ path }) => path.startsWith('src/')
    && !path.startsWith('src/gateway/'));
  t.strictSame(outside.flatMap(({ path, files }) => files
    .filter((file) => file.startsWith('src/gateway/') && file !== 'src/gateway/face.ts')
    .map((file) => `${path} imports ${file}`)), []);
});

t.test('imports point down inside the gateway', async (t) => {
  const inGateway = all.filter(({ path }) => path.startsWith('src/gateway/'));
  holdRules(t, inGateway, 'src/gateway/', gatewayRoomOf, GATEWAY_MAY_IMPORT);
});

t.test('the architecture tells of every room and every leaf', async (t) => {
  const page = read('docs/architecture.md');
  const named = ours.map(({ path }) => /^src\/([^/]+\/|[^/]+\.ts$)/.exec(path)?.[0])
    .filter((name) => name !== undefined);
  t.strictSame([...new Set(named)].filter((name) => !page.includes(`\`${name}\``)), []);
});

const DASHBOARD_FILES = 60;
const DASHBOARD_FILE_LINES = 300;

t.test('the dashboard: few short files; its screens know no other screen', async (t) => {
  const below = 'src/dashboard/';
  const inDashboard = all.filter(({ path }) => path.startsWith(below));
  t.ok(inDashboard.length <= DASHBOARD_FILES, `${inDashboard.length} files`);
  t.strictSame(inDashboard.filter(({ lines }) => lines.length - 1 > DASHBOARD_FILE_LINES)
    .map(({ path, lines }) => `${path} has ${lines.length - 1}`), []);
  const room = (path: string) => path.split('/')[2]!;
  const shared: Record<string, string[]> = { kit: [], data: [], frame: ['kit', 'data'] };
  const mayImport = (from: string) => shared[from] ?? ['kit', 'data', 'frame'];
  t.strictSame(inDashboard.filter(({ path }) => path.split('/').length > 3)
    .flatMap(({ path, files }) => files
      .filter((file) => room(file) !== room(path) && !mayImport(room(path)).includes(room(file)))
      .map((file) => `${path} imports ${file}`)), []);
  t.strictSame(inDashboard.filter(({ lines }) =>
    lines.some((line) => /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/.test(line)))
    .map(({ path }) => path), [], 'text is only ever text');
  t.strictSame(inDashboard.filter(({ path, lines }) => room(path) !== 'kit'
    && lines.some((line) => line.includes('<bdi'))).map(({ path }) => path), [],
  'names of others are shown by kit/exact.tsx, with marks where they deceive');
});

t.test('no file imports itself over others, not even for a type', async (t) => {
  const inSrc = all.filter(({ path }) => path.startsWith('src/'));
  t.strictSame(inSrc.filter(({ path, files }) => reachable(sources, files).has(path))
    .map(({ path }) => path), []);
});

/** Nobody imports what the rules do not allow, and the rules allow nothing that nobody imports. */
function holdRules(
  t: Tap, sources: typeof all, below: string, room: (path: string) => string,
  rules: Record<string, string[]>): void {
  const imports = sources.flatMap(({ path, files }) => files
    .filter((file) => file.startsWith(below))
    .map((file) => ({ path, file, from: room(path), to: room(file) })))
    .filter(({ from, to }) => from !== to || from === 'leaf');
  t.strictSame(imports.filter(({ from, to }) => !rules[from]?.includes(to))
    .map(({ path, file }) => `${path} imports ${file}`), []);
  t.strictSame(Object.entries(rules).flatMap(([from, allowed]) => allowed
    .filter((to) => !imports.some((one) => one.from === from && one.to === to))
    .map((to) => `${from} → ${to}`)), [], 'what nobody uses is not allowed');
  t.strictSame([...new Set(sources.map(({ path }) => room(path)))].sort(),
    Object.keys(rules).sort(), 'every room has its rule, and every rule its room');
  t.strictSame(Object.entries(rules).flatMap(([from, allowed]) => allowed
    .filter((to) => rules[to]?.includes(from)).map((to) => `${from} ↔ ${to}`)), [],
  'no two rooms import each other');
}

/** Functions of the store that change nothing, and constants. */
const READS = /^((get|list|page|count|verify)[A-Z]|[A-Z_]+$)/;

t.test('operations translate: transactions and changes live below them', async (t) => {
  const inOperations = all.filter(({ path }) => path.startsWith('src/operations/'));
  const texts = inOperations.map(({ path, lines }) => ({ path, text: lines.join('\n') }));
  t.strictSame(texts.filter(({ text }) => /\bbegin\b|\b(sql|tx)`/.test(text))
    .map(({ path }) => path), [], 'a transaction, or a statement');
  const imports = texts.flatMap(({ path, text }) => [...text.matchAll(
    /^import \{([^}]*)\} from '\.\.\/store\/(\w+)\.ts'/gm)].flatMap(([, names, file]) =>
    names!.split(',').map((name) => ({ path, file, name: name.trim() }))));
  t.ok(imports.length > 10, 'imports are found');
  t.strictSame(imports
    .filter(({ name }) => name !== '' && !name.startsWith('type ') && !READS.test(name))
    // A request's key commits with what the request makes: `once` asks the store for both.
    .filter(({ path, file }) =>
      path !== 'src/operations/idempotency.ts' || file !== 'idempotencyKeys')
    .map(({ path, file, name }) => `${path} has ${name} of ${file}`), []);
  t.strictSame(texts.filter(({ text }) => /import \* as .*\/store\//.test(text))
    .map(({ path }) => path), [], 'the store by name, so that this can be read');
});

t.test('generated files follow from the document alone', async (t) => {
  t.strictSame(all.filter(({ path }) => path.startsWith('generated/'))
    .flatMap(({ path, files }) => files.filter((file) => !file.startsWith('generated/'))
      .map((file) => `${path} imports ${file}`)), []);
});

t.test('a package is known to one room only', async (t) => {
  const inSrc = all.filter(({ path }) => path.startsWith('src/'));
  t.strictSame(inSrc.flatMap(({ path, packages }) => packages
    .filter((name) => {
      const owner = OWNER[name] ?? OWNER[name.replace(/\/.*/, '/')];
      return owner !== undefined && ![owner].flat().some((one) => path.startsWith(one));
    })
    .map((name) => `${path} imports ${name}`)), []);
});

t.test('the driver knows leaves alone, and nobody but the store knows it', async (t) => {
  const driver = 'src/store/driver/';
  t.strictSame(all.filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, files }) => files
      .filter((file) => path.startsWith(driver)
        ? !file.startsWith(driver) && roomOf(file) !== 'leaf'
        : file.startsWith(driver) && !path.startsWith('src/store/'))
      .map((file) => `${path} imports ${file}`)), []);
});

t.test('the environment is read in src/config.ts alone', async (t) => {
  t.strictSame(all.filter(({ path }) => path.startsWith('src/') && path !== 'src/config.ts')
    .filter(({ lines }) => lines.some((line) => line.includes('process.env')))
    .map(({ path }) => path), []);
});

/** What needs a service of this checkout to look at. */
const STARTS_A_SERVICE = /^test\/contract\/((service|mock)\.test\.ts$|kit\/)/;

t.test('the contract suite knows the service by HTTP alone', async (t) => {
  const suite = reachable(sources, paths.filter((path) =>
    path.startsWith('test/contract/') && !STARTS_A_SERVICE.test(path)));
  t.strictSame([...suite].filter((path) => /^src\/(?!contract\/)/.test(path)), []);
});

t.test('no file is dead', async (t) => {
  const started = ['src/main.ts', 'src/service.ts', 'src/dashboard/main.tsx'];
  const commands = read('Makefile') + read('package.json');
  started.push(...filesBelow('scripts').filter((path) => commands.includes(path)));
  // A bench says how it is started (scripts/bench.ts looks for that line), and so does a trial.
  started.push(...['test/bench', 'test/failover'].flatMap((folder) => filesBelow(folder))
    .filter((path) => read(path).includes(`Usage: node ${path}`)));
  const tests = paths.filter((path) => path.endsWith('.test.ts'));
  const used = reachable(sources, [...started, ...tests]);
  t.strictSame(ours.map(({ path }) => path).filter((path) => !used.has(path)), []);
  const served = reachable(sources, started.slice(0, 3));
  t.strictSame(paths.filter((path) => path.startsWith('src/') && !served.has(path)), [],
    'nothing in src is there for tests alone');
});

t.test('the service loads no validator of what it answers', async (t) => {
  const served = reachable(sources, ['src/service.ts']);
  t.ok(served.has('generated/validators.js'));
  t.notOk(served.has('generated/responses.js'));
  t.strictSame(all.filter(({ path, files }) =>
    path.startsWith('src/') && files.includes('generated/responses.js'))
    .map(({ path }) => path).filter((path) => !path.startsWith('src/contract/')), [],
  'the kit alone holds answers against the document');
});

t.test('every import has its file', async (t) => {
  t.strictSame(all.flatMap(({ path, files }) => files
    .filter((file) => !existsSync(join(ROOT, file))).map((file) => `${path} imports ${file}`)), []);
});

t.test(`lines have at most ${LINE_CHARACTERS} characters`, async (t) => {
  t.strictSame(ours.flatMap(({ path, lines }) => lines
    .map((line, index) => ({ at: `${path}:${index + 1}`, length: [...line].length }))
    .filter(({ length }) => length > LINE_CHARACTERS)
    .map(({ at, length }) => `${at} has ${length}`)), []);
});

t.test(`functions have at most ${FUNCTION_LINES} lines, files ${FILE_LINES}`, async (t) => {
  t.strictSame(ours.flatMap(({ path, functions }) => functions
    .filter(({ lines }) => lines > FUNCTION_LINES)
    .map(({ name, line, lines }) => `${path}:${line} ${name} has ${lines}`)), []);
  t.strictSame(ours.filter(({ lines }) => lines.length - 1 > FILE_LINES)
    .map(({ path, lines }) => `${path} has ${lines.length - 1}`), []);
});

t.test('nothing is left for later', async (t) => {
  const mark = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`);
  const texts = [...filesBelow('').filter((path) => /\.(md|sql|yaml|json)$/.test(path)),
    ...ours.map(({ path }) => path)].filter((path) => path !== 'package-lock.json');
  t.strictSame(texts.flatMap((path) => read(path).split('\n')
    .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
    .filter(({ line }) => mark.test(line)).map(({ at, line }) => `${at} ${line.trim()}`)), []);
});

interface Package {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  bin?: string | Record<string, string>;
}

t.test('dependencies are used, and what is used is a dependency', async (t) => {
  const { dependencies, optionalDependencies, devDependencies, peerDependencies } =
    JSON.parse(read('package.json')) as Package;
  const usedBy = (belongs: (path: string) => boolean) =>
    new Set(all.filter(({ path }) => belongs(path)).flatMap(({ packages }) => packages));
  // The dashboard is built ahead: what it is made of is not needed to serve it.
  const byService = usedBy((path) => /^(src|generated)\/(?!dashboard\/)/.test(path));
  const byOthers = usedBy((path) => /^(test|scripts|src\/dashboard)\//.test(path));
  for (const path of filesBelow('src/dashboard', '.css')) {
    for (const [, name] of read(path).matchAll(/^@import '([^'.]+)'/gm)) byOthers.add(name!);
  }
  const isUsed = (name: string, used: Set<string>) =>
    used.has(name) || used.has(name.replace(/\/.*/, '/'));

  t.strictSame(Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => !isUsed(name, byService)), [], 'a dependency without a use in the service');
  t.strictSame(Object.keys(devDependencies)
    .filter((name) => !isUsed(name.replace('@types/', ''), byOthers) && !isTool(name)
      && !(name in peerDependencies)), [],
    'a development dependency without a use');
  const has = (names: object, name: string) =>
    Object.keys(names).some((known) =>
      known === name || (name.endsWith('/') && known.startsWith(name)));
  // A peer is used where it is installed, and the service does without it.
  t.strictSame(Object.keys(peerDependencies).filter((name) => !isUsed(name, byService)), []);
  const runtime = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  t.strictSame([...byService].filter((name) => !has(runtime, name)), [],
    'used by the service, and no dependency');
  t.strictSame([...byOthers].filter((name) => !has({ ...runtime, ...devDependencies }, name)), [],
    'used by tests or scripts, and no dependency');
});

/** Not imported, but run by a script or the Makefile, or what the compiler is told of. */
function isTool(name: string): boolean {
  if (name.startsWith('@types/')) {
    return (JSON.parse(read('tsconfig.json')).compilerOptions.types as string[])
      .includes(name.slice('@types/'.length));
  }
  const { bin = {} } = JSON.parse(read(`node_modules/${name}/package.json`)) as Package;
  const commands = typeof bin === 'string' ? [name] : Object.keys(bin);
  const texts = ['Makefile', ...filesBelow('scripts')].map(read);
  return commands.some((command) => texts.some((text) =>
    new RegExp(`(^\\t@?(exec )?|['"/])${command}(['"]| )`, 'm').test(text)));
}

t.test('every make target that is written about exists, and the other way round', async (t) => {
  const targets = [...read('Makefile').matchAll(/^([a-z]+):.*## /gm)].map(([, target]) => target!);
  const texts = filesBelow('', '.md').map((path) => ({ path, text: read(path) }));
  t.strictSame(texts.flatMap(({ path, text }) => [...text.matchAll(/(?:`|^)make ([a-z]+)/gm)]
    .filter(([, target]) => !targets.includes(target!))
    .map(([, target]) => `${path}: make ${target}`)), []);
  const contributing = read('CONTRIBUTING.md');
  t.strictSame(targets.filter((target) => !contributing.includes(`make ${target}`)), [],
    'CONTRIBUTING.md names every target');
});
