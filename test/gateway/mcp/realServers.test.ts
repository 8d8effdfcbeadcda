/** The servers of the Model Context Protocol project: imported and called, over both transports. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { readFile, writeFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import type { McpAction } from '../../../src/gateway/mcp/integration.ts';
import { freePort } from '../../support/freePort.ts';
import { until } from '../../support/until.ts';
import { connect, integrationOf, lab, PROGRAMS } from './support.ts';

const EVERYTHING = { command: execPath, args: [PROGRAMS.everything], trust_hints: true };
/** What everything was found to be as a process. */
let asProcess: McpAction[] = [];

const effects = (actions: McpAction[]) =>
  Object.fromEntries(actions.map(({ source_key, effect }) => [source_key, effect]));

t.test('everything, as a process', async (t) => {
  const { actions, report, call } = await connect(
    t, integrationOf(EVERYTHING, 'everything'), lab());
  t.match(report, { skipped: [], cut: false,
    server: { name: 'mcp-servers/everything', protocol: '2025-11-25' } });
  asProcess = actions;
  t.match(actions.find(({ source_key }) => source_key === 'get-structured-content'), {
    name: 'everything.tools.get_structured_content', integration: 'everything',
    effect: 'read', paged: false,
    input_schema: { type: 'object', required: ['location'] },
    output_schema: { type: 'object', required: ['temperature', 'conditions', 'humidity'] },
  });
  const validators = new InputValidators();
  for (const action of actions) t.ok(validators.check(action, {}), action.name);

  t.same(await call('echo', { message: 'hi' }), { content: [{ type: 'text', text: 'Echo: hi' }] });
  t.match(await call('get-structured-content', { location: 'Chicago' }), {
    temperature: 36, conditions: /rain/, humidity: 82 });
  t.match(await call('get-tiny-image'), { content: [{ type: 'text' },
    { type: 'image', mime_type: 'image/png', base64: /^iVBORw0KGgo/ }, { type: 'text' }] });
  t.match(await call('get-resource-links', { count: 1 }), { content: [{ type: 'text' },
    { type: 'resource_link', uri: /^demo:/, mime_type: 'text/plain' }] });
  const { content: [, link] } = await call('get-resource-links', { count: 1 }) as
    { content: { uri: string }[] };
  t.match(actions.find(({ source_key }) => source_key === 'resources/read'),
    { name: 'everything.resources.read', effect: 'read' });
  t.match(await call('resources/read', { uri: link!.uri }), { contents: [
    { type: 'resource', uri: link!.uri, mime_type: 'text/plain', bytes: Number }] });
  t.match(await call('resources/read', { uri: 'demo://resource/dynamic/text/1' }),
    { contents: [{ type: 'resource', text: /Resource 1/ }] });
  await t.rejects(call('resources/read', { uri: 'demo://nowhere' }),
    { name: 'ActionFailure', code: 'upstream_error', message: /refused the call/ });
  t.match(await call('get-resource-reference', { resourceType: 'Blob', resourceId: 1 }), {
    content: [{}, { type: 'resource', uri: /^demo:/, base64: /^[A-Za-z0-9+/=]+$/ }, {}] });
  await t.rejects(call('get-sum', { a: 'x' }), {
    name: 'ActionFailure', code: 'upstream_error', message: /expected number/ });
});

t.test('filesystem: within its folder', async (t) => {
  const folder = t.testdir({ 'a.txt': 'hello' });
  const { actions, call } = await connect(t, integrationOf({
    command: execPath, args: [PROGRAMS.filesystem, folder], trust_hints: true }), lab());
  t.match(effects(actions), { read_text_file: 'read', search_files: 'read',
    write_file: 'destructive', create_directory: 'write' });
  const [search] = actions.filter(({ source_key }) => source_key === 'search_files');
  t.match(search!.input_schema, { properties: { pattern: { type: 'string' } } },
    'a property may have the name of a keyword');
  t.match(await call('read_text_file', { path: join(folder, 'a.txt') }), { content: 'hello' });
  await call('write_file', { path: join(folder, 'b.txt'), content: 'bye' });
  t.equal(await readFile(join(folder, 'b.txt'), 'utf8'), 'bye');
  await t.rejects(call('read_text_file', { path: '/etc/hostname' }), {
    code: 'upstream_error', message: /outside allowed directories/ });
});

t.test('memory: 50 calls at once through one process', async (t) => {
  const file = join(t.testdir(), 'memory.jsonl');
  await writeFile(file, '');
  const { actions, call } = await connect(t, integrationOf({ command: execPath,
    args: [PROGRAMS.memory], env: { MEMORY_FILE_PATH: file }, trust_hints: true }), lab());
  t.match(effects(actions), { read_graph: 'read', create_entities: 'write',
    delete_entities: 'destructive' });
  await call('create_entities', { entities: [
    { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }] });
  const found = await Promise.all(Array.from({ length: 50 },
    () => call('search_nodes', { query: 'Ada' })));
  for (const graph of found) t.match(graph, { entities: [{ name: 'Ada' }] });
});

t.test('everything, over HTTP', async (t) => {
  const port = await freePort();
  await startEverything(t, port);
  const integration = integrationOf({
    url: `http://127.0.0.1:${port}/mcp`, trust_hints: true }, 'everything');
  const overHttp = await connect(t, integration, lab());
  t.same(overHttp.actions, asProcess, 'the same actions as of the process');
  const { call } = overHttp;
  const echoes = await Promise.all(Array.from({ length: 50 }, (_, n) =>
    call('echo', { message: `${n}` }, { connection_id: `con_${n % 5}` })));
  t.same(echoes, Array.from({ length: 50 }, (_, n) =>
    ({ content: [{ type: 'text', text: `Echo: ${n}` }] })));

  const cancel = new AbortController();
  const long = call('trigger-long-running-operation', { duration: 60, steps: 60 },
    { signal: cancel.signal });
  await call('echo', { message: 'is there' });
  cancel.abort(new Error('enough'));
  await t.rejects(long, { message: 'enough' });
});

t.test('a server over HTTP that is started anew knows nobody, and is used on', async (t) => {
  const port = await freePort();
  const stop = await startEverything(t, port);
  const { call } = await connect(t, integrationOf({ url: `http://127.0.0.1:${port}/mcp` }), lab());
  await call('echo', { message: 'one' });
  await stop();
  // Refused, or cut off on a connection that was open: then nobody knows what became of it.
  await t.rejects(call('echo', { message: 'two' }), {
    name: 'ActionFailure', code: /^(upstream_error|outcome_unknown)$/ });
  await startEverything(t, port);
  t.same(await call('echo', { message: 'three' }), {
    content: [{ type: 'text', text: 'Echo: three' }] });
});

/** Resolves once it listens; what it resolves to ends it. */
async function startEverything(
  t: Pick<Test, 'teardown'>, port: number): Promise<() => Promise<void>> {
  const child = spawn(execPath, [PROGRAMS.everything, 'streamableHttp'],
    { env: { PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => { said += chunk.toString(); });
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  t.teardown(stop);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said}`);
    return said.includes('listening on port');
  });
  return stop;
}
