/** What Anthropic adds to its streams, and its package does not know, is passed over. */
import t from 'tap';
import { providerServer, streamed } from './providerServer.ts';
import { joined, request, run } from './support.ts';
import { payloadsOf } from './wireStreams.ts';

const MODEL = 'anthropic/claude-sonnet-4-5';
/** As its documentation says that there may be others. */
const NEW = '{"type":"message_note","note":{"text":"of a later version"}}';

t.test('events of types that are not known', async (t) => {
  const said = payloadsOf(MODEL, { reasoning: ['Hm.'], text: ['Good', ' day.'], calls: [['{}']] });
  const server = await providerServer(t, streamed([NEW, ...said.flatMap((event) => [event, NEW])]));
  const { parts, result } = await run(server.models().resolve(MODEL), request({}));
  t.match(result.content, [{ type: 'output_text', text: 'Good day.' }, { type: 'tool_call' }]);
  t.equal(joined(parts, 'message.output.delta')[result.message_id], 'Good day.');
  t.strictSame(result.usage, { input_tokens: 5, output_tokens: 3 });
  t.equal(server.requests.length, 1, 'at the first try');
});

t.test('data of several lines', async (t) => {
  const said = payloadsOf(MODEL, { text: ['One', ' two.'] })
    .map((payload) => JSON.stringify(JSON.parse(payload), null, 2));
  const server = await providerServer(t, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const lines = said.map((payload) => `data: ${payload.replaceAll('\n', '\r\ndata: ')}\r\n\r\n`);
    response.end(lines.join(''));
  });
  const { result } = await run(server.models().resolve(MODEL), request({}));
  t.strictSame(result.content, [{ type: 'output_text', text: 'One two.' }]);
});
