import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import t from 'tap';
import { fromLanguageModel } from '../../src/models/languageModel.ts';
import { sanitizeText } from '../../src/sanitize.ts';
import { cut, FINISH, joined, request, run, scripted } from './support.ts';

const model = (parts: LanguageModelV4StreamPart[]) =>
  fromLanguageModel(scripted(parts), { key: 'test' });

const text = (id: string, ...deltas: string[]): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id, delta })),
  { type: 'text-end', id },
];

const call = (
  id: string, input: string, deltas: string[] = [input]): LanguageModelV4StreamPart[] => [
  { type: 'tool-input-start', id, toolName: 'call_action' },
  ...deltas.map((delta) => ({ type: 'tool-input-delta' as const, id, delta })),
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName: 'call_action', input },
];

t.test('a whole step: reasoning, text, a call', async (t) => {
  const { parts, result } = await run(model([
    { type: 'stream-start', warnings: [] },
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
    { type: 'reasoning-end', id: '0', providerMetadata: { vendor: { signature: 'abc' } } },
    ...text('1', 'Let me ', 'look.'),
    ...call('theirs', '{"action":"a.b","input":{"x":1}}',
      ['{"acti', 'on":"a.b', '","input":{"x":1}}']),
    FINISH,
  ]));
  t.strictSame(parts, [
    { type: 'reasoning.summary.delta', item_id: 'msg_2', delta: 'Hm.' },
    { type: 'message.output.delta', message_id: 'msg_1', delta: 'Let me ' },
    { type: 'message.output.delta', message_id: 'msg_1', delta: 'look.' },
    { type: 'tool_call.started', tool_call_id: 'call_1', name: 'a.b' },
    {
      type: 'tool_call.arguments.delta', tool_call_id: 'call_1',
      delta: '{"action":"a.b","input":{"x":1}}',
    },
  ]);
  t.strictSame(result.content, [
    { type: 'output_text', text: 'Let me look.' },
    {
      type: 'tool_call', tool_call_id: 'call_1', name: 'a.b',
      arguments: { action: 'a.b', input: { x: 1 } },
    },
  ]);
  t.equal(result.message_id, 'msg_1');
  t.strictSame(result.usage, { input_tokens: 7, output_tokens: 3 });
  t.strictSame(result.invalid_arguments, {});
});

t.test('the provider is asked once, with the tool, the prompt and a bound', async (t) => {
  const provider = scripted([...text('0', 'hi'), FINISH]);
  await run(fromLanguageModel(provider, { key: 'test', max_output_tokens: 99 }),
    request({ instructions: 'Be brief.' }));
  t.equal(provider.calls.length, 1);
  const [asked] = provider.calls;
  t.match(asked!.tools,
    [{ type: 'function', name: 'call_action', inputSchema: { type: 'object' } }]);
  t.equal(asked!.maxOutputTokens, 99);
  t.match(asked!.prompt, [{ role: 'system', content: /^Be brief\./ }, { role: 'user' }]);
});

t.test('what a provider wants back goes back to it, and to no other model', async (t) => {
  const { result } = await run(model([
    { type: 'reasoning-start', id: 'r', providerMetadata: { vendor: { itemId: 'rs_1' } } },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { vendor: { encrypted: 'xyz' } } },
    { type: 'custom', kind: 'vendor.compaction', providerMetadata: { vendor: { blob: 'b' } } },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'ok', providerMetadata: { vendor: { phase: 'p' } } },
    {
      type: 'tool-call', toolCallId: 'theirs', toolName: 'call_action', input: '{"action":"a.b"}',
      providerMetadata: { vendor: { thoughtSignature: 's' } },
    },
    FINISH,
  ]));
  const provider = JSON.parse(JSON.stringify(result.provider));
  t.match(JSON.stringify(provider), 'theirs', 'their id of the call is kept');
  const transcript = [
    ...request().transcript,
    { role: 'assistant' as const, run_id: 'run_1', content: result.content, provider },
    {
      role: 'tool' as const, run_id: 'run_1',
      content: [{ type: 'tool_result' as const, tool_call_id: 'call_1', name: 'a.b', result: {} }],
    },
  ];
  const next = async (key: string) => {
    const asked = scripted([...text('0', 'done'), FINISH]);
    await run(fromLanguageModel(asked, { key }), request({ transcript }));
    return asked.calls[0]!.prompt[2]!;
  };
  const toolCall = { type: 'tool-call', toolCallId: 'call_1', toolName: 'call_action',
    input: { action: 'a.b' } };
  t.strictSame((await next('test')).content, [
    {
      type: 'reasoning', text: 'Hm.',
      providerOptions: { vendor: { itemId: 'rs_1', encrypted: 'xyz' } },
    },
    { type: 'custom', kind: 'vendor.compaction', providerOptions: { vendor: { blob: 'b' } } },
    { type: 'text', text: 'ok', providerOptions: { vendor: { phase: 'p' } } },
    { ...toolCall, providerOptions: { vendor: { thoughtSignature: 's' } } },
  ]);
  t.strictSame((await next('other')).content, [{ type: 'text', text: 'ok' }, toolCall]);
});

t.test('however deltas are cut and mixed, joined they are the completed items', async (t) => {
  const piece = fc.constantFrom('a', '\0', '\ud83d', '\ude00', '😀', ' ');
  const words = fc.array(piece, { maxLength: 12 }).map((units) => units.join(''));
  const places = fc.array(fc.nat(100), { maxLength: 8 });
  const blocks = fc.record({ one: words, two: words, thought: words, input: words });
  await fc.assert(fc.asyncProperty(blocks, places, fc.infiniteStream(fc.nat(3)),
    async (block, cuts, order) => {
      const input = JSON.stringify({ input: { 'k\0': block.input }, action: 'a.b' });
      const streams = [text('1', ...cut(block.one, cuts)), text('2', ...cut(block.two, cuts)),
        [...cut(block.thought, cuts)].map(
          (delta): LanguageModelV4StreamPart => ({ type: 'reasoning-delta', id: 'r', delta })),
        call('c', input, cut(input, cuts))];
      const mixed: LanguageModelV4StreamPart[] = [];
      while (streams.some((stream) => stream.length > 0)) {
        const next = streams[order.next().value]!.shift();
        if (next) mixed.push(next);
      }
      const { parts, result } = await run(model([...mixed, FINISH]));
      const shown = parts.map((part) => ('delta' in part ? part.delta : part.name)).join('|');
      t.ok(shown.isWellFormed() && !shown.includes('\0'));
      const texts = result.content.filter((part) => part.type === 'output_text');
      t.equal(joined(parts, 'message.output.delta').msg_1 ?? '',
        texts.map((part) => part.text).join(''));
      t.equal(joined(parts, 'reasoning.summary.delta').msg_2 ?? '', sanitizeText(block.thought));
      const made = result.content.find((part) => part.type === 'tool_call')!;
      t.strictSame(JSON.parse(joined(parts, 'tool_call.arguments.delta').call_1!), made.arguments);
      t.equal(parts.filter((part) => part.type === 'tool_call.started').length, 1);
    }), { numRuns: 300 });
});

t.test('the name comes as soon as it can be read; the rest follows at once', async (t) => {
  const deltas = ['{"input":{"q":"x"},', '"action":"a', '.b"', '}'];
  const { parts } = await run(model([...call('c', deltas.join(''), deltas), FINISH]));
  t.strictSame(parts, [
    { type: 'tool_call.started', tool_call_id: 'call_1', name: 'a.b' },
    {
      type: 'tool_call.arguments.delta', tool_call_id: 'call_1',
      delta: '{"input":{"q":"x"},"action":"a.b"',
    },
    { type: 'tool_call.arguments.delta', tool_call_id: 'call_1', delta: '}' },
  ]);
});

t.test('arguments that are no JSON object make a call that is not to be performed', async (t) => {
  const deep = `{"action":"a.b","input":${'['.repeat(70)}${']'.repeat(70)}}`;
  const cases: [input: string, name: string][] = [
    ['{"action":"a.b","input":{', 'a.b'], ['nonsense', 'call_action'], ['["a.b"]', 'call_action'],
    ['"a.b"', 'call_action'], ['null', 'call_action'], [deep, 'a.b'],
    ['{"action":"a.b","action":"c.d"}', 'a.b'],
    ['{"action":"a.b","input":{"id":9007199254740993}}', 'a.b'],
  ];
  for (const [input, name] of cases) {
    const { parts, result } = await run(model([...call('c', input), FINISH]));
    t.strictSame(result.content,
      [{ type: 'tool_call', tool_call_id: 'call_1', name, arguments: {} }], input.slice(0, 40));
    t.strictSame(result.invalid_arguments, { call_1: input });
    t.equal(joined(parts, 'tool_call.arguments.delta').call_1, input);
    t.equal(parts.filter((part) => part.type === 'tool_call.started').length, 1);
  }
});

t.test('a call that was not streamed, or whose input came late', async (t) => {
  const whole: LanguageModelV4StreamPart =
    { type: 'tool-call', toolCallId: 'c', toolName: 'call_action', input: '{"action":"a.b"}' };
  for (const stream of [[whole], call('c', whole.input, []), call('c', whole.input, ['{"act'])]) {
    const { parts, result } = await run(model([...stream, FINISH]));
    t.match(parts[0], { type: 'tool_call.started', name: 'a.b' });
    t.equal(joined(parts, 'tool_call.arguments.delta').call_1, whole.input);
    t.match(result.content, [{ arguments: { action: 'a.b' } }]);
  }
});

t.test('a call without arguments gets an empty object', async (t) => {
  const { parts, result } = await run(model([...call('c', ''), FINISH]));
  t.equal(joined(parts, 'tool_call.arguments.delta').call_1, '{}');
  t.strictSame(result.content,
    [{ type: 'tool_call', tool_call_id: 'call_1', name: 'call_action', arguments: {} }]);
  t.strictSame(result.invalid_arguments, {});
});

t.test('deltas that are no JSON give way to the final input', async (t) => {
  const { result } = await run(model([
    { type: 'tool-input-start', id: 'c', toolName: 'call_action', inputEncoding: 'text' },
    { type: 'tool-input-delta', id: 'c', delta: 'raw' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'call_action', input: '{"action":"a.b"}' },
    FINISH,
  ]));
  t.match(result.content, [{ arguments: { action: 'a.b' } }]);
});

t.test('ids are ours, though the provider repeats its own', async (t) => {
  const { result } = await run(model(
    [...call('same', '{"action":"a.b"}'), ...call('same', '{"action":"c.d"}'), FINISH]));
  t.match(result.content, [
    { tool_call_id: 'call_1', name: 'a.b' }, { tool_call_id: 'call_2', name: 'c.d' },
  ]);
});

t.test('an announced call that is never confirmed is closed as invalid', async (t) => {
  const { result } = await run(model([...call('c', '{"action":"a.b",').slice(0, 2), FINISH]));
  t.match(result.content, [{ type: 'tool_call', name: 'a.b' }]);
  t.strictSame(result.invalid_arguments, { call_1: '{"action":"a.b",' });
});

t.test('what the provider did itself, and kinds of no use, are skipped', async (t) => {
  const { parts, result } = await run(model([
    { type: 'ping' },
    { type: 'raw', rawValue: 1 },
    { type: 'tool-input-start', id: 's', toolName: 'web_search', providerExecuted: true },
    { type: 'tool-input-delta', id: 's', delta: '{}' },
    {
      type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{}',
      providerExecuted: true,
    },
    { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: {} },
    ...text('0', 'hi'), FINISH,
  ]));
  t.equal(parts.length, 1);
  t.strictSame(result.content, [{ type: 'output_text', text: 'hi' }]);
});

t.test('the calls present decide, whatever the finish reason says', async (t) => {
  for (const unified of ['stop', 'length', 'other', 'content-filter', 'tool-calls'] as const) {
    const { result } = await run(model([
      ...call('c', '{"action":"a.b"}'), { ...FINISH, finishReason: { unified, raw: undefined } },
    ] as LanguageModelV4StreamPart[]));
    t.match(result.content, [{ type: 'tool_call', name: 'a.b' }], unified);
  }
});
