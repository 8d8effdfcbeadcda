/** Each provider's package against a fake of its vendor's API. */
import { LLMock } from '@copilotkit/aimock';
import t, { type Test } from 'tap';
import type { TranscriptMessage } from '../../src/models/model.ts';
import { MODELS, modelsAt } from './providerServer.ts';
import { joined, request, run, runToError } from './support.ts';

async function fakeVendor(t: Test): Promise<LLMock> {
  const vendor = new LLMock({ port: 0, chunkSize: 12, journalMaxEntries: 0 });
  await vendor.start();
  t.teardown(() => vendor.stop());
  return vendor;
}

const asked = (text: string): TranscriptMessage =>
  ({ role: 'user', run_id: 'run_1', content: [{ type: 'input_text', text }] });

/** The same in each vendor's words. */
const usage = (input: number, output: number) => ({
  input_tokens: input, output_tokens: output, prompt_tokens: input, completion_tokens: output,
  promptTokenCount: input, candidatesTokenCount: output,
});

/** The requests as the fake took them, in one form for all vendors. */
function messagesOf(vendor: LLMock): { role: string; content?: unknown; tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[] }[][] {
  return vendor.getRequests().map(({ body }) =>
    (body as unknown as { messages: [] }).messages);
}

for (const key of MODELS) {
  t.test(`${key}: a text`, async (t) => {
    const vendor = await fakeVendor(t);
    vendor.onMessage('Hello?', { content: 'Good day to you, whoever you may be. 👋',
      reasoning: 'A greeting, so I greet.', usage: usage(11, 5) });
    const { parts, result } = await run(modelsAt(vendor.url).resolve(key),
      request({ instructions: 'Be kind.', transcript: [asked('Hello?')] }));
    t.strictSame(result.content,
      [{ type: 'output_text', text: 'Good day to you, whoever you may be. 👋' }]);
    t.strictSame(result.usage, { input_tokens: 11, output_tokens: 5 });
    t.equal(joined(parts, 'message.output.delta')[result.message_id],
      'Good day to you, whoever you may be. 👋');
    t.strictSame(Object.values(joined(parts, 'reasoning.summary.delta')),
      ['A greeting, so I greet.']);
    t.ok(parts.length >= 5, 'in pieces');
    t.match(messagesOf(vendor)[0], [{ role: 'system', content: /^Be kind\.\n\nWhat call_action/ },
      { role: 'user', content: 'Hello?' }]);
    t.match(vendor.getLastRequest()!.body,
      { stream: true, tools: [{ function: { name: 'call_action' } }] });
  });

  t.test(`${key}: parallel calls, their results, a text`, async (t) => {
    const vendor = await fakeVendor(t);
    vendor.on({ userMessage: 'Look.', hasToolResult: true }, { content: 'Both are there.' });
    vendor.on({ userMessage: 'Look.' }, { content: 'Let me look.', toolCalls: [
      { id: 'theirs', name: 'call_action', arguments: '{"action":"a.b","input":{"x":"äöü"}}' },
      { id: 'theirs_2', name: 'call_action', arguments: '{"input":{"y":2},"action":"c.d"}' },
    ] });
    const model = modelsAt(vendor.url).resolve(key);
    const transcript = [asked('Look.')];
    const first = await run(model, request({ transcript }));
    t.strictSame(first.result.content, [
      { type: 'output_text', text: 'Let me look.' },
      { type: 'tool_call', tool_call_id: 'call_1', name: 'a.b',
        arguments: { action: 'a.b', input: { x: 'äöü' } } },
      { type: 'tool_call', tool_call_id: 'call_2', name: 'c.d',
        arguments: { action: 'c.d', input: { y: 2 } } },
    ]);
    const deltas = joined(first.parts, 'tool_call.arguments.delta');
    t.strictSame(JSON.parse(deltas.call_1!), { action: 'a.b', input: { x: 'äöü' } });
    t.strictSame(JSON.parse(deltas.call_2!), { action: 'c.d', input: { y: 2 } });

    const { content, provider } = first.result;
    transcript.push({ role: 'assistant', run_id: 'run_1', content, provider });
    for (const n of [1, 2]) {
      transcript.push({ role: 'tool', run_id: 'run_1', content: [{ type: 'tool_result',
        tool_call_id: `call_${n}`, name: 'x', result: { found: n } }] });
    }
    const second = await run(model, request({ transcript }));
    t.strictSame(second.result.content, [{ type: 'output_text', text: 'Both are there.' }]);
    const told = messagesOf(vendor)[1]!;
    const calls = told.flatMap(({ tool_calls }) => tool_calls ?? []);
    t.strictSame(calls.map((call) => [call.function.name,
      (JSON.parse(call.function.arguments) as { action: string }).action]),
    [['call_action', 'a.b'], ['call_action', 'c.d']]);
    const results = told.filter(({ role }) => role === 'tool');
    t.strictSame(results.map(({ tool_call_id }) => tool_call_id), calls.map(({ id }) => id));
    t.strictSame(results.map((result) => /"found":\d/.exec(JSON.stringify(result.content)
      .replaceAll('\\', ''))![0]), ['"found":1', '"found":2']);
  });

  t.test(`${key}: errors by their status`, async (t) => {
    const vendor = await fakeVendor(t);
    const models = modelsAt(vendor.url);
    const after = async (status: number, error: object, retryAfter?: number) => {
      vendor.clearFixtures();
      vendor.onMessage('hello', { status, error: error as { message: string },
        ...(retryAfter !== undefined && { retryAfter }) });
      return (await runToError(models.resolve(key))).error;
    };
    t.match(await after(429, { message: 'slow down', type: 'rate_limit_error' }, 7), {
      code: 'model_rate_limited', retryable: true, retry_after_ms: 7_000,
      message: 'The model\'s provider limits the rate of requests; try again later.' });
    for (const status of [500, 502, 503, 529]) {
      t.match(await after(status, { message: 'oops', type: 'server_error' }), {
        code: 'model_error', retryable: true,
        message: `The model's provider answered with HTTP status ${status}: oops` });
    }
    const id = key.slice(key.indexOf('/') + 1);
    t.match(await after(404, { message: 'no such model', type: 'not_found_error' }), {
      code: 'model_error', retryable: false, message: new RegExp(`knows no model "${id}"`) });
    t.match(await after(400, { message: 'Unsupported parameter: temperature',
      type: 'invalid_request_error' }), { code: 'model_error', retryable: false,
      message: 'The model\'s provider refused the request (HTTP status 400):'
        + ' Unsupported parameter: temperature' });
    t.match(await after(429, { message: 'You exceeded your current quota, please check your plan'
      + ' and billing details.', type: 'insufficient_quota', code: 'insufficient_quota' }), {
      code: 'model_rate_limited', retryable: false, message: /no credit left/ });
    t.equal(vendor.getRequests().length, 8, 'no request was repeated');
  });

  t.test(`${key}: a connection that breaks off`, async (t) => {
    const vendor = await fakeVendor(t);
    vendor.onMessage('hello', { content: 'An answer that is broken off. '.repeat(20) },
      { disconnectAfterMs: 60, streamingProfile: { ttft: 0, tps: 100 } });
    const { parts, error } = await runToError(modelsAt(vendor.url).resolve(key));
    t.match(error, { code: 'model_error', retryable: true,
      message: /broke off|could not be reached/ });
    t.ok(Object.values(joined(parts, 'message.output.delta'))
      .every((text) => 'An answer that is broken off. '.repeat(20).startsWith(text)));
  });
}
