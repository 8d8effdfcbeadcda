import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import t from 'tap';
import { fromLanguageModel } from '../../src/models/languageModel.ts';
import { ModelError } from '../../src/models/modelError.ts';
import { FINISH, provider, request, run, runToError, scripted, USAGE } from './support.ts';

const HALF: LanguageModelV4StreamPart[] = [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'half an ans' },
];

/** What the provider says in USAGE. */
const COUNTED = { input_tokens: 7, output_tokens: 3 };

const finish = (
  unified: 'interrupted' | 'error' | 'content-filter' | 'other' | 'stop', raw?: string,
): LanguageModelV4StreamPart =>
  ({ type: 'finish', usage: USAGE, finishReason: { unified, raw } });

const model = (parts: LanguageModelV4StreamPart[]) =>
  fromLanguageModel(scripted(parts), { key: 'test' });

function apiCallError(statusCode: number | undefined, responseHeaders = {}): APICallError {
  return new APICallError({
    message: 'Incorrect key sk-secret', url: 'https://example.com', requestBodyValues: {},
    statusCode, responseHeaders,
  });
}

t.test('a stream without a finish to be trusted is a broken one', async (t) => {
  const call: LanguageModelV4StreamPart[] = [
    { type: 'tool-input-start', id: 'c', toolName: 'call_action' },
    { type: 'tool-input-delta', id: 'c', delta: '{"action":"a.b","inp' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'call_action', input: '{"action":"a.b","inp' },
  ];
  // A server of chat completions says it in words that the package for them does not know.
  const said = ['error', 'network_error', 'insufficient_system_resource', 'abort']
    .map((raw) => [...HALF, finish('other', raw)]);
  for (const stream of [
    HALF, [...HALF, finish('interrupted')], [...HALF, finish('error')], ...said, call,
  ]) {
    const { parts, error } = await runToError(model(stream));
    t.ok(parts.length > 0, 'what came was shown');
    t.ok(error instanceof ModelError);
    t.match(error, { code: 'model_error', retryable: true });
    const is_counted = stream.at(-1)!.type === 'finish';
    t.strictSame((error as ModelError).usage, is_counted ? COUNTED : null);
    if (is_counted) t.match((error as ModelError).cause, /^Error: finish reason \w+$/);
  }
});

t.test('a stream that breaks while it is read', async (t) => {
  const broken = provider(() => new ReadableStream({
    start(controller) {
      for (const part of HALF) controller.enqueue(part);
    },
    pull(controller) {
      controller.error(new TypeError('terminated'));
    },
  }));
  const { parts, error } = await runToError(fromLanguageModel(broken, { key: 'test' }));
  t.ok(error instanceof ModelError);
  t.match(error, { code: 'model_error', retryable: true });
  t.ok(parts.length <= 1);
});

t.test('errors inside the stream are plain objects', async (t) => {
  const cases: [error: unknown, expected: object][] = [
    [{ type: 'overloaded_error', message: 'x' }, { code: 'model_error', retryable: true }],
    [{ error: { type: 'server_error' } }, { code: 'model_error', retryable: true }],
    [{ error: { code: 503 } }, { code: 'model_error', retryable: true }],
    [{ type: 'rate_limit_error' }, { code: 'model_rate_limited', retryable: true }],
    [{ error: { code: 429 } }, { code: 'model_rate_limited', retryable: true }],
    [{ type: 'invalid_request_error' }, { code: 'model_error', retryable: false }],
    [{ type: 'overloaded_error', isRetryable: false }, { code: 'model_error', retryable: false }],
    [{ type: 'odd', isRetryable: true }, { code: 'model_error', retryable: true }],
    ['server_error', { code: 'model_error', retryable: true }],
    [null, { code: 'model_error', retryable: false }],
    [apiCallError(529), { code: 'model_error', retryable: true }],
  ];
  for (const [told, expected] of cases) {
    const { error } = await runToError(model([...HALF, { type: 'error', error: told }, FINISH]));
    t.ok(error instanceof ModelError, JSON.stringify(told));
    t.match(error, expected, JSON.stringify(told));
  }
});

t.test('errors of the request', async (t) => {
  const cases: [error: Error, expected: object][] = [
    [apiCallError(429, { 'Retry-After': '7' }),
      { code: 'model_rate_limited', retryable: true, retry_after_ms: 7_000 }],
    [apiCallError(429, { 'retry-after-ms': '250', 'retry-after': '9' }), { retry_after_ms: 250 }],
    [apiCallError(429, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }), { retry_after_ms: 0 }],
    [apiCallError(429, { 'retry-after': 'Thu, 01 Jan 1970 00:00:20 GMT',
      'date': 'Thu, 01 Jan 1970 00:00:00 GMT' }), { retry_after_ms: 20_000 }],
    [apiCallError(503, { 'retry-after': 'soon' }), { retryable: true, retry_after_ms: undefined }],
    [apiCallError(401), { code: 'model_error', retryable: false }],
    [apiCallError(400), { code: 'model_error', retryable: false }],
    [new Error('API key is missing'), { code: 'model_error', retryable: false }],
  ];
  for (const [thrown, expected] of cases) {
    const failing = provider(() => {
      throw thrown;
    });
    const { error } = await runToError(fromLanguageModel(failing, { key: 'test' }));
    t.ok(error instanceof ModelError);
    t.match(error, expected);
    t.notMatch((error as ModelError).message, /sk-secret|API key/, 'quotes nothing');
    t.ok((error as ModelError).cause instanceof Error, 'but says it in the log');
  }
});

t.test('an answer that was withheld entirely', async (t) => {
  const { error } = await runToError(model([finish('content-filter')]));
  t.match(error, { code: 'model_error', retryable: false, usage: COUNTED });
});

t.test('an answer that ended for a reason that nobody knows', async (t) => {
  const { error } = await runToError(model([finish('other')]));
  t.match(error, { code: 'model_error', retryable: true, message: /broke off/, usage: COUNTED });
  const { result } = await run(model([...HALF, finish('other')]));
  t.match(result, { content: [{ text: 'half an ans' }], provider: { incomplete_reason: 'other' } });
  // Models do end so after a result that leaves nothing to say.
  const whole = ['eos_token', 'eos', 'STOP', 'tool_use'].map((raw) => finish('other', raw));
  for (const end of [finish('stop'), ...whole]) {
    t.strictSame((await run(model([end]))).result.content, []);
    t.notOk((await run(model([...HALF, end]))).result.provider.incomplete_reason, 'it is whole');
  }
});

t.test('an answer that was cut at its length, in the words of few', async (t) => {
  for (const raw of ['model_length', 'MAX_TOKENS']) {
    const { result } = await run(model([...HALF, finish('other', raw)]));
    t.equal(result.provider.incomplete_reason, 'max_output_tokens');
    t.match((await runToError(model([finish('other', raw)]))).error, { retryable: false });
  }
});

t.test('an answer without end is ended, though nothing is in it', async (t) => {
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'call_action', input: '' } as const;
  const pieces: LanguageModelV4StreamPart[] = [
    { type: 'text-delta', id: '0', delta: 'x'.repeat(100_000) },
    { type: 'text-delta', id: '0', delta: '' }, { type: 'reasoning-start', id: '0' }, call,
  ];
  for (const piece of pieces) {
    const endless = scripted((function* () {
      // A bound of this test, far beyond that of a step.
      for (let sent = 0; sent < 200_000; sent++) yield piece;
    })());
    const { error } = await runToError(fromLanguageModel(endless, { key: 'test' }));
    t.match(error, { code: 'model_error', retryable: false, message: /longer than/, usage: null },
      piece.type);
  }
});

/** A stream that sends one delta, then nothing; tells when it is cancelled. */
function hanging() {
  const cancelled = Promise.withResolvers<void>();
  const hangs = provider(() => new ReadableStream({
    start: (controller) => {
      for (const part of HALF) controller.enqueue(part);
    },
    cancel: () => cancelled.resolve(),
  }));
  return { model: (idle_ms?: number) => fromLanguageModel(hangs, { key: 'test', idle_ms }),
    hangs, cancelled: cancelled.promise };
}

t.test('an abort ends a step that waits, with the reason, and cancels the stream', async (t) => {
  const { model, hangs, cancelled } = hanging();
  const abort = new AbortController();
  const step = model().step(request({ signal: abort.signal }));
  t.match(await step.next(), { done: false });
  const next = step.next();
  const reason = new Error('the run was cancelled');
  abort.abort(reason);
  await t.rejects(next, reason);
  await cancelled;
  t.ok(hangs.calls[0]!.abortSignal!.aborted, 'the provider is told');
});

t.test('leaving a step early cancels the stream', async (t) => {
  const { model, hangs, cancelled } = hanging();
  for await (const part of model().step(request())) {
    t.match(part, { delta: 'half an ans' });
    break;
  }
  await cancelled;
  t.ok(hangs.calls[0]!.abortSignal!.aborted);
});

t.test('a provider that falls silent is given up', async (t) => {
  const { model, cancelled } = hanging();
  const { error } = await runToError(model(20));
  t.match(error, { code: 'model_error', retryable: true, message: /nothing for too long/ });
  await cancelled;
});

t.test('an abort that a provider disguises as an error of its own is an abort', async (t) => {
  const abort = new AbortController();
  const disguising = provider(() => {
    abort.abort(new Error('the run was cancelled'));
    throw apiCallError(undefined);
  });
  const { error } = await runToError(
    fromLanguageModel(disguising, { key: 'test' }), request({ signal: abort.signal }));
  t.match(error, { message: 'the run was cancelled' });
});

t.test('an abort while a provider does not even answer', async (t) => {
  const asked = Promise.withResolvers<void>();
  const mute = scripted([]);
  mute.doStream = () => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const abort = new AbortController();
  const failed = runToError(
    fromLanguageModel(mute, { key: 'test' }), request({ signal: abort.signal }));
  await asked.promise;
  abort.abort(new Error('the run was cancelled'));
  t.match(await failed, { parts: [], error: { message: 'the run was cancelled' } });
});

t.test('an aborted request asks nobody', async (t) => {
  const never = scripted([FINISH]);
  const { error } = await runToError(
    fromLanguageModel(never, { key: 'test' }), request({ signal: AbortSignal.abort('gone') }));
  t.equal(error, 'gone');
  t.equal(never.calls.length, 0);
});

t.test('an abort after the finish still counts', async (t) => {
  const abort = new AbortController();
  const late = provider(() => ReadableStream.from((function* () {
    yield* HALF;
    abort.abort(new Error('too late'));
    yield FINISH;
  })()));
  await t.rejects(
    run(fromLanguageModel(late, { key: 'test' }), request({ signal: abort.signal })),
    { message: 'too late' });
});
