/** Several nodes on one database: whatever was asked of one, any other goes on with. */
import {
  Client as McpClient, StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import t, { type Test } from 'tap';
import { json } from '../gateway/egress/support.ts';
import { gatewayServer, grantTo, notesService, secondNode } from '../gateway/service/support.ts';
import { soundness } from '../support/soundness.ts';
import { callAction, doorOf, ERAS, mcpClient, post, type Report } from './support.ts';

const CREATE = 'acme.notes.create';
const { server: one, upstream } = await notesService(t,
  ({ method }, response) => json(response, { method }));
const other = await secondNode(t, one);
const nodes = [one, other];
await grantTo(one, 'require_approval', CREATE);
const called = () => upstream.received.filter(({ method }) => method === 'POST').length;

/** A client behind a balancer: each of its requests is for the next node. */
async function balanced(t: Test, mode: typeof ERAS[number]) {
  const asked: string[] = [];
  const client = new McpClient({ name: 'a test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('http://balancer.example/mcp'), {
    requestInit: { headers: { Authorization: `Bearer ${one.client.api_key}` } },
    fetch: async (url, init) => {
      const node = doorOf(nodes[asked.length % nodes.length]!, new URL(url).search);
      asked.push(node.host);
      return await fetch(node, init);
    },
  });
  await client.connect(transport);
  t.teardown(() => client.close());
  return { client, asked };
}

function approvalOf({ missing }: Report): string {
  return (missing![0] as unknown as { approval_id: string }).approval_id;
}

const approve = (approval_id: string) => one.client.expect(200, 'decideApproval',
  { path: { approval_id }, body: { decision: 'approve' } });

for (const mode of ERAS) {
  t.test(`the messages of a client of ${mode} go to any node`, async (t) => {
    const { client, asked } = await balanced(t, mode);
    const lists = [await client.listTools(), await client.listTools()];
    t.strictSame(lists[0], lists[1], 'each has the same tools');
    for (let call = 0; call < 4; call++) {
      t.match(await callAction(client, 'acme.notes.list'), { ok: true, result: { method: 'GET' } });
    }
    for (const { service } of nodes) {
      const { host } = new URL(service.base_url);
      t.ok(asked.filter((each) => each === host).length >= 3, `${host} had its share`);
    }
  });
}

t.test('an approval that one node has asked for holds at the other, once', async (t) => {
  soundness(t, 'a permission exceeded');
  const [at_one, at_other] = [await mcpClient(t, one), await mcpClient(t, other)];
  const input = { body: { text: 'on either' } };
  const before = called();
  const approval_id = approvalOf(await callAction(at_one, CREATE, input));
  t.equal(approvalOf(await callAction(at_other, CREATE, input)), approval_id, 'it is asked once');
  await approve(approval_id);
  t.match(await callAction(at_other, CREATE, input), { ok: true });
  t.equal(called(), before + 1);
  const again = await callAction(at_one, CREATE, input);
  t.equal(again.code, 'approval_required', 'it is used up here as well');
  t.not(approvalOf(again), approval_id);

  t.comment('both at once: one of all goes through');
  await approve(approvalOf(again));
  const reports = await Promise.all(Array.from({ length: 8 }, (_, nth) =>
    callAction(nth % 2 === 0 ? at_one : at_other, CREATE, input)));
  t.equal(reports.filter(({ ok }) => ok).length, 1);
  t.equal(called(), before + 2);
});

t.test('a worker is no door', async (t) => {
  const worker = await gatewayServer(t, { config: { role: 'worker' }, database: one });
  const answer = await post(doorOf(worker), { jsonrpc: '2.0', id: 1, method: 'ping' },
    { Authorization: `Bearer ${one.client.api_key}` });
  t.match([answer.status, await answer.json()],
    [404, { code: 'not_found', error: /role is worker/ }]);
});
