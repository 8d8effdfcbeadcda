/** What the next request tells a provider of its own earlier answers. */
import t, { type Test } from 'tap';
import type { TranscriptMessage } from '../../src/models/model.ts';
import type { Models } from '../../src/models/models.ts';
import { providerServer, streamed } from './providerServer.ts';
import { haveRecordings, recording } from './recordings.ts';
import { request, run } from './support.ts';
import { payloadsOf } from './wireStreams.ts';

type Json = Record<string, unknown>;

/** A session whose steps each model of `models` may take; results of calls are numbers from 1. */
function session(models: Models) {
  const transcript: TranscriptMessage[] = [];
  let ids = 0;
  let results = 0;
  const ask = (text: string) => transcript.push(
    { role: 'user', run_id: 'run_1', content: [{ type: 'input_text', text }] });
  async function step(key: string): Promise<string[]> {
    const { result: { content, provider } } = await run(models.resolve(key), request({
      transcript, new_id: (kind) => (kind === 'call' ? `call_${++ids}` : 'msg_1') }));
    const calls = content.filter((part) => part.type === 'tool_call');
    transcript.push(
      // As the store gives it back.
      { role: 'assistant', run_id: 'run_1', content,
        provider: JSON.parse(JSON.stringify(provider)) as typeof provider },
      ...calls.map(({ tool_call_id, name }): TranscriptMessage => ({ role: 'tool', run_id: 'run_1',
        content: [{ type: 'tool_result', tool_call_id, name, result: ++results }] })));
    return calls.map(({ tool_call_id }) => tool_call_id);
  }
  ask('Begin.');
  return { ask, step };
}

/** A session with a provider that answers with these payloads, one list for each request. */
async function sessionOf(t: Test, answers: string[][], reasoning = 'provider-default') {
  const server = await providerServer(t, ...answers.map((payloads) => streamed(payloads)));
  return { ...session(server.models({ model_reasoning: reasoning })), requests: server.requests };
}

t.test('OpenAI: encrypted reasoning, through four steps', async (t) => {
  if (!haveRecordings(t)) return;
  const steps = [1, 2, 3, 4].map((n) => recording(`oai-enc-step${n}`));
  const { step, requests } = await sessionOf(t, steps.map(({ payloads }) => payloads), 'high');
  for (const { model } of steps) await step(model);
  for (const { body, headers } of requests) {
    t.match(body, { store: false, include: ['reasoning.encrypted_content'], stream: true,
      reasoning: { effort: 'high', summary: 'auto' } });
    t.notOk('previous_response_id' in body);
    t.equal(headers.authorization, 'Bearer sk-canary-openai');
  }
  const done = steps[0]!.payloads.map((line) => JSON.parse(line) as Json)
    .find(({ type, item }) => type === 'response.output_item.done'
      && (item as Json).type === 'reasoning')!.item as Json;
  t.match(done.encrypted_content, /^gAAAA/);
  const reasoning = { type: 'reasoning', id: done.id, encrypted_content: done.encrypted_content,
    summary: done.summary };
  const called = (n: number, args: object) => [
    { type: 'function_call', call_id: `call_${n}`, name: 'call_action',
      arguments: JSON.stringify(args) },
    { type: 'function_call_output', call_id: `call_${n}`, output: String(n) },
  ];
  const items = [reasoning, ...called(1, { a: 12, b: 7, op: 'add' }),
    ...called(2, { a: 19, b: 3, op: 'multiply' }), ...called(3, { a: 57, b: 10, op: 'multiply' })];
  t.strictSame(requests.map(({ body }) => (body.input as object[]).slice(2)),
    [[], items.slice(0, 3), items.slice(0, 5), items]);
});

t.test('OpenAI: models without reasoning are not asked for it', async (t) => {
  const { step, requests } = await sessionOf(t, [[JSON.stringify({ type: 'response.completed',
    response: { usage: { input_tokens: 1, output_tokens: 1 } } })]]);
  await step('openai/gpt-4.1-mini');
  t.match(requests[0]!.body, { store: false });
  // They answer 400: "Encrypted content is not supported with this model."
  t.notOk('include' in requests[0]!.body || 'reasoning' in requests[0]!.body);
});

/** Thinking with its signature, then two calls at once. */
const THOUGHT_AND_CALLS = [
  { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [],
    model: 'claude', usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Two.' } },
  { type: 'content_block_delta', index: 0,
    delta: { type: 'signature_delta', signature: 'signed' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1,
    content_block: { type: 'redacted_thinking', data: 'hidden' } },
  { type: 'content_block_stop', index: 1 },
  ...[2, 3].flatMap((index) => [
    { type: 'content_block_start', index,
      content_block: { type: 'tool_use', id: `toolu_${index}`, name: 'call_action', input: {} } },
    { type: 'content_block_delta', index,
      delta: { type: 'input_json_delta',
        partial_json: JSON.stringify({ action: 'a.b', input: { n: index } }) } },
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 9 } },
  { type: 'message_stop' },
].map((event) => JSON.stringify(event));

t.test('Anthropic: signed thinking and the results of a step in one message', async (t) => {
  const { step, requests } = await sessionOf(t, [THOUGHT_AND_CALLS, THOUGHT_AND_CALLS]);
  t.strictSame(await step('anthropic/claude-sonnet-4-5'), ['call_1', 'call_2']);
  await step('anthropic/claude-sonnet-4-5');
  t.equal(requests[1]!.headers['x-api-key'], 'sk-ant-canary');
  t.strictSame((requests[1]!.body.messages as object[]).slice(1), [
    { role: 'assistant', content: [
      { type: 'thinking', thinking: 'Two.', signature: 'signed' },
      { type: 'redacted_thinking', data: 'hidden' },
      ...[2, 3].map((n) => ({ type: 'tool_use', id: `call_${n - 1}`, name: 'call_action',
        input: { action: 'a.b', input: { n } } })),
    ] },
    { role: 'user', content: [1, 2].map((n) => (
      { type: 'tool_result', tool_use_id: `call_${n}`, content: String(n) })) },
  ]);
});

t.test('Anthropic: a recorded signature', async (t) => {
  if (!haveRecordings(t)) return;
  const { model, payloads } = recording('anthropic-clear-thinking.1');
  const { ask, step, requests } = await sessionOf(t, [payloads, payloads]);
  await step(model);
  ask('And now?');
  await step(model);
  const signature = payloads.map((line) => (JSON.parse(line) as { delta?: Json }).delta?.signature)
    .find((signed) => signed !== undefined);
  t.match(requests[1]!.body.messages, [{}, { role: 'assistant', content: [
    { type: 'thinking', thinking: /^The previous result was 925/, signature },
    { type: 'text', text: '925 ÷ 5 = 185' },
  ] }, { role: 'user', content: [{ type: 'text', text: 'And now?' }] }]);
});

t.test('Anthropic: a text of blanks alone is not sent back, to whichever model', async (t) => {
  const model = 'anthropic/claude-sonnet-4-5';
  const call = ['{"action":"a.b"}'];
  const { ask, step, requests } = await sessionOf(t, [
    { text: ['\n', '\n'], calls: [call] }, { text: [' \n'] },
    { reasoning: ['Hm.'], text: ['\n\n'] }, { text: ['Here.'] },
  ].map((said) => payloadsOf(model, said)));
  for (const nth of [1, 2, 3]) {
    await step(model);
    if (nth > 1) ask('And now?');
  }
  await step('anthropic/claude-opus-4-5');
  const texts = (nth: number) => (requests[nth]!.body.messages as { content: Json[] }[])
    .flatMap(({ content }) => content).filter(({ type }) => type === 'text');
  for (const nth of [1, 2, 3]) {
    t.match((requests[nth]!.body.messages as Json[])[1], { role: 'assistant',
      content: [{ type: 'tool_use', input: { action: 'a.b' } }] });
    t.strictSame(texts(nth).filter(({ text }) => String(text).trim() === ''), []);
  }
  t.equal((requests[3]!.body.messages as Json[]).length, 3, 'nor is a message of nothing else');
});

t.test('Gemini: the signatures of thoughts, with a call and with a text', async (t) => {
  if (!haveRecordings(t)) return;
  const recordings = ['google-tool-call-gemini3', 'google-reasoning-gemini3', 'google-text']
    .map(recording);
  const { ask, step, requests } = await sessionOf(t, recordings.map(({ payloads }) => payloads));
  const { model } = recordings[0]!;
  await step(model);
  await step(model);
  ask('And now?');
  await step(model);
  const signatures = recordings.map(({ payloads }) =>
    /"thoughtSignature":"([^"]+)"/.exec(payloads.join('\n'))![1]!);
  t.equal(requests[0]!.headers['x-goog-api-key'], 'AIza-canary-google');
  t.notMatch(requests[0]!.path, /canary/);
  t.match(requests[2]!.body.contents, [{}, { role: 'model', parts: [
    { functionCall: { name: 'call_action', args: { location: 'San Francisco' } },
      thoughtSignature: signatures[0] },
  ] }, { role: 'user', parts: [{ functionResponse: { name: 'call_action' } }] },
  { role: 'model', parts: [{ text: /^There are \*\*3\*\*/, thoughtSignature: signatures[1] }] },
  { role: 'user', parts: [{ text: 'And now?' }] }]);
});

t.test('Gemini: the results of parallel calls are one message', async (t) => {
  const both = JSON.stringify({ candidates: [{ finishReason: 'STOP', content: { role: 'model',
    parts: [1, 2].map((n) => ({ functionCall: { name: 'call_action', args: { action: 'a.b', n } },
      ...(n === 1 && { thoughtSignature: 'first' }) })) } }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 } });
  const { step, requests } = await sessionOf(t, [[both], [both]]);
  await step('google/gemini-3-pro-preview');
  await step('google/gemini-3-pro-preview');
  const [, model, results, ...more] =
    requests[1]!.body.contents as { role: string; parts: Json[] }[];
  t.match(model!.parts, [{ functionCall: { args: { n: 1 } }, thoughtSignature: 'first' },
    { functionCall: { args: { n: 2 } } }]);
  t.equal(results!.parts.length, 2);
  t.match(results, { role: 'user', parts: [1, 2].map((n) => (
    { functionResponse: { response: { content: n } } })) });
  t.strictSame(more, []);
});

t.test('what one model left is not sent to another', async (t) => {
  if (!haveRecordings(t)) return;
  const names = ['oai-enc-step1', 'anthropic-clear-thinking.1', 'google-tool-call-gemini3',
    'deepseek-tool-call', 'anthropic-text', 'oai-enc-step4'];
  const recordings = names.map(recording);
  const { ask, step, requests } = await sessionOf(t, recordings.map(({ payloads }) => payloads));
  for (const { model } of recordings) {
    await step(model);
    ask('Go on.');
  }
  const foreign = /gAAAA|signature|thoughtSignature|rs_0|fc_0|toolu_|reasoning_content/;
  // For calls that Gemini did not make, Google has a word of its own in place of a signature.
  const [, ...later] = requests.map(({ body }) => JSON.stringify(
    body.messages ?? body.contents ?? body.input)
    .replaceAll('"thoughtSignature":"skip_thought_signature_validator"', '"":""'));
  // The last but one is the second of Anthropic, which gets its own thinking back.
  for (const text of later.slice(0, 3)) t.notMatch(text, foreign);
  t.match(later[3], /"signature"/);
  t.notMatch(later[3], /gAAAA|thoughtSignature|reasoning_content/);
  t.match(later[4], /gAAAA/);
  t.notMatch(later[4], /signature|thoughtSignature|reasoning_content/i);
  for (const text of later) t.match(text, /Begin\./, 'what was said stays');
  t.match(later[4], /925 ÷ 5 = 185/);
});
