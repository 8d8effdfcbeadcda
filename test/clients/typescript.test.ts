/**
 * Clients that generators for TypeScript make of the document: they compile, go through the flow,
 * on the mock too, and go on working when the service says more than it does today.
 */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import t, { type Test } from 'tap';
import { testMock } from '../mock/support.ts';
import { ROOT } from '../support/sourceTree.ts';
import { testServer } from '../support/server.ts';
import { run, runExample, runFlow, STEPS, type Target } from './flow.ts';
import { blockOf, shell } from './generators.ts';

t.setTimeout(600_000);

const require = createRequire(import.meta.url);
const document = (name: string) => join(ROOT, 'generated', name);
const { client } = await testServer(t);
const service: Target = { base_url: client.base_url, api_key: client.api_key! };
const mock: Target = { ...await testMock(t), api_key: 'a-team', wrong_key: 'invalid' };

t.test('openapi-typescript and openapi-fetch, of openapi.json', async (t) => {
  const folder = await project(t, 'openapi-fetch', {
    'openapi-fetch': require.resolve('openapi-fetch'),
    'eventsource-parser': require.resolve('eventsource-parser'),
  });
  const text = astToString(await openapiTS(new URL(`file://${document('openapi.json')}`)));
  await writeFile(join(folder, 'gatehouse.ts'), text);
  await tryOut(t, folder, true);
});

t.test('@hey-api/openapi-ts, of openapi.codegen.json', async (t) => {
  const folder = await project(t, 'hey-api', {
    '@hey-api/openapi-ts': require.resolve('@hey-api/openapi-ts/package.json'),
  });
  await cp(document('openapi.codegen.json'), join(folder, 'openapi.codegen.json'));
  await writeFile(join(folder, 'generate.js'), blockOf('hey-api', 'js'));
  const { code, output } = await run(
    { command: process.execPath, args: ['generate.js'], cwd: folder });
  t.equal(code, 0, output);
  await tryOut(t, folder, false);
});

t.test('an empty folder becomes a package of modules by the first line of either', async (t) => {
  for (const name of ['openapi-typescript', 'hey-api']) {
    const folder = t.testdir();
    const { code, output } = await run(shell(blockOf(name, 'bash').split('\n')[0]!, folder));
    t.equal(code, 0, output);
    t.match(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')), { type: 'module' });
  }
});

/** A folder with the flow, and with these packages alone. */
async function project(
  t: Test, flow: string, packages: Record<string, string>): Promise<string> {
  const folder = t.testdir({
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true, target: 'es2024', module: 'nodenext', outDir: 'out', types: ['node'],
        rewriteRelativeImportExtensions: true,
        typeRoots: [join(ROOT, 'node_modules/@types')], skipLibCheck: true,
      },
    }),
  });
  await cp(join(ROOT, `test/clients/flows/${flow}.mts`), join(folder, 'flow.ts'));
  await writeFile(join(folder, 'example.ts'), blockOf(flow, 'ts'));
  for (const [name, file] of Object.entries(packages)) {
    const from = file.slice(0, file.lastIndexOf(`node_modules/${name}/`));
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(from, 'node_modules', name), link);
  }
  return folder;
}

/** `ends`: a refusal ends the example; the client of hey-api tries again by itself, with pauses. */
async function tryOut(t: Test, folder: string, ends: boolean): Promise<void> {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const compiled = await run(
    { command: process.execPath, args: [compiler, '--pretty', 'false'], cwd: folder });
  t.equal(compiled.output, '', 'compiles');
  for (const [where, target, day] of [['the service', service, 'today'],
    ['the service of tomorrow', service, 'values'], ['the mock', mock, 'today']] as const) {
    const { done, resumed, code, output } = await runFlow(target, day,
      { command: process.execPath, args: ['out/flow.js'], cwd: folder });
    t.strictSame(done, STEPS, `${where}: ${code === 0 ? '' : output}`);
    t.ok(resumed, `${where}: the stream went on where it broke off`);
    t.equal(code, 0, where);
  }
  for (const [where, target] of [['the service', service], ['the mock', mock]] as const) {
    const { good, output } = await runExample(target,
      { command: process.execPath, args: ['out/example.js'], cwd: folder }, { ends });
    t.ok(good, `the example of docs/client-programs.md on ${where}: ${output}`);
  }
}
