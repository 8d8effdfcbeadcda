import t from 'tap';
import { readConfig, type Config } from '../../src/config.ts';
import { openEmbedder, type EmbeddingReason } from '../../src/models/embedder.ts';
import { API_KEY, embeddingServer, refuse } from '../support/embeddingServer.ts';
import { providerServer, providersAt } from './providerServer.ts';

const open = (config: Partial<Config>) => openEmbedder(readConfig({}, config));
const because = (reason: EmbeddingReason) =>
  Object.assign(new Error(), { name: 'EmbeddingError', reason }) as Error;
const NEVER = new AbortController().signal;

t.test('each provider is asked in its own way', async (t) => {
  const server = await providerServer(t, (response, { body, path }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const one = { values: [1, 2, 3], embedding: [1, 2, 3] };
    response.end(JSON.stringify(path.includes('batchEmbed') ? { embeddings: [one, one] }
      : path.includes('embedContent') ? { embedding: one }
      : { data: (body.input as string[]).map(() => one), usage: { prompt_tokens: 7 } }));
  });
  const asked = async (embedding_model: string, texts: string[], purpose: 'query' | 'action') => {
    server.requests.length = 0;
    const embedder = open({ ...providersAt(server.origin), embedding_model,
      embedding_dimensions: 3 === texts.length ? 3 : null })!;
    const { vectors, tokens } = await embedder.embed(texts, purpose, NEVER);
    t.same(vectors, texts.map(() => [1, 2, 3]));
    return { ...server.requests[0]!, tokens };
  };
  t.match(await asked('openai/text-embedding-3-small', ['a', 'b', 'c'], 'action'),
    { path: /\/embeddings$/, tokens: 7, body: { model: 'text-embedding-3-small',
      input: ['a', 'b', 'c'], dimensions: 3 } });
  t.match(await asked('compatible/all-minilm', ['a'], 'query'),
    { path: /\/embeddings$/, body: { model: 'all-minilm', input: ['a'] } });
  t.match(await asked('google/gemini-embedding-001', ['a'], 'query'),
    { path: /gemini-embedding-001:embedContent$/, body: { taskType: 'RETRIEVAL_QUERY' } });
  t.match(await asked('google/gemini-embedding-001', ['a', 'b'], 'action'),
    { body: { requests: [{ taskType: 'RETRIEVAL_DOCUMENT' }, {}] }, tokens: 0 });
});

t.test('what fails is told apart, without the key', async (t) => {
  const server = await embeddingServer(t);
  const embedder = open(server.config)!;
  const reasonOf = (status: number, message: string, headers?: Record<string, string>) => {
    server.answer((_, response) => refuse(response, status, message, headers));
    return embedder.embed(['a'], 'action', NEVER).then(
      () => t.fail('it was answered'), (error: unknown) => error);
  };
  t.match(await reasonOf(429, 'slow', { 'retry-after': '7' }),
    { reason: 'rate_limited', retry_after_ms: 7_000 });
  t.match(await reasonOf(413, 'too many'), { reason: 'input_refused' });
  const refused = await reasonOf(400, `the text of ${API_KEY} is too odd`);
  t.match(refused, { reason: 'input_refused', message: /the text of … is too odd/ });
  t.notMatch(JSON.stringify(refused), API_KEY);
  t.match(await reasonOf(400, 'maximum context length is 512 tokens'),
    { reason: 'input_refused', message: /refused the request .* maximum context length is 512/ });
  t.match(await reasonOf(401, 'no'), { reason: 'refused', message: /EMBEDDING_API_KEY/ });
  t.match(await reasonOf(404, 'no'), { reason: 'refused', message: /EMBEDDING_BASE_URL/ });
  t.match(await reasonOf(302, 'no', { location: '/login' }),
    { reason: 'refused', message: /redirect to .*\/login, .* EMBEDDING_BASE_URL/ });
  t.match(await reasonOf(503, 'no'), { reason: 'unavailable' });
  server.answer((_, response) => { response.end('<html>'); });
  await t.rejects(embedder.embed(['a'], 'action', NEVER), because('malformed'));
  const gone = open({ ...server.config, embedding_base_url: 'http://127.0.0.1:1/v1' })!;
  await t.rejects(gone.embed(['a'], 'action', NEVER), because('unavailable'));
});

t.test('a configuration that cannot work is refused at once', async (t) => {
  t.equal(open({}), null);
  const refused: [Partial<Config>, RegExp][] = [
    [{ embedding_model: 'anthropic/any' }, /EMBEDDING_MODEL is "anthropic\/any"; it must be/],
    [{ embedding_model: 'any' }, /EMBEDDING_MODEL is "any"; it must be/],
    [{ embedding_model: 'openai/../x' }, /EMBEDDING_MODEL is/],
    [{ embedding_model: 'google//x' }, /EMBEDDING_MODEL is/],
    [{ embedding_model: 'openai/any' }, /OPENAI_API_KEY is not set/],
    [{ embedding_model: 'compatible/any' }, /MODEL_BASE_URL is not set/],
    [{ embedding_model: 'compatible/any', embedding_base_url: 'here' }, /^EMBEDDING_BASE_URL is/],
  ];
  for (const [config, why] of refused) t.throws(() => open(config), { message: why });
});

t.test('the key of one server is not sent to another', async (t) => {
  const server = await embeddingServer(t);
  const embedder = open({ ...server.config, embedding_api_key: null, compatible_api_key: API_KEY,
    compatible_base_url: 'http://127.0.0.1:1/v1' })!;
  await t.rejects(embedder.embed(['a'], 'action', NEVER), because('refused'),
    'the server was not given the other\'s key');
  const shared = open({ compatible_api_key: API_KEY, embedding_model: 'compatible/words',
    compatible_base_url: server.config.embedding_base_url! })!;
  t.equal((await shared.embed(['a'], 'action', NEVER)).vectors.length, 1);
});
