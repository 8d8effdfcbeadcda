/**
 * What stands between the official conformance suite and `/mcp`: the tools that it calls by name,
 * of a server behind the gateway, and a way that gives its requests the key and names they need.
 */
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { Test } from 'tap';
import { fakeServer, json, result } from '../gateway/mcp/httpServer.ts';
import { fakeTools, reads, tool } from '../gateway/service/mcpTools.ts';
import { addIntegration, connectAccount, gatewayServer } from '../gateway/service/support.ts';
import { listen } from '../support/listen.ts';
import type { TestServer } from '../support/server.ts';
import { doorOf } from './support.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ'
  + 'RU5ErkJggg==';
const text = { type: 'text', text: 'This is a simple text response for testing.' };
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const resource = { type: 'resource',
  resource: { uri: 'test://embedded', mimeType: 'text/plain', text: 'Embedded.' } };

/** By the names that the suite has for them, what its own sample server answers. */
const RESULTS: Record<string, object> = {
  test_simple_text: { content: [text] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }] },
  test_embedded_resource: { content: [resource] },
  test_multiple_content_types: { content: [text, image, resource] },
  test_error_handling: { content: [{ type: 'text', text: 'This tool always fails.' }],
    isError: true },
  test_tool_with_progress: { content: [text] },
  test_logging_tool: { content: [text] },
  test_streaming_elicitation: { content: [text] },
  json_schema_2020_12_tool: { content: [text] },
};

/** As the suite prescribes it, to see what of it reaches a client. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object',
    properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: {
    // What other servers want in their headers is nothing that clients of ours have to say.
    name: { type: 'string', 'x-mcp-header': 'Name' }, address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' }, email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] }, else: { required: ['email'] }, additionalProperties: false,
};

/** A service, and behind its gateway the suite's sample tools, as far as any server has them. */
export async function serviceOfSuite(t: Test): Promise<TestServer> {
  const samples = await fakeServer(t, {
    'tools/list': (message, response) => json(response, result(message, {
      tools: Object.keys(RESULTS).map((name) => tool(name, { ...reads,
        ...(name.startsWith('json_schema') && { inputSchema: SCHEMA_2020_12 }) })),
    })),
    'tools/call': (message, response) =>
      json(response, result(message, RESULTS[message.params!.name!]!)),
  });
  const server = await gatewayServer(t);
  await addIntegration(server, fakeTools(samples));
  await connectAccount(server, 'tools', { type: 'none' });
  return server;
}

/**
 * The address for the suite, which has no place for a key, and knows its tools by names in which no
 * integration is: what comes to this address goes on with both.
 */
export async function wayOfSuite(t: Test, server: TestServer): Promise<string> {
  const door = doorOf(server, '?actions=tools.tools.*');
  const proxy = createServer((req, res) => {
    void (async () => {
      const given = Buffer.concat(await req.toArray() as Buffer[]).toString();
      const body = given.replaceAll(/"name":"(\w+)"/g, (_, name) => `"name":"${inwards(name)}"`);
      const { method } = req;
      request(door, { method: method!, headers: headersFor(req.headers, server, body) },
        (answer) => {
          void (async () => {
            const told = Buffer.concat(await answer.toArray() as Buffer[]).toString();
            const { 'content-length': _, ...headers } = answer.headers;
            res.writeHead(answer.statusCode!, headers).end(outwards(told));
          })();
        }).end(body);
    })();
  });
  return `http://localhost:${await listen(t, proxy)}/mcp`;
}

const PREFIX = 'tools-tools-';
const inwards = (name: string) => (Object.hasOwn(RESULTS, name) ? PREFIX + name : name);
const outwards = (told: string) => told.replaceAll(`"name":"${PREFIX}`, '"name":"');

function headersFor(
  given: IncomingHttpHeaders, { service, client }: TestServer, body: string): IncomingHttpHeaders {
  const { origin, host, 'mcp-name': name } = given;
  // It takes this address for the server's own, and says so.
  const own = origin === `http://${host}` && /^(localhost|127\.0\.0\.1):/.test(host!);
  return {
    ...given, authorization: `Bearer ${client.api_key}`,
    'content-length': String(Buffer.byteLength(body)),
    ...(own && { origin: new URL(service.base_url).origin }),
    ...(typeof name === 'string' && { 'mcp-name': inwards(name) }),
  };
}
