/** What goes wrong at a provider, in each vendor's own words, over the wire. */
import t from 'tap';
import { ModelError } from '../../src/models/model.ts';
import {
  MODELS, modelsAt, providerServer, refused, streamed, type Answer,
} from './providerServer.ts';
import { freePort } from '../support/freePort.ts';
import { request, run, runToError } from './support.ts';

type Model = (typeof MODELS)[number];
const [OPENAI, ANTHROPIC, GOOGLE, COMPATIBLE] = MODELS;

const openai = (message: string, type: string, code: string | null = null) =>
  ({ error: { message, type, param: null, code } });
const anthropic = (message: string, type: string) =>
  ({ type: 'error', error: { type, message }, request_id: 'req_1' });
const google = (code: number, message: string, status: string, details: object[] = []) =>
  ({ error: { code, message, status, details } });

interface Refusal { model: Model; status: number; body: unknown; headers?: Record<string, string> }

/** What each of these answers comes to. */
async function failuresOf(t: import('tap').Test, refusals: Refusal[]): Promise<ModelError[]> {
  const server = await providerServer(t,
    ...refusals.map(({ status, body, headers }) => refused(status, body, headers)));
  const errors: ModelError[] = [];
  for (const { model } of refusals) {
    const { error } = await runToError(server.models().resolve(model));
    t.ok(error instanceof ModelError);
    errors.push(error as ModelError);
  }
  return errors;
}

t.test('a refused key: the message names its variable, and does not hold it', async (t) => {
  const errors = await failuresOf(t, [
    { model: OPENAI, status: 401, body: openai('Incorrect API key provided: sk-canary-openai. You'
      + ' can find your API key at https://platform.openai.com.', 'invalid_request_error',
    'invalid_api_key') },
    { model: ANTHROPIC, status: 401, body: anthropic('invalid x-api-key', 'authentication_error') },
    // Google answers a wrong key with a 400.
    { model: GOOGLE, status: 400, body: google(400, 'API key not valid. Please pass a valid API'
      + ' key.', 'INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]) },
    { model: COMPATIBLE, status: 401, body: { detail: 'no such key: canary-compatible' } },
    { model: COMPATIBLE, status: 403, body: 'Forbidden' },
  ]);
  t.strictSame(errors.map(({ message }) => /refused the service's key .* check (\w+)\.$/
    .exec(message)?.[1]), ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'MODEL_API_KEY',
    'MODEL_API_KEY']);
  for (const { message, retryable } of errors) {
    t.notMatch(message, /canary/);
    t.equal(retryable, false);
  }
});

t.test('a refusal that is not for the key, and a deployment that is not there', async (t) => {
  const errors = await failuresOf(t, [
    { model: COMPATIBLE, status: 403, body: { error: { code: 403, message: 'Your chosen model'
      + ' requires moderation and your input was flagged' } } },
    { model: OPENAI, status: 403, body: openai('Country, region, or territory not supported.',
      'request_forbidden', 'unsupported_country_region_territory') },
    { model: OPENAI, status: 404, body: openai('The API deployment for this resource does not'
      + ' exist.', 'invalid_request_error', 'DeploymentNotFound') },
  ]);
  t.match(errors, [
    { retryable: false, message: /403\): .* your input was flagged\. If it is the key/ },
    { retryable: false, message: /403\): Country, .* not supported\. If .* OPENAI_API_KEY\.$/ },
    { retryable: false, message: /knows no model "gpt-5\.1"/ },
  ]);
});

t.test('a refused request is quoted, without keys', async (t) => {
  const said = (message: string): Refusal =>
    ({ model: OPENAI, status: 400, body: openai(message, 'invalid_request_error') });
  const quotes = await failuresOf(t, [
    said('Unsupported value: \'reasoning.effort\' does not support \'max\'.'),
    said('Odd: sk-canary-openai, sk-proj-12345678, AIzaSyA-12345678 and pk_live_12345678'),
    said(`A token: ${'0123456789abcdef'.repeat(4)}`),
    said('long '.repeat(200)),
    { model: COMPATIBLE, status: 422, body: { detail: 'max_tokens must be below 4096' } },
    { model: COMPATIBLE, status: 400, body: { object: 'error', message: 'template has no tools',
      type: 'BadRequestError', code: 400 } },
    { model: COMPATIBLE, status: 400, body: { error: 'model does not support tools' } },
    // FastAPI, Google's server of chat completions, Cloudflare.
    { model: COMPATIBLE, status: 422, body: { detail: [{ type: 'extra_forbidden',
      loc: ['body', 'tools', 0], msg: 'Extra inputs are not permitted', input: 'theirs' }] } },
    { model: COMPATIBLE, status: 400, body: [google(400, 'No such tool', 'INVALID_ARGUMENT')] },
    { model: COMPATIBLE, status: 400, body: { errors: [{ code: 7, message: 'No such route' }] } },
    { model: COMPATIBLE, status: 400,
      body: { message: 'No such place', errors: [{ message: 'Bad input' }] } },
  ]);
  const begin = /^The model's provider refused the request \(HTTP status (400|422)\): /;
  const texts = quotes.map(({ message }) => message.replace(begin, ''));
  t.strictSame(texts, [
    'Unsupported value: \'reasoning.effort\' does not support \'max\'.',
    'Odd: …, …, … and …', 'A token: …', 'long '.repeat(60),
    'max_tokens must be below 4096', 'template has no tools', 'model does not support tools',
    'body.tools.0: Extra inputs are not permitted', 'No such tool', 'No such route',
    'No such place',
  ]);
  t.ok(quotes.every(({ code, retryable }) => code === 'model_error' && !retryable));
});

t.test('a page, or nothing, in place of an error', async (t) => {
  const server = await providerServer(t, (response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
  }, (response) => { response.writeHead(400).end(); }, (response) => {
    response.writeHead(400, { 'content-type': 'text/plain' }).end('no such\n  field');
  });
  const errors: unknown[] = [];
  for (let n = 0; n < 3; n++) {
    errors.push((await runToError(server.models().resolve(COMPATIBLE))).error);
  }
  t.match(errors, [
    { retryable: true, message: /provider answered with HTTP status 502: Bad Gateway$/ },
    { retryable: false, message: /HTTP status 400/ },
    { retryable: false, message: /HTTP status 400\): no such field$/ },
  ]);
});

t.test('a refusal that calls itself a stream of events', async (t) => {
  const headers = { 'content-type': 'text/event-stream' };
  const errors = await failuresOf(t, [COMPATIBLE, ANTHROPIC].flatMap((model) => [
    { model, status: 429, headers, body: openai('Please try again in 20s.', 'rate_limit_error') },
    { model, status: 429, headers, body: openai('No more.', 'insufficient_quota') },
    { model, status: 400, headers, body: openai('Its maximum context length is 4096 tokens.', '') },
    { model, status: 404, headers, body: openai('The model does not exist', 'not_found_error') },
  ]));
  const said = [{ code: 'model_rate_limited', retryable: true, retry_after_ms: 20_000 },
    { retryable: false, message: /no credit left/ }, { message: /longer than the model's context/ },
    { message: /knows no model/ }];
  t.match(errors, [...said, ...said]);
});

t.test('a prompt that is too long, in each vendor\'s words', async (t) => {
  const errors = await failuresOf(t, [
    { model: OPENAI, status: 400, body: openai('Your input exceeds the context window of this'
      + ' model. Please adjust your input and try again.', 'invalid_request_error',
    'context_length_exceeded') },
    { model: ANTHROPIC, status: 400, body: anthropic('prompt is too long: 208310 tokens > 200000'
      + ' maximum', 'invalid_request_error') },
    { model: ANTHROPIC, status: 400, body: anthropic('input length and `max_tokens` exceed context'
      + ' limit: 199000 + 16000 > 200000, decrease input length or `max_tokens` and try again',
    'invalid_request_error') },
    { model: ANTHROPIC, status: 413, body: anthropic('Request exceeds the maximum size',
      'request_too_large') },
    { model: GOOGLE, status: 400, body: google(400, 'The input token count (1200000) exceeds the'
      + ' maximum number of tokens allowed (1048576).', 'INVALID_ARGUMENT') },
    { model: COMPATIBLE, status: 400, body: [google(400, 'The input token count (12000) exceeds the'
      + ' maximum number of tokens allowed (8192).', 'INVALID_ARGUMENT')] },
    // vLLM, now and before; llama.cpp; xAI; LiteLLM.
    { model: COMPATIBLE, status: 400, body: openai('This model\'s maximum context length is 4096'
      + ' tokens. However, you requested 5000 tokens.', 'BadRequestError') },
    { model: COMPATIBLE, status: 400, body: { object: 'error', message: 'This model\'s maximum'
      + ' context length is 4096 tokens.', type: 'BadRequestError', param: null, code: 400 } },
    { model: COMPATIBLE, status: 400, body: { error: { code: 400, type: 'exceed_context_size_error',
      message: 'the request exceeds the available context size, try increasing it' } } },
    { model: COMPATIBLE, status: 400, body: openai('This model\'s maximum prompt length is 131072'
      + ' but the request contains 537812 tokens.', 'invalid_request_error') },
    { model: COMPATIBLE, status: 400, body: openai('litellm.ContextWindowExceededError: too long',
      'invalid_request_error') },
    // Moonshot, Zhipu, Alibaba, Hugging Face's TGI, Cohere.
    ...['Invalid request: Your request exceeded model token limit: 262144', 'Prompt exceeds max'
      + ' length', '<400> InternalError.Algo.InvalidParameter: Range of input length should be'
      + ' [1, 129024]', 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 9',
      'too many tokens: size limit exceeded by 1000 tokens.']
      .map((said) => ({ model: COMPATIBLE, status: 400, body: openai(said, 'invalid_request') })),
  ]);
  for (const { message, code, retryable } of errors) {
    t.match({ message, code, retryable }, { code: 'model_error',
      retryable: false, message: /longer than the model's context holds/ });
  }
});

/** OpenAI's words for organisations of its lower tiers. */
const LOWER_TIER = 'Rate limit reached for gpt-5.1 on tokens per min (TPM): Limit 30000, Used 29000'
  + ', Requested 2000. Please try again in 2s. You can increase your rate limit by adding a payment'
  + ' method to your account at https://platform.openai.com/account/billing.';
const violated = (quotaId: string) => ({ '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generate_content_free_tier_requests', quotaId }] });
const retryIn = (retryDelay: string) =>
  ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

t.test('no credit, and rates that pass', async (t) => {
  const quota = 'You exceeded your current quota, please check your plan and billing details.';
  const errors = await failuresOf(t, [
    { model: OPENAI, status: 429, body: openai(quota, 'insufficient_quota', 'insufficient_quota'),
      headers: { 'retry-after': '3' } },
    { model: ANTHROPIC, status: 400, body: anthropic('Your credit balance is too low to access the'
      + ' Anthropic API.', 'invalid_request_error') },
    { model: GOOGLE, status: 429, body: google(429, 'Your prepayment credits are depleted. Please'
      + ' go to AI Studio to manage your project and billing.', 'RESOURCE_EXHAUSTED') },
    { model: GOOGLE, status: 429, body: google(429, quota, 'RESOURCE_EXHAUSTED', [
      violated('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), retryIn('34.5s')]) },
    // OpenRouter, DeepSeek, and who sells on what they do.
    { model: COMPATIBLE, status: 402, body: { error: { code: 402, message: 'Insufficient credits.'
      + ' Add more using https://openrouter.ai/settings/credits' } } },
    { model: COMPATIBLE, status: 402, body: openai('Insufficient Balance', 'unknown_error',
      'invalid_request_error') },
    { model: COMPATIBLE, status: 400, body: openai('Insufficient Balance', 'unknown_error',
      'invalid_request_error') },
    // The requests of a minute, in the same words.
    { model: GOOGLE, status: 429, body: google(429, quota, 'RESOURCE_EXHAUSTED', [
      violated('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'), retryIn('34.5s')]) },
    { model: GOOGLE, status: 429, body: google(429, quota, 'RESOURCE_EXHAUSTED') },
    { model: OPENAI, status: 429, body: openai(LOWER_TIER, 'tokens', 'rate_limit_exceeded') },
    { model: COMPATIBLE, status: 429, body: openai(LOWER_TIER, 'tokens', 'rate_limit_exceeded') },
    { model: OPENAI, status: 429, body: openai('Rate limit reached for gpt-5.1', 'tokens',
      'rate_limit_exceeded'), headers: { 'retry-after-ms': '250', 'retry-after': '1' } },
  ]);
  const limited = { code: 'model_rate_limited', retryable: true, message: /limits the rate/ };
  const broke = { code: 'model_rate_limited', retryable: false, message: /no credit left/ };
  t.match(errors, [broke, broke, broke, broke, broke, broke, broke,
    { ...limited, retry_after_ms: 34_500 }, { ...limited, retry_after_ms: undefined },
    { ...limited, retry_after_ms: 2_000 }, { ...limited, retry_after_ms: 2_000 },
    { ...limited, retry_after_ms: 250 }]);
});

t.test('a prompt that alone has more tokens than a minute may have', async (t) => {
  const said = 'Request too large for model `llama` on tokens per minute (TPM): Limit 12000,'
    + ' Requested 13058, please reduce your message size and try again. Need more tokens? Upgrade'
    + ' to Dev Tier today at https://console.groq.com/settings/billing';
  const at_openai = 'Request too large for gpt-4o in organization org-1 on tokens per min (TPM):'
    + ' Limit 30000, Requested 30601. The input or output tokens must be reduced in order to run'
    + ' successfully. Visit https://platform.openai.com/account/rate-limits to learn more.';
  const errors = await failuresOf(t, [
    { model: COMPATIBLE, status: 413, body: openai(said, 'tokens', 'rate_limit_exceeded') },
    { model: OPENAI, status: 429, body: openai(at_openai, 'tokens', 'rate_limit_exceeded') },
    { model: COMPATIBLE, status: 429, body: openai(at_openai, 'tokens', 'rate_limit_exceeded') },
  ]);
  const refused = (status: number, words: string) => ({ code: 'model_error', retryable: false,
    message: `The model's provider refused the request (HTTP status ${status}): ${words}` });
  t.match(errors, [refused(413, said), refused(429, at_openai), refused(429, at_openai)]);
  for (const error of errors) t.ok(error.prompt_chars! > 50, 'with less of it, it may go');
});

/** The beginning of each vendor's stream, and how it says there that it is overloaded. */
const STREAMS: Record<Model, { begins: object[]; overloaded: object; limited: object }> = {
  [OPENAI]: {
    begins: [{ type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'm' } },
      { type: 'response.output_item.added', output_index: 0,
        item: { type: 'message', id: 'msg_1' } },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Half an ans' }],
    overloaded: { type: 'response.failed', sequence_number: 4, response: { id: 'resp_1',
      status: 'failed', error: { code: 'server_error', message: 'The server had an error' } } },
    limited: { type: 'error', sequence_number: 4, error: { type: 'tokens',
      code: 'rate_limit_exceeded', message: 'Rate limit reached', param: null } },
  },
  [ANTHROPIC]: {
    begins: [{ type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant',
      content: [], model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half an ans' } }],
    overloaded: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    limited: { type: 'error', error: { type: 'rate_limit_error', message: 'Too many' } },
  },
  [GOOGLE]: {
    begins: [{ candidates: [{ content: { role: 'model', parts: [{ text: 'Half an ans' }] } }] }],
    overloaded: google(503, 'The model is overloaded.', 'UNAVAILABLE'),
    limited: google(429, 'Too many', 'RESOURCE_EXHAUSTED'),
  },
  [COMPATIBLE]: {
    begins: [{ id: 'c', choices: [{ index: 0, delta: { content: 'Half an ans' } }] }],
    overloaded: { error: { message: 'overloaded', type: 'server_error', code: 503 } },
    limited: { error: { message: 'slow down', type: 'rate_limit_error', code: 429 } },
  },
};

for (const model of MODELS) {
  const { begins, overloaded, limited } = STREAMS[model];
  const lines = (...events: object[]) => events.map((event) => JSON.stringify(event));

  t.test(`${model}: an error inside the stream`, async (t) => {
    const server = await providerServer(t, streamed(lines(...begins, overloaded)),
      streamed(lines(...begins, limited)), streamed(lines(overloaded)), streamed(lines(limited)));
    const failed = async () => await runToError(server.models().resolve(model));
    for (const heard of ['Half an ans', undefined]) {
      const first = await failed();
      t.match(first.error, { code: 'model_error', retryable: true });
      t.match(first.parts, heard === undefined ? [] : [{ delta: heard }]);
      t.match((await failed()).error, { code: 'model_rate_limited', retryable: true });
    }
  });

  t.test(`${model}: an event that is none, first or later`, async (t) => {
    const [garbled, page] = [lines(overloaded)[0]!.slice(0, 9), '<html>Bad gateway</html>'];
    const server = await providerServer(t, streamed([garbled]), streamed([page]),
      streamed([...lines(...begins), garbled]), streamed([...lines(...begins), page]));
    for (const at of ['first', 'first', 'later', 'later']) {
      const { error } = await runToError(server.models().resolve(model));
      t.match(error, { code: 'model_error', retryable: true, message: /broke off/ }, at);
    }
  });

  t.test(`${model}: silence, an abort, a step that is left`, async (t) => {
    const closed: Promise<void>[] = [];
    const server = await providerServer(t, (response) => {
      closed.push(new Promise((resolve) => { response.on('close', resolve); }));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const line of lines(...begins)) response.write(`data: ${line}\n\n`);
    });
    const silent = await runToError(server.models({ model_idle_ms: 2_000 }).resolve(model));
    t.match(silent.error,
      { code: 'model_error', retryable: true, message: /nothing for too long/ });
    t.match(silent.parts, [{ delta: 'Half an ans' }]);
    await closed[0];

    const abort = new AbortController();
    const reason = new Error('the run was cancelled');
    const step = server.models().resolve(model).step(request({ signal: abort.signal }));
    t.match(await step.next(), { value: { delta: 'Half an ans' } });
    const next = step.next();
    abort.abort(reason);
    await t.rejects(next, reason);
    await closed[1];

    for await (const part of server.models().resolve(model).step(request())) {
      t.match(part, { delta: 'Half an ans' });
      break;
    }
    await closed[2];
    t.equal(server.requests.length, 3);
  });
}

t.test('OpenAI: a rate that passes, inside the stream, in the words for lower tiers', async (t) => {
  const failed = { type: 'response.failed', sequence_number: 4, response: { id: 'resp_1',
    status: 'failed', error: { code: 'rate_limit_exceeded', message: LOWER_TIER } } };
  for (const events of [[failed], [...STREAMS[OPENAI].begins, failed]]) {
    const server = await providerServer(t, streamed(events.map((event) => JSON.stringify(event))));
    const { error } = await runToError(server.models().resolve(OPENAI));
    t.match(error, { code: 'model_rate_limited', retryable: true, message: /limits the rate/,
      retry_after_ms: 2_000 });
  }
});

t.test('Gemini: an answer that ended for another reason than it has words for', async (t) => {
  const ends = (text?: string) => streamed([JSON.stringify({ candidates: [{ finishReason: 'OTHER',
    ...(text !== undefined && { content: { role: 'model', parts: [{ text }] } }) }] })]);
  const server = await providerServer(t, ends(), ends('Half an'));
  const { error } = await runToError(server.models().resolve(GOOGLE));
  t.match(error, { code: 'model_error', retryable: true, message: /broke off/,
    cause: { message: 'finish reason OTHER' } });
  const { result } = await run(server.models().resolve(GOOGLE));
  t.equal(result.provider.incomplete_reason, 'other');
});

t.test('thinking that used up the answer\'s tokens', async (t) => {
  const server = await providerServer(t, streamed([
    { choices: [{ delta: { reasoning_content: 'Hm, hm, hm' } }] },
    { choices: [{ delta: {}, finish_reason: 'length' }] },
  ].map((chunk) => JSON.stringify(chunk))));
  const { parts, error } = await runToError(server.models().resolve(COMPATIBLE));
  t.match(parts, [{ type: 'reasoning.summary.delta', delta: 'Hm, hm, hm' }]);
  t.match(error, { code: 'model_error', retryable: false,
    message: /used all tokens of its answer for thinking, or its context is full\..*CONTEXT/ });
});

t.test('an address where there is no provider', async (t) => {
  const page = (status: number): Answer => (response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><title>Sign in</title>');
  };
  for (const model of MODELS) {
    for (const status of [200, 404]) {
      const server = await providerServer(t, page(status));
      const { error } = await runToError(server.models().resolve(model));
      t.match(error, { code: 'model_error', retryable: false, message: new RegExp('^The address of'
        + ' the model\'s provider answered with (a web page|HTTP status 404), as if no provider'
        + ' was there\\. .*_BASE_URL\\.$') }, `${model} ${status}`);
    }
  }
});

t.test('a server that is not there', async (t) => {
  const nobody = modelsAt(`http://127.0.0.1:${await freePort()}`);
  for (const model of MODELS) {
    t.match((await runToError(nobody.resolve(model))).error, { code: 'model_error', retryable: true,
      message: 'The model\'s provider could not be reached.' });
  }
});
