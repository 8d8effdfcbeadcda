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
