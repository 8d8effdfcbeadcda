/** A server of chat completions that cannot stream answers whole, and is understood. */
import t from 'tap';
import { providerServer, refused, type Answer } from './providerServer.ts';
import { joined, request, run } from './support.ts';

const MODEL = 'compatible/local';

/** A whole answer, as OpenAI's document of chat completions has it. */
function whole(message: object, finish_reason: string, more: object = {}): Answer {
  return refused(200, { id: 'chatcmpl-1', object: 'chat.completion', created: 1_795_000_000,
    model: 'local', choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }, ...more });
}

t.test('a text', async (t) => {
  const server = await providerServer(t,
    whole({ role: 'assistant', content: 'Good day.', refusal: null }, 'stop'));
  const { parts, result } = await run(server.models().resolve(MODEL), request({}));
  t.match(result.content, [{ type: 'output_text', text: 'Good day.' }]);
  t.equal(joined(parts, 'message.output.delta')[result.message_id], 'Good day.');
  t.strictSame(result.usage, { input_tokens: 5, output_tokens: 3 });
  t.match(server.requests, [{ body: { stream: true } }], 'at the first try');
});

t.test('thinking, and calls beside each other', async (t) => {
  const call = (id: string, action: string) => ({ id, type: 'function',
    function: { name: 'call_action', arguments: JSON.stringify({ action }) } });
  const server = await providerServer(t, whole({ role: 'assistant', content: null,
    reasoning_content: 'Hm.', tool_calls: [call('c1', 'a.b'), call('c2', 'a.c')] }, 'tool_calls'));
  const { parts, result } = await run(server.models().resolve(MODEL), request({}));
  t.match(result.content, [{ type: 'tool_call', arguments: { action: 'a.b' } },
    { type: 'tool_call', arguments: { action: 'a.c' } }]);
  t.strictSame(Object.values(joined(parts, 'reasoning.summary.delta')), ['Hm.']);
});

t.test('an answer that was cut short says so', async (t) => {
  const server = await providerServer(t,
    whole({ role: 'assistant', content: 'Good' }, 'length'));
  const { result } = await run(server.models().resolve(MODEL), request({}));
  t.match(result.provider, { incomplete_reason: 'max_output_tokens' });
});

t.test('an error under a status of success is told', async (t) => {
  const server = await providerServer(t, refused(200, { error: { message: 'No deployment.' } }));
  await t.rejects(run(server.models().resolve(MODEL), request({})),
    { code: 'model_error', retryable: false, cause: { message: 'No deployment.' } });
});

t.test('JSON that is no answer is a stream that broke off', async (t) => {
  const server = await providerServer(t);
  for (const said of ['{"choices":', '{"hello":"world"}', '{"choices":[null]}', '[]', '']) {
    server.script((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(said);
    });
    await t.rejects(run(server.models().resolve(MODEL), request({})),
      { code: 'model_error', retryable: true }, said);
  }
});
