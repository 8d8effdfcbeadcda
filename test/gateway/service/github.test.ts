/** GitHub's own document, added over HTTP and called at an upstream that stands in for it. */
import { readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { PACKAGES, withPackedFile } from '../../support/packedFile.ts';
import { json, serve } from '../egress/support.ts';
import {
  addIntegration, agent, connectAccount, gatewayServer, invoke, line, secondNode,
} from './support.ts';

const MEGABYTE = 1_048_576;

t.test('github', (t) => withPackedFile(t, PACKAGES.github,
  'package/generated/api.github.com.json', (file) => addAndCall(t, file)));

async function addAndCall(t: Test, file: string): Promise<void> {
  const upstream = await serve(t, ({ target }, response) => json(response,
    [{ number: 1, title: `An issue of ${target}` }], 200,
    { link: `<${upstream.url}${target}&page=2>; rel="next"` }));
  const server = await gatewayServer(t);
  const { client } = server;
  const document = await readFile(file, 'utf8');
  const before_ms = performance.now();
  const added = await addIntegration(server, { slug: 'github', kind: 'openapi', document,
    base_url: upstream.url, egress_allow: upstream.egress_allow });
  const import_ms = performance.now() - before_ms;
  await connectAccount(server, 'github', { type: 'bearer', token: 'a-token-of-github' });
  const call_ms = performance.now();
  const input = { path: { owner: 'octocat', repo: 'hello-world' }, query: { state: 'open' } };
  const listed = await invoke(client, 'github.issues.list_for_repo', input);
  const load_ms = performance.now() - call_ms;
  const { rss, heapUsed } = process.memoryUsage();
  t.comment(`import ${Math.round(import_ms)} ms, first call ${Math.round(load_ms)} ms,`
    + ` rss ${Math.round(rss / MEGABYTE)} MB, heap ${Math.round(heapUsed / MEGABYTE)} MB`);

  const { read, write, destructive } = added.actions;
  t.equal(read + write + destructive, added.report.imported);
  t.ok(added.report.imported > 1_000, `${added.report.imported} actions`);
  t.match(added, { title: /GitHub/, auth_methods: Array, report: { operations: Number } });
  t.match(listed, { status: 201, body: { page: { next_cursor: String }, result: [
    { title: 'An issue of /repos/octocat/hello-world/issues?state=open' }] } });
  t.equal(upstream.received[0]!.headers.authorization, 'Bearer a-token-of-github');
  const { next_cursor } = (listed.body as { page: { next_cursor: string } }).page;
  await invoke(client, 'github.issues.list_for_repo', input, { cursor: next_cursor });
  t.match(upstream.received[1]!.target, /state=open&page=2$/);

  const { data } = await client.expect(200, 'searchActions',
    { body: { query: 'list the issues of a repository', limit: 5 } });
  t.ok(data.some(({ name }) => name === 'github.issues.list_for_repo'),
    data.map(({ name }) => name).join());
  const { ends } = await agent(client,
    line('gateway.actions.search', { query: 'list repository issues', limit: 5 }),
    line('gateway.actions.describe', { name: 'github.issues.list_for_repo' }),
    line('github.issues.list_for_repo', input),
    line('github.issues.create', { path: input.path, body: { title: 'Plans' } }));
  t.strictSame(ends.map(({ type }) => type), ['tool_call.completed', 'tool_call.completed',
    'tool_call.completed', 'tool_call.failed']);
  t.match(ends[3]!.data, { error: { code: 'not_permitted' } });

  const node = await secondNode(t, server);
  t.match(await invoke(node.client, 'github.issues.get',
    { path: { ...input.path, issue_number: 1 } }), { status: 201 }, 'another node loads it');
}
