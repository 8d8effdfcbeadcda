/** What gateways and servers of one's own say when they cannot answer. */
import t, { type Test } from 'tap';
import type { ModelError } from '../../src/models/model.ts';
import { providerServer, refused, streamed, type Answer } from './providerServer.ts';
import { runToError } from './support.ts';

/** What these answers come to, one after the other. */
async function failuresOf(t: Test, ...answers: Answer[]): Promise<ModelError[]> {
  const server = await providerServer(t, ...answers);
  const model = server.models().resolve('compatible/local');
  const errors: ModelError[] = [];
  for (const _ of answers) errors.push((await runToError(model)).error as ModelError);
  return errors;
}

t.test('OpenRouter: what the provider behind it has said', async (t) => {
  const told = (code: number, raw: unknown) => ({ user_id: 'user_1',
    error: { message: 'Provider returned error', code, metadata: { raw, provider_name: 'X' } } });
  const behind = (message: string) =>
    JSON.stringify({ error: { message, type: 'invalid_request_error', code: 400 } });
  const inStream = streamed([JSON.stringify({ id: 'c', ...told(400, behind('The maximum context'
    + ' length is 8192 tokens.')), choices: [{ index: 0, delta: {}, finish_reason: 'error' }] })]);
  const errors = await failuresOf(t,
    refused(400, told(400, behind('At most 1 image is supported.'))),
    refused(400, told(400, 'No such tool.')),
    refused(400, told(400, behind('Your input exceeds the context window of this model.'))),
    inStream,
    refused(429, told(429, 'z-ai/glm is rate-limited upstream. Please try again in 3s.')),
    ...['<html>Bad gateway</html>', '', undefined].map((raw) => refused(400, told(400, raw))));
  const overflow = { message: /longer than the model's context/, prompt_chars: Number };
  t.match(errors, [{ message: /\(HTTP status 400\): At most 1 image is supported\.$/ },
    { message: /\(HTTP status 400\): No such tool\.$/ }, overflow, overflow,
    { code: 'model_rate_limited', retryable: true, retry_after_ms: 3_000 },
    ...[1, 2, 3].map(() => ({ message: /\(HTTP status 400\): Provider returned error$/ }))]);
});

t.test('a model that cannot be used: why', async (t) => {
  const errors = await failuresOf(t, ...[
    // Ollama, LM Studio, OpenRouter.
    { error: { message: 'model "local" not found, try pulling it first', type: 'api_error' } },
    { error: { message: 'No models loaded.', code: 'model_not_found' } },
    { error: { message: 'No endpoints found that support tool use.', code: 404 } },
  ].map((body) => refused(404, body)));
  const unknown = (why: string) => ({ retryable: false, message: 'The model\'s provider knows no'
    + ` model "local", or the service's key may not use it: ${why}. Name another model.` });
  t.match(errors, [unknown('model "local" not found, try pulling it first'),
    unknown('No models loaded'), unknown('No endpoints found that support tool use')]);
});

t.test('a fault of the server, with its words', async (t) => {
  const memory = 'model requires more system memory (5.6 GiB) than is available';
  const errors = await failuresOf(t,
    refused(500, { error: { message: memory, type: 'api_error' } }),
    refused(500, { error: { code: 500, message: 'tools param requires --jinja flag' } }),
    refused(503, {}));
  t.match(errors, [`500: ${memory}`, '500: tools param requires --jinja flag',
    '503: Service Unavailable'].map((said) => ({ retryable: true,
    message: `The model's provider answered with HTTP status ${said}` })));
});

t.test('an error inside a stream, or under a status of success: its words', async (t) => {
  const said = (error: unknown) => streamed([JSON.stringify(error)]);
  const errors = await failuresOf(t,
    // Groq, vLLM, Ollama, LM Studio; one that holds the key; one without words.
    said({ error: { message: 'Failed to call a function.', code: 'tool_use_failed' } }),
    said({ object: 'error', message: 'No such tool parser.', type: 'BadRequestError', code: 400 }),
    said({ error: { message: 'CUDA error', type: 'api_error' } }),
    refused(200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }),
    said({ error: { message: 'Not for canary-compatible.' } }),
    said({ error: { code: 400 } }));
  const reported = (words: string, retryable = false) =>
    ({ retryable, message: `The model's provider reported an error${words}` });
  t.match(errors, [reported(': Failed to call a function.'), reported(': No such tool parser.'),
    reported(': CUDA error', true), reported(': Unexpected endpoint or method. (POST /chat/compl'),
    reported(': Not for ….'), reported('.')]);
});

t.test('a prompt, or the room for an answer, beyond the context', async (t) => {
  const errors = await failuresOf(t, ...[
    // SGLang and Together, Ollama; vLLM, of the answer.
    'The input (9000 tokens) is longer than the model\'s context length (8192 tokens).',
    'the input length exceeds the context length',
    '\'max_tokens\' is too large: 16000. This model\'s maximum context length is 8192 tokens and'
      + ' your request has 1200 input tokens (16000 > 8192 - 1200).',
  ].map((message) => refused(400, { error: { message, type: 'BadRequestError', code: 400 } })));
  for (const error of errors) {
    t.match(error, { retryable: false, prompt_chars: Number,
      message: /^The conversation is longer than .* a short one .* MODEL_CONTEXT_TOKENS/ });
  }
});

t.test('keys and money, by other statuses', async (t) => {
  const errors = await failuresOf(t,
    // xAI; LiteLLM, now and before.
    refused(400, { code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: xa***ry.' }),
    ...[422, 429].map((code) => refused(code, { error: { type: 'budget_exceeded', code: `${code}`,
      message: 'Budget has been exceeded! Current cost: 0.02, Max budget: 0.01' } })));
  const broke = { code: 'model_rate_limited', retryable: false, message: /no credit left/ };
  t.match(errors, [{ retryable: false, message: /refused the service's key .* MODEL_API_KEY\.$/ },
    broke, broke]);
});
