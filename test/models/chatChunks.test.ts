/** What servers of chat completions word otherwise than OpenAI, and is understood. */
import t from 'tap';
import { providerServer, streamed, type Answer } from './providerServer.ts';
import { request, run } from './support.ts';

const MODEL = 'compatible/local';

const chunk = (delta: object, finish_reason: string | null = null) => JSON.stringify({
  id: 'chatcmpl-1', object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const USED = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };

/** What this answer comes to, at the first try. */
async function resultOf(t: import('tap').Test, answer: Answer) {
  const server = await providerServer(t, answer);
  const { result } = await run(server.models().resolve(MODEL), request({}));
  t.equal(server.requests.length, 1);
  return result;
}

t.test('the usage in an event without choices, and events that say nothing', async (t) => {
  for (const last of [{ usage: USED }, { usage: USED, choices: null },
    { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'x', usage: USED }]) {
    const { content, usage } = await resultOf(t, streamed(['null', chunk({ content: 'Good day.' }),
      JSON.stringify({ object: 'chat.completion.chunk', choices: null }), chunk({}, 'stop'),
      JSON.stringify(last), '[DONE]']));
    t.match(content, [{ type: 'output_text', text: 'Good day.' }]);
    t.strictSame(usage, { input_tokens: 5, output_tokens: 3 });
  }
});

// As a text of digits, which the gateway checks by the schema: as a number it would be another one.
const CALLED = '{"action":"a.b","input":{"id":1076543210012345678,"of":["ü"]}}';
const MEANT = { action: 'a.b', input: { id: '1076543210012345678', of: ['ü'] } };
const call = (id: string, index?: number) => ({ index, id, type: 'function',
  function: { name: 'call_action', arguments: 'CALLED' } });
const withObject = (text: string) => text.replaceAll('"CALLED"', CALLED);

t.test('the arguments of calls as an object, in a stream', async (t) => {
  const { content } = await resultOf(t, streamed([
    withObject(chunk({ role: 'assistant', tool_calls: [call('c1', 0), call('c2', 1)] })),
    chunk({}, 'tool_calls'), '[DONE]']));
  t.match(content, [{ type: 'tool_call', arguments: MEANT }, { arguments: MEANT }]);
});

t.test('the arguments of calls as an object, in a whole answer', async (t) => {
  const whole = { choices: [{ index: 0, finish_reason: 'stop',
    message: { role: 'assistant', content: null, tool_calls: [call('c1')] } }], usage: USED };
  const { content } = await resultOf(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(withObject(JSON.stringify(whole)));
  });
  t.match(content, [{ type: 'tool_call', arguments: MEANT }]);
});

t.test('a text that speaks of arguments stays as it is', async (t) => {
  const text = 'Send {"arguments":{"id":1076543210012345678}} and "usage".';
  const { content } = await resultOf(t, streamed(
    [chunk({ content: text }), chunk({}, 'stop'), '[DONE]']));
  t.match(content, [{ type: 'output_text', text }]);
});

t.test('an error in an event without choices stays one', async (t) => {
  const asked = async (event: object) => {
    const server = await providerServer(t, streamed([JSON.stringify(event)]));
    await run(server.models().resolve(MODEL), request({}));
  };
  await t.rejects(asked(
    { object: 'chat.completion.chunk', usage: null, error: { message: 'out of memory' } }),
  { code: 'model_error', cause: { message: 'out of memory' } });
  await t.rejects(asked({ object: 'error', message: 'context window exceeded', usage: null }),
    { code: 'model_error', message: /longer than the model's context/ });
});
