/**
 * A client of MCP, as small as one can be: it starts the bridge as an editor does, and shows the
 * tools, or calls one. `npm install @modelcontextprotocol/client` is all it needs.
 * Usage: node mcp.mjs [tool] [arguments as JSON]. GATEHOUSE is the command, if it is elsewhere.
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { GATEHOUSE = 'bin/gatehouse' } = process.env;
const [name, given = '{}'] = process.argv.slice(2);

const client = new Client({ name: 'an-example', version: '1' });
await client.connect(new StdioClientTransport({
  command: GATEHOUSE, args: ['mcp', '--stdio'], env: process.env, stderr: 'inherit',
}));
try {
  if (name === undefined) {
    const { tools } = await client.listTools();
    for (const { name, title } of tools) console.log(`${name}: ${title}`);
  } else {
    const { structuredContent } = await client.callTool({ name, arguments: JSON.parse(given) });
    console.log(JSON.stringify(structuredContent, undefined, 2));
  }
} finally {
  await client.close();
}
