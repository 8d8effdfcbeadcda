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

t.test('OpenRouter: what the provider behind it says is not of our key and account', async (t) => {
  const told = (code: number, raw: unknown) =>
    ({ error: { message: 'Provider returned error', code, metadata: { raw } } });
  const behind = (message: string, code: unknown) => JSON.stringify({ error: { message, code } });
  const inStream = (body: object) => streamed([JSON.stringify({ id: 'c', ...body,
    choices: [{ index: 0, delta: {}, finish_reason: 'error' }] })]);
  const poor = told(502, behind('Insufficient Balance', 402));
  const billed = told(429, 'Limited upstream. Retry shortly, or add a key: your billing is at X.');
  const perDay = told(429, { error: { details: [{ violations: [{ quotaId: 'XPerDayY' }] }] } });
  const errors = await failuresOf(t, refused(502, poor), inStream(poor), refused(429, billed),
    inStream(billed), refused(429, perDay),
    refused(502, told(502, behind('Incorrect API key provided: sk-...aB3d.', 'invalid_api_key'))),
    refused(404, told(404, behind('No route for /v1/chat.', 404))),
    // Its own words are.
    refused(402, told(402, 'No.')), inStream(told(401, behind('Invalid API Key', 400))));
  const limited = { code: 'model_rate_limited', retryable: true, message: /limits the rate/ };
  t.match(errors, [
    { code: 'model_error', retryable: true, message: /HTTP status 502: Insufficient Balance$/ },
    { code: 'model_error', retryable: true, message: /an error: Insufficient Balance$/ },
    limited, limited, limited,
    { retryable: true, message: /HTTP status 502: Incorrect API key provided: …\.$/ },
    { retryable: false, message: /knows no model .*: No route for \/v1\/chat\./ },
    { retryable: false, message: /no credit left/ },
    { retryable: false, message: /refused the service's key\. Its operator/ }]);
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

t.test('an address where something else is, though it speaks of models', async (t) => {
  const errors = await failuresOf(t, ...['Cannot POST /models/v1/chat/completions',
    'No endpoints found for path /v1/chat', 'No route for POST http://gw/deployments/x.',
  ].map((message) => refused(404, { error: { message } })),
  refused(404, { object: 'error', message: 'The model `/models/qwen` does not exist.' }));
  t.match(errors, [...[1, 2, 3].map(() => ({ message: /^The address .* with HTTP status 404/ })),
    { message: /knows no model "local", .*: The model `\/models\/qwen` does not exist\. Name/ }]);
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

t.test('a fault of the server: a line without keys and stacks, more in the log', async (t) => {
  const trace = 'Traceback (most recent call last):\n File "/srv/proxy.py", line 3\nKeyError: x';
  const errors = await failuresOf(t,
    refused(500, { detail: `No worker at http://u:p@10.0.0.7/v1?user=jane.\n${trace}` }),
    refused(500, { error: { message: `litellm.APIError: No worker. ${trace}` } }),
    refused(500, { error: { message: 'CUDA error\\nfor debugging pass X' } }),
    (response) => { response.writeHead(500).end(trace); },
    streamed([JSON.stringify({ error: { message: `Died.\n${trace}` } })]),
    // Half of a key does not look like one.
    refused(500, { error: `${`${'A'.repeat(100)} `.repeat(19)}last ${'Z'.repeat(99)}` }),
    // Spring.
    refused(500, { status: 500, error: 'Internal Server Error', message: 'upstream failed' }));
  const said = errors.map(({ message }) => message.replace(/^.*?(HTTP status|error)/, ''));
  t.strictSame(said, [' 500: No worker at http://…@10.0.0.7/v1?…',
    ' 500: litellm.APIError: No worker.', ' 500: CUDA error', ' 500.', ': Died.',
    ` 500: ${'… '.repeat(19)}last`, ' 500: upstream failed']);
  t.match(errors.slice(0, 5), [/\?user=jane.* File .*KeyError: x$/, /File/, /debugging/, /File/,
    /File/].map((message) => ({ cause: { message } })));
  t.notMatch((errors[0]!.cause as Error).message, /u:p/);
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

t.test('a refused key inside a stream is told like another', async (t) => {
  const errors = await failuresOf(t, ...[
    { error: { code: 'invalid_api_key', message: 'Incorrect API key: abcdefgh. Find yours at X' } },
    { error: { type: 'authentication_error', message: 'No: abcdefgh' } },
    { error: { code: 401, message: 'User abcdefgh not found.' } },
    { object: 'error', code: 400, message: 'API key not valid: abcdefgh' },
  ].map((body) => streamed([JSON.stringify(body)])));
  for (const error of errors) {
    t.match(error, { retryable: false, message: 'The model\'s provider refused the service\'s key.'
      + ' Its operator has to check MODEL_API_KEY.', cause: { message: /abcdefgh/ } });
  }
});

t.test('free words are no codes, and null is no error', async (t) => {
  const words = ['Line 402 broke', 'The billing-agent tool could not be parsed',
    'The quota tool is unavailable', 'No authentication tool'];
  const errors = await failuresOf(t, ...[
    ...words.map((error) => ({ error })), { error: 'Service Unavailable' },
    { error: 'The model is overloaded' }, { error: 'server_error' },
    { error: null, choices: [{ delta: 7 }], response: 'Jane\'s story' },
  ].map((body) => streamed([JSON.stringify(body)])));
  const reported = (said: string, retryable: boolean) => ({ code: 'model_error', retryable,
    message: `The model's provider reported an error: ${said}` });
  t.match(errors, [...words.map((said) => reported(said, false)),
    reported('Service Unavailable', true), reported('The model is overloaded', true),
    reported('server_error', true), { retryable: true, message: /broke off/ }]);
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
