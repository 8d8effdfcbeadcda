/** Recorded streams of real providers, replayed over the wire through the providers' packages. */
import t, { type Test } from 'tap';
import { ModelError } from '../../src/models/model.ts';
import { providerServer, streamed, type Answer } from './providerServer.ts';
import {
  haveRecordings, isWhole, recording, recordingNames, told, type Recording,
} from './recordings.ts';
import { joined, run, runToError } from './support.ts';

interface Expected {
  /** Input and output, as the provider counts. */
  usage: [number, number];
  /** The arguments of the calls, in order. */
  calls?: object[];
  /** What the text begins with. */
  text?: string;
  reasoning?: string;
}

const SUNNY = { elements: [{ location: 'San Francisco', temperature: 58, condition: 'sunny' }] };
const WEATHER = { location: 'San Francisco' };
const SUM = { a: 12, b: 7, op: 'add' };
const PRODUCT = { a: 19, b: 3, op: 'multiply' };
const TENFOLD = { a: 57, b: 10, op: 'multiply' };
const CALCULATING = '**Calculating step-by-step using calculator**\n\nI\'ll compute 12 plus 7';

/** What each recording of a whole answer comes to. */
const ANSWERS: Record<string, Expected> = {
  'anthropic-clear-thinking.1': { usage: [69, 53], text: '925 ÷ 5 = 185',
    reasoning: 'The previous result was 925. Now I need to divide' },
  'anthropic-clear-tool-uses.1': { usage: [859, 122], text: '\n\nHere\'s a comparison of the' },
  'anthropic-combined-context-editing.1': { usage: [50, 485], text: '# 25 × 37\n\nLet me break',
    reasoning: 'I need to calculate 25 * 37 step by step.\n\nLet me' },
  // Of two requests, which the provider made of one and bills as two.
  'anthropic-compaction.1': { usage: [60_997, 3_341], text: '## Summary of Conversation\n\n###' },
  'anthropic-json-tool.2': { usage: [849, 47], calls: [SUNNY],
    text: 'I\'ll invoke the JSON response tool.' },
  'anthropic-text': { usage: [12, 30], text: 'Hello! I\'m doing well, thank you for asking. How' },
  'anthropic-tool-no-args': { usage: [565, 48], calls: [{}],
    text: 'I\'ll update the issue list for you.' },
  'azure-model-router.1': { usage: [15, 78], text: 'Capital of Denmark.' },
  'deepseek-reasoning': { usage: [18, 219], text: 'The word "strawberry" contains three "r"s.',
    reasoning: 'We need to count the number of the letter "r" in' },
  'deepseek-text': { usage: [13, 400], text: '## **Holiday Name:** Starlight Remembrance' },
  'deepseek-tool-call': { usage: [339, 83], calls: [WEATHER],
    reasoning: 'The user is asking for the weather in San Francis' },
  'duplicate-message-start': { usage: [17, 227], text: 'Hello, World!' },
  'google-reasoning-gemini3': { usage: [9, 325], text: 'There are **3** "r"s in strawberry.\n\n' },
  'google-text': { usage: [9, 208], text: 'There are **3** "r"s in strawberry.\n\nst**r**' },
  'google-tool-call-gemini3': { usage: [29, 819], calls: [WEATHER] },
  'groq-reasoning': { usage: [17, 1_107], text: 'The word **"strawberry"** is spelled as',
    reasoning: 'Okay, let me try to figure out how many times the' },
  'groq-text': { usage: [45, 662], text: 'Introducing "Luminaria" - a new holiday that' },
  'groq-tool-call': { usage: [210, 15], calls: [{}] },
  'lmstudio-basic.1': { usage: [31, 282], text: '## The Festival of Whispering Leaves (Feasts' },
  'lmstudio-tool-call.1': { usage: [182, 61], calls: [WEATHER],
    text: 'I\'ll get the current weather information for San Francisco for you.' },
  'oai-enc-step1': { usage: [134, 28], calls: [SUM], reasoning: CALCULATING },
  'oai-enc-step2': { usage: [221, 26], calls: [PRODUCT] },
  'oai-enc-step3': { usage: [260, 26], calls: [TENFOLD] },
  'oai-enc-step4': { usage: [299, 12], text: 'The final result is **570**.' },
  'openai-compaction.1': { usage: [51_097, 2_505], text: '### Testing strategies: unit vs integ' },
  'openai-phase.1': { usage: [7_112, 463], text: 'Got itHere are a few **AI' },
  // The four steps above, in one stream.
  'openai-reasoning-encrypted-content.1': { usage: [299, 12], calls: [SUM, PRODUCT, TENFOLD],
    reasoning: CALCULATING, text: 'The final result is **570**.' },
  'openai-text': { usage: [16, 300], text: '**Holiday Name:** Harmony Day\n\n**Date:**' },
  // Its completion tokens do not count the thinking; the total does.
  'xai-text': { usage: [12, 342], text: 'Grok', reasoning: 'First, the user said: "Say a single' },
  'xai-tool-call': { usage: [307, 253], calls: [WEATHER],
    reasoning: 'First, the user is asking about the weather in San' },
};

/** What recordings of something else come to. */
const FAILURES: Record<string, { code: string; retryable: boolean; message: RegExp }> = {
  'anthropic-refusal': { code: 'model_error', retryable: false, message: /withheld the answer/ },
  'openai-error.1': { code: 'model_rate_limited', retryable: false, message: /no credit left/ },
  // Two of its lines lack their last brace.
  'parallel-tool-call-wrapper.1': { code: 'model_error', retryable: true, message: /broke off/ },
  'spliced-message-start': { code: 'model_error', retryable: true, message: /broke off/ },
};

/** A model whose provider answers each request with the next of these. */
async function replay(t: Test, model: string, ...answers: Answer[]) {
  return (await providerServer(t, ...answers)).models().resolve(model);
}

/** The same for each of several. */
async function forEach(
  t: Test, names: readonly string[], check: (t: Test, recorded: Recording) => Promise<void>) {
  for (const name of names) await t.test(name, (t) => check(t, recording(name)));
}

t.test('each recording is known here', async (t) => {
  if (!haveRecordings(t)) return;
  const known = [...Object.keys(ANSWERS), ...Object.keys(FAILURES)].sort();
  t.strictSame(recordingNames(), known);
});

t.test('whole answers', async (t) => {
  if (!haveRecordings(t)) return;
  await forEach(t, Object.keys(ANSWERS), async (t, recorded) => {
    const expected = ANSWERS[recorded.name]!;
    const model = await replay(t, recorded.model, streamed(recorded.payloads));
    const { parts, result } = await run(model);
    const texts = result.content.filter((part) => part.type === 'output_text');
    const calls = result.content.filter((part) => part.type === 'tool_call');
    const said = texts.map(({ text }) => text).join('');
    const { text, reasoning } = told(recorded);
    t.equal(said, text);
    t.ok(said.startsWith(expected.text ?? '') && (said === '') === (expected.text === undefined));
    const thought = Object.values(joined(parts, 'reasoning.summary.delta')).join('');
    t.equal(thought, reasoning);
    t.ok(thought.startsWith(expected.reasoning ?? ''));
    t.equal(thought === '', expected.reasoning === undefined);
    t.strictSame(calls.map((call) => call.arguments), expected.calls ?? []);
    t.strictSame(result.usage,
      { input_tokens: expected.usage[0], output_tokens: expected.usage[1] });

    t.equal(joined(parts, 'message.output.delta')[result.message_id] ?? '', said);
    const streamedArguments = joined(parts, 'tool_call.arguments.delta');
    t.strictSame(calls.map(({ tool_call_id }) => JSON.parse(streamedArguments[tool_call_id]!)),
      calls.map((call) => call.arguments));
    t.strictSame(parts.filter(({ type }) => type === 'tool_call.started'), calls.map(
      ({ tool_call_id, name }) => ({ type: 'tool_call.started', tool_call_id, name })));
    t.strictSame(result.invalid_arguments, {});
    t.equal(result.provider.model, recorded.model);
  });
});

t.test('what is no answer', async (t) => {
  if (!haveRecordings(t)) return;
  await forEach(t, Object.keys(FAILURES), async (t, { name, model, payloads }) => {
    const { error } = await runToError(await replay(t, model, streamed(payloads)));
    t.ok(error instanceof ModelError);
    t.match(error, FAILURES[name]!);
  });
});

t.test('a call of calls, with its braces', async (t) => {
  if (!haveRecordings(t)) return;
  const { model, payloads } = recording('parallel-tool-call-wrapper.1');
  const mended = payloads.map((line) => {
    try {
      return JSON.stringify(JSON.parse(line));
    } catch {
      return `${line}}`;
    }
  });
  const { result } = await run(await replay(t, model, streamed(mended)));
  // It names no action, and so is refused by the gateway, with a message that says what is missing.
  t.match(result.content, [{ type: 'tool_call', name: 'call_action', arguments: { tool_uses: [
    { recipient_name: 'functions.weather', parameters: WEATHER },
    { recipient_name: 'functions.cityAttractions', parameters: { city: 'Rome' } },
  ] } }]);
  t.strictSame(result.usage, { input_tokens: 34, output_tokens: 28 });
});

/** Where to cut a stream of so many payloads: near its ends and between. */
function placesToCut(length: number): number[] {
  const places = [1, Math.floor(length / 3), Math.floor(length * 0.7), length - 1];
  return [...new Set(places)].filter((at) => at >= 0);
}

t.test('cut anywhere, an answer is none', async (t) => {
  if (!haveRecordings(t)) return;
  await forEach(t, Object.keys(ANSWERS), async (t, { model, payloads }) => {
    const cuts = placesToCut(payloads.length).flatMap((at) =>
      (['cut', 'whole'] as const).map((end) => ({ at, end, sent: payloads.slice(0, at) })))
      // Whoever got an answer's last word may take it as whole, or not.
      .filter(({ sent }) => !isWhole(sent));
    t.ok(cuts.length > 0);
    const cutOff = await replay(t, model, ...cuts.map(({ sent, end }) => streamed(sent, end)));
    for (const { at, end } of cuts) {
      const { error } = await runToError(cutOff);
      t.ok(error instanceof ModelError, `after ${at} of ${payloads.length}, ${end}`);
      t.match(error, { code: 'model_error', retryable: true,
        message: 'The model\'s answer broke off before it was complete.' });
    }
  });
});

/** Recordings with a call, and a piece without which its arguments are no JSON. */
const DAMAGES: Record<string, string> = {
  'deepseek-tool-call': '"arguments":": "',
  'anthropic-json-tool.2': '"partial_json":"}"',
  'oai-enc-step2': '"delta":"19"',
};

t.test('arguments with a piece missing are never a call\'s', async (t) => {
  if (!haveRecordings(t)) return;
  for (const [name, piece] of Object.entries(DAMAGES)) {
    const { model, payloads } = recording(name);
    const damaged = payloads.filter((line) => !line.includes(piece));
    t.ok(damaged.length < payloads.length, `${name} holds ${piece}`);
    const { result } = await run(await replay(t, model, streamed(damaged)));
    const [call] = result.content.filter((part) => part.type === 'tool_call');
    t.strictSame(call!.arguments, {}, name);
    t.throws(() => JSON.parse(result.invalid_arguments[call!.tool_call_id]!) as unknown);
  }
});
