/** What a client is told of the harm that a tool may do: nothing is called harmless unsaid. */
import t from 'tap';
import { fakeServer, json, result } from '../gateway/mcp/httpServer.ts';
import { serve } from '../gateway/egress/support.ts';
import { fakeTools, tool } from '../gateway/service/mcpTools.ts';
import {
  addIntegration, addNotes, connectAccount, gatewayServer,
} from '../gateway/service/support.ts';
import { mcpClient } from './support.ts';

t.test('a tool that writes is harmless only if a trusted server says so', async (t) => {
  const fake = await fakeServer(t, {
    'tools/list': (message, response) => json(response, result(message, { tools: [
      tool('silent'), tool('sparing', { annotations: { destructiveHint: false } }),
      tool('harmful', { annotations: { destructiveHint: true } }),
      tool('reading', { annotations: { readOnlyHint: true } }),
    ] })),
  });
  const server = await gatewayServer(t);
  await addIntegration(server, fakeTools(fake));
  await connectAccount(server, 'tools');
  await addNotes(server, await serve(t, (_request, response) => json(response, {})));
  await connectAccount(server, 'acme');
  const hints = async (search: string) => {
    const { tools } = await (await mcpClient(t, server, { search })).listTools();
    return Object.fromEntries(tools.slice(3).map(({ name, annotations }) =>
      [name, annotations?.destructiveHint]));
  };
  const told = (sparing: boolean | undefined, reading: boolean | undefined) => ({
    'tools-tools-harmful': true, 'tools-tools-reading': reading, 'tools-tools-silent': undefined,
    'tools-tools-sparing': sparing });
  t.strictSame(await hints('?actions=tools.*'), told(false, false));
  await server.client.expect(200, 'updateIntegration',
    { path: { slug: 'tools' }, body: { mcp: { trust_hints: false } } });
  t.strictSame(await hints('?actions=tools.*'), told(undefined, undefined), 'without trust');
  t.strictSame(await hints('?actions=acme.*'), { 'acme-notes-create': undefined,
    'acme-notes-delete': true, 'acme-notes-get': false, 'acme-notes-list': false });
});
