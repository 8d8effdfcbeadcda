/**
 * The package that `npm pack` makes, in an empty folder. Nothing is fetched: beside it lie the
 * packages that its package.json names and no others, as links, and what those need is in the
 * checkout.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { commandFrom } from '../src/cli/invocation.ts';
import { endServersIn, ownFolder } from '../scripts/leftovers.ts';
import { gatehouse, killWhenSilent, start, type Ended } from './cli/support.ts';
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
async function running(t: Pick<Test, 'teardown'>, args: string[]) {
  const { child, ended } = start(args, { cwd: folder, command,
    env: { PORT: '0', LOG_LEVEL: 'warn', TMPDIR: folder } });
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
  t.strictSame(paths.filter((path) => /(?<!\.d)\.tsx?$|\.test\.|(^|\/)\.|^(test|scripts|src)\//
    .test(path)), []);
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
  t.match(await example.text(), '@stoplight/prism-cli is not installed beside this mock');
  t.match(await mock.stop(), { code: 0, err: '' });
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
  t.equal(commandFrom(dirname(folder), there), `./${there.slice(dirname(folder).length + 1)}`);
  t.equal(commandFrom('/', '/gone/bin/gatehouse'), 'gatehouse');
  const project = t.testdir({ lib: { node_modules: { gatehouse: { bin: { gatehouse: '' } } } } });
  t.equal(commandFrom('/', `${project}/lib/node_modules/gatehouse/bin/gatehouse`),
    `${project}/bin/gatehouse`, 'where npm was told to install it for all');
});
