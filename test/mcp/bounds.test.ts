/** How much of a model's context tools and results take through MCP, at most. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import t, { type Test } from 'tap';
import { CHOSEN_LIMIT } from '../../src/mcp/chosenActions.ts';
import { json } from '../gateway/egress/support.ts';
import {
  addNotes, connectAccount, notesDocument, notesService, secondNode,
} from '../gateway/service/support.ts';
import { callAction, mcpClient } from './support.ts';

/** As docs/mcp.md says it. */
const [MOST_TOOLS, MOST_CHARS] = [50, 64_000];
const OWN = 3;
const LEFT_OUT = 'Not all of the actions that were chosen are tools of their own';

const { server, upstream } = await notesService(t, ({ target }, response) => {
  const size = Number(/\d+/.exec(target)?.[0] ?? 0);
  json(response, { text: 'word '.repeat(size / 5) }, target.includes('wrong') ? 422 : 200);
});

/** An integration of so many actions that read, and nothing else. */
async function addReading(slug: string, count: number, description: string): Promise<void> {
  const nth = (at: number) => String(at).padStart(3, '0');
  const parameters = Array.from({ length: 20 }, (_, at) => ({ in: 'query', name: `p${at}`,
    schema: { type: 'string', description } }));
  const responses = { 200: { description: 'It.' } };
  const get = (at: number) => ({ operationId: `things/get_${nth(at)}`, summary: `Get thing ${at}`,
    description, ...(description && { parameters }), responses });
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`/things/${nth(at)}`, { get: get(at) }]));
  await addNotes(server, upstream, { slug, document: { ...notesDocument(), paths } });
  await connectAccount(server, slug);
}

async function chosen(t: Test, actions: string): Promise<{ call: Tool; tools: Tool[] }> {
  const mcp = await mcpClient(t, server, { search: `?actions=${actions}` });
  const { tools } = await mcp.listTools();
  return { call: tools[OWN - 1]!, tools: tools.slice(OWN) };
}

const charsOf = (tools: Tool[]) =>
  tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);

t.test('no more tools of their own than are promised, and it is said', async (t) => {
  t.equal(CHOSEN_LIMIT, MOST_TOOLS);
  await addReading('few', MOST_TOOLS, '');
  await addReading('many', MOST_TOOLS + 1, '');
  const few = await chosen(t, 'few.*');
  t.equal(few.tools.length, MOST_TOOLS);
  t.notMatch(few.call.description, LEFT_OUT, 'all of them are there');
  const many = await chosen(t, 'many.*');
  t.strictSame(many.tools.map(({ name }) => name), Array.from({ length: MOST_TOOLS },
    (_, at) => `many-things-get_${String(at).padStart(3, '0')}`), 'the first by name');
  t.match(many.call.description, LEFT_OUT);
  t.equal((await chosen(t, 'few.*,many.*')).tools.length, MOST_TOOLS, 'of all together');
  const mcp = await mcpClient(t, server, { search: '?actions=many.*' });
  t.match(await callAction(mcp, 'many.things.get_050'), { ok: true }, 'the rest is called so');
});

t.test('nor more characters of them', async (t) => {
  await addReading('wordy', 40, 'It says a lot about what it is for. '.repeat(40));
  const { tools, call } = await chosen(t, 'wordy.*');
  t.ok(tools.length > 0 && tools.length < 40, `${tools.length} tools`);
  t.ok(charsOf(tools) <= MOST_CHARS, `${charsOf(tools)} characters`);
  t.match(call.description, LEFT_OUT);
  const next = `wordy.things.get_${String(tools.length).padStart(3, '0')}`;
  const { tools: [left_out] } = await chosen(t, next);
  t.ok(charsOf([...tools, left_out!]) > MOST_CHARS, 'as many as there is room for');
});

t.test('a result is cut to what the operator has set, and a report, too', async (t) => {
  const limit = 2_000;
  const node = await secondNode(t, server, { config: { tool_result_limit_chars: limit } });
  const input = (id: string) => ({ path: { id } });
  const at = async (where: typeof server, id: string, name = 'call_action') => {
    const mcp = await mcpClient(t, where, { search: '?actions=acme.notes.get' });
    const given = name === 'call_action' ? { action: 'acme.notes.get', input: input(id) }
      : input(id);
    const { structuredContent, content } =
      await mcp.callTool({ name, arguments: given }) as CallToolResult;
    const texts = content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
    t.equal(texts.at(-1), JSON.stringify(structuredContent), 'the text is the same');
    return { report: structuredContent as Record<string, unknown>, text: texts.at(-1)! };
  };
  for (const tool of ['call_action', 'acme-notes-get']) {
    const { report, text } = await at(node, '9000', tool);
    t.ok(text.length <= limit && text.length > limit / 2, `${tool}: ${text.length}`);
    t.match(report, { ok: true, truncated: true, result: { truncated: true,
      total_chars: /^9\d{3}$/, note: /Ask for less/, head: /^\{"text":"word/,
      tail: /word "\}$/ } });
  }
  t.match((await at(server, '9000')).report, { truncated: undefined, result: { text: String } },
    'where there is room, it is whole');
  const { report, text } = await at(node, 'wrong-9000');
  t.match(report, { ok: false, code: 'upstream_error', upstream: { status: 422 } });
  t.ok(text.length <= limit, `a report of ${text.length} characters`);
});
