/** Servers of chat completions that refuse what others need, each in its own words. */
import t from 'tap';
import type { TranscriptMessage } from '../../src/models/model.ts';
import { newId } from '../../src/ids.ts';
import { providerServer, refused, streamed, type Answer, type ReceivedRequest }
  from './providerServer.ts';
import { request, run, runToError } from './support.ts';
import { payloadsOf, type Said } from './wireStreams.ts';

const MODEL = 'compatible/local';

const says = (said: Said) => streamed(payloadsOf(MODEL, said));
const messagesOf = ({ body }: ReceivedRequest) => body.messages as {
  role: string; reasoning_content?: string; tool_call_id?: string; tool_calls?: { id: string }[];
}[];

/** Answers so unless the request is as this server wants it. */
const unless = (isFine: (request: ReceivedRequest) => boolean, refusal: Answer): Answer =>
  (response, received) =>
    (isFine(received) ? says({ text: ['Done.'] }) : refusal)(response, received);

/** A step that thought and called, with its results, as the store gives it back. */
async function callingStep(
  models: ReturnType<Awaited<ReturnType<typeof providerServer>>['models']>,
): Promise<TranscriptMessage[]> {
  const asked: TranscriptMessage =
    { role: 'user', run_id: 'run_1', content: [{ type: 'input_text', text: 'Go.' }] };
  const { result: { content, provider } } = await run(models.resolve(MODEL),
    request({ transcript: [asked], new_id: newId }));
  const calls = content.filter((part) => part.type === 'tool_call');
  return [asked, { role: 'assistant', run_id: 'run_1', content, provider },
    ...calls.map(({ tool_call_id, name }): TranscriptMessage => ({ role: 'tool', run_id: 'run_1',
      content: [{ type: 'tool_result', tool_call_id, name, result: 1 }] }))];
}

const CALLS: Said = { reasoning: ['Two at once.'],
  calls: [['{"action":"a.b"}'], ['{"action":"c.d"}']] };
const groq = (message: string) =>
  refused(400, { error: { message, type: 'invalid_request_error' } });

t.test('thinking goes back until it is refused, and then no more to that model', async (t) => {
  const words = [
    groq('\'messages.2\' : for \'role:assistant\' the following must be satisfied[(\'messages.2\''
      + ' : property \'reasoning_content\' is unsupported)]'),
    // Cerebras, Mistral.
    refused(400, { message: 'messages.2.assistant.reasoning_content: property \'messages.2.'
      + 'assistant.reasoning_content\' is unsupported', type: 'invalid_request_error',
    param: 'validation_error', code: 'wrong_api_format' }),
    refused(422, { object: 'error', message: { detail: [{ type: 'extra_forbidden',
      loc: ['body', 'messages', 2, 'assistant', 'reasoning_content'],
      msg: 'Extra inputs are not permitted', input: 'Two at once.' }] } }),
  ];
  for (const refusal of words) {
    const server = await providerServer(t, says(CALLS),
      unless((received) => !JSON.stringify(received.body).includes('reasoning_content'), refusal));
    const models = server.models();
    const transcript = await callingStep(models);
    const { result } = await run(models.resolve(MODEL), request({ transcript }));
    t.match(result.content, [{ type: 'output_text', text: 'Done.' }]);
    const thoughts = () => server.requests.map((received) =>
      messagesOf(received).flatMap(({ reasoning_content }) => reasoning_content ?? []));
    t.strictSame(thoughts(), [[], ['Two at once.'], []]);
    t.strictSame({ ...server.requests[2]!.body, messages: 0 },
      { ...server.requests[1]!.body, messages: 0 }, 'the rest is as it was');
    await run(models.resolve(MODEL), request({ transcript }));
    t.strictSame(thoughts().slice(3), [[]], 'it is remembered');
  }
});

t.test('a server that wants the thinking back gets it', async (t) => {
  const server = await providerServer(t, says(CALLS), refused(400, { error: { message:
    'The `reasoning_content` in the thinking mode must be passed back to the API.' } }));
  const models = server.models();
  const transcript = await callingStep(models);
  const { error } = await runToError(models.resolve(MODEL), request({ transcript }));
  t.match(error, { retryable: false, message: /must be passed back to the API\.$/ });
  t.equal(server.requests.length, 2);
});

t.test('ids of calls are nine letters and digits, each its own, and that of its result',
  async (t) => {
    const server = await providerServer(t, says(CALLS), says({ text: ['Done.'] }));
    const models = server.models();
    const transcript = await callingStep(models);
    await run(models.resolve(MODEL), request({ transcript }));
    const messages = messagesOf(server.requests[1]!);
    const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    t.equal(new Set(ids).size, 2);
    for (const id of ids) t.match(id, /^[a-zA-Z0-9]{9}$/);
    t.strictSame(messages.flatMap(({ tool_call_id }) => tool_call_id ?? []), ids);
  });

t.test('settings of a request that are refused by name', async (t) => {
  const server = await providerServer(t, unless(({ body }) => !('stream_options' in body)
    && !('max_tokens' in body), (response, received) => {
    const refusal = 'stream_options' in received.body
      ? refused(422, { object: 'error', message: { detail: [{ type: 'extra_forbidden',
        loc: ['body', 'stream_options', 'include_usage'], msg: 'Extra inputs are not permitted',
        input: true }] } })
      : groq('Unsupported parameter: \'max_tokens\' is not supported with this model. Use'
        + ' \'max_completion_tokens\' instead.');
    refusal(response, received);
  }));
  const { result } = await run(server.models().resolve(MODEL));
  t.match(result.content, [{ text: 'Done.' }]);
  t.equal(server.requests.length, 3);
  t.match(server.requests[2]!.body, { max_completion_tokens: server.requests[0]!.body.max_tokens });
});

t.test('any other refusal is told as it came, after one request', async (t) => {
  const server = await providerServer(t, groq('\'max_tokens\' or \'max_completion_tokens\' is too'
    + ' large: 16000.'));
  const { error } = await runToError(server.models().resolve(MODEL));
  t.match(error, { message: /HTTP status 400\): 'max_tokens' or .* is too large: 16000\.$/ });
  t.equal(server.requests.length, 1);
});
