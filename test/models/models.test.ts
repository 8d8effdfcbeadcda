/** Which models there are, and what is said of the others. */
import t from 'tap';
import { readConfig, type Config } from '../../src/config.ts';
import { GatehouseError } from '../../src/errors.ts';
import { Models } from '../../src/models/models.ts';
import { providerServer, refused } from './providerServer.ts';
import { runToError } from './support.ts';

const KEYS = {
  OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2', GEMINI_API_KEY: 'AIza-3',
  MODEL_BASE_URL: 'http://127.0.0.1:1/v1',
};

const models = (environment: Record<string, string> = {}, changes: Partial<Config> = {}) =>
  new Models(readConfig(environment, changes));

/** What is said against a model; undefined if nothing is. */
function objection(
  to: Models, key: string, workspace: string[] | null = null): GatehouseError | undefined {
  try {
    to.check(key, workspace);
    return undefined;
  } catch (error) {
    if (error instanceof GatehouseError) return error;
    throw error;
  }
}

t.test('models that can be had', async (t) => {
  const all = models(KEYS);
  const keys = ['rehearsal', 'openai/gpt-5.1', 'openai/ft:gpt-4.1:org::id', 'anthropic/claude-x',
    'google/gemini-3-pro', 'google/tunedModels/mine', 'compatible/llama3.1:8b',
    'compatible/meta-llama/Llama-3.1-8B@q4', 'compatible/a+b', 'compatible/@cf/meta/llama-3.1-8b',
    'compatible//models/glm-4-9b-chat/'];
  for (const key of keys) {
    t.equal(objection(all, key)?.message, undefined, key);
    t.equal(all.resolve(key).key, key);
  }
  t.strictSame(all.secrets, ['sk-1', 'sk-2', 'AIza-3']);
  t.ok(all.resolve('rehearsal').keeps_deltas);
  t.notOk(all.resolve('openai/gpt-5.1').keeps_deltas);
});

t.test('names that are none', async (t) => {
  const all = models(KEYS);
  const keys = ['', 'gpt-5', 'nobody/x', 'openai', 'openai/', '/x', 'OpenAI/x', 'google/../x',
    'google/a/../../x', 'google/a//b', 'google/x?key=1', 'google/x#y', 'google/%2e%2e', 'google/.x',
    'google//../x', 'google///x', 'google//x', 'openai/@x', 'anthropic//x', 'compatible///x',
    'compatible/a b', 'compatible/a\n', 'rehearsal/x', 'Rehearsal', 'openai/*', 'constructor/x'];
  for (const key of keys) {
    const said = { name: 'GatehouseError', code: 'invalid_request', param: '/model',
      message: `There is no model ${JSON.stringify(key)}. A model is named \`openai/<id>\`,`
        + ' `anthropic/<id>`, `google/<id>`, `compatible/<id>` or `rehearsal`.' };
    t.match(objection(all, key), said);
    t.throws(() => all.resolve(key), said);
  }
  const { message } = objection(all, 'x'.repeat(5_000))!;
  t.ok(message.length < 300, 'a long name is not repeated whole');
});

t.test('a key that is missing', async (t) => {
  const none = models();
  const missing = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY',
    google: 'GEMINI_API_KEY', compatible: 'MODEL_BASE_URL' };
  for (const [provider, variable] of Object.entries(missing)) {
    const said = { code: 'invalid_request', param: '/model',
      message: `The model "${provider}/x" cannot be used: ${variable} is not set on the service.`
        + ' Its operator has to set it; or name another model.' };
    t.match(objection(none, `${provider}/x`), { ...said, details: { models: ['rehearsal'] } });
    t.throws(() => none.resolve(`${provider}/x`), said);
  }
  t.match(objection(models({ OPENAI_API_KEY: 'k' }), 'google/x'),
    { details: { models: ['rehearsal', 'openai/*'] } });
  const own = models({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
  t.equal(objection(own, 'openai/x'), undefined, 'a server of one\'s own may want no key');
});

t.test('a process that executes no runs needs no keys', async (t) => {
  const api = models({ GATEHOUSE_ROLE: 'api' });
  t.equal(objection(api, 'openai/gpt-5.1'), undefined);
  t.match(objection(api, 'openai/'), { message: /^There is no model/ });
  t.match(objection(models({ GATEHOUSE_ROLE: 'api', GATEHOUSE_MODELS: 'google/*' }), 'openai/x'),
    { message: /not one that this service allows/ });
});

t.test('what the operator allows', async (t) => {
  const some = models({ ...KEYS, MODEL: 'anthropic/claude-x',
    GATEHOUSE_MODELS: ' openai/gpt-5* , google/gemini-3-pro,,compatible/* ' });
  const allowed = ['openai/gpt-5', 'openai/gpt-5.1-mini', 'google/gemini-3-pro', 'compatible/any',
    'anthropic/claude-x'];
  for (const key of allowed) t.equal(objection(some, key), undefined, key);
  for (const key of ['openai/gpt-4', 'google/gemini-3-pro-preview', 'anthropic/y', 'rehearsal']) {
    t.match(objection(some, key), { code: 'invalid_request', param: '/model',
      details: { models: ['openai/gpt-5*', 'google/gemini-3-pro', 'compatible/*',
        'anthropic/claude-x'] },
      message: `The model "${key}" is not one that this service allows. Give one of: openai/gpt-5*,`
        + ' google/gemini-3-pro, compatible/*, anthropic/claude-x.' });
  }
  t.equal(some.resolve('rehearsal').key, 'rehearsal', 'runs that are there go on');
  const cloudflare = models({ ...KEYS, GATEHOUSE_MODELS: 'compatible/@cf/*' });
  t.equal(objection(cloudflare, 'compatible/@cf/meta/llama-3.1-8b'), undefined);
});

t.test('what a workspace allows, besides', async (t) => {
  const all = models(KEYS);
  t.equal(objection(all, 'openai/gpt-5.1', ['openai/*']), undefined);
  t.match(objection(all, 'rehearsal', ['openai/*', 'google/gemini-3-pro']), {
    code: 'invalid_request', param: '/model',
    details: { models: ['openai/*', 'google/gemini-3-pro'] },
    message: 'The model "rehearsal" is not one that this workspace allows. Give one of: openai/*,'
      + ' google/gemini-3-pro.' });
  const fewer = models({ ...KEYS, GATEHOUSE_MODELS: 'google/*' });
  t.match(objection(fewer, 'openai/x', ['openai/*']), { message: /this service allows/,
    details: { models: ['google/*', 'rehearsal'] } }, 'it cannot allow more than the service');
  t.match(objection(models(), 'openai/x', ['rehearsal']), { message: /this workspace allows/ },
    'no key is asked for that would change nothing');
  t.match(objection(models({ GATEHOUSE_MODELS: 'google/*' }), 'openai/x'),
    { message: /this service allows/ }, 'nor of the service');
});

t.test('settings that are no models stop the start', async (t) => {
  for (const pattern of ['gpt-5', '*', 'openai*', 'open*/x', 'openai/a*b', 'openai/ x', '../x',
    'openai/**', 'rehearsal*', 'google//x', 'openai/@x*']) {
    t.throws(() => models({ GATEHOUSE_MODELS: `google/*,${pattern}` }), {
      message: `GATEHOUSE_MODELS holds ${JSON.stringify(pattern)}, which is no model: give`
        + ' `openai/<id>`, `anthropic/<id>`, `google/<id>`, `compatible/<id>` or `rehearsal`,'
        + ' where * may end it.' });
  }
  for (const variable of ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GOOGLE_GEMINI_BASE_URL',
    'MODEL_BASE_URL']) {
    for (const address of ['localhost:11434/v1', '127.0.0.1:1', '/v1', 'ftp://x/', 'http://']) {
      t.throws(() => models({ [variable]: address }), {
        message: `${variable} is ${JSON.stringify(address)}; it must be an address such as`
          + ' http://127.0.0.1:11434/v1.' });
    }
    t.throws(() => models({ [variable]: 'https://me:hunter2@models.example/v1' }), {
      message: `${variable} holds a user name or a password. Give the key by its variable.` });
  }
});

t.test('the other names of Google\'s key', async (t) => {
  const read = (environment: Record<string, string>) => readConfig(environment).google_api_key;
  t.equal(read({}), null);
  t.equal(read({ GOOGLE_API_KEY: 'b' }), 'b');
  t.equal(read({ GOOGLE_GENERATIVE_AI_API_KEY: 'c' }), 'c');
  t.equal(read({ GEMINI_API_KEY: '', GOOGLE_GENERATIVE_AI_API_KEY: 'c', GOOGLE_API_KEY: 'b' }),
    'b');
  t.equal(read({ GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b' }), 'a');
});

t.test('where requests go, and what they say', async (t) => {
  const server = await providerServer(t, refused(400, {}));
  const { origin, requests } = server;
  const ask = async (key: string, changes: Partial<Config>) => {
    await runToError(server.models(changes).resolve(key));
    return requests.at(-1)!;
  };
  const settings = { model_max_output_tokens: 123 };
  t.match(await ask('openai/gpt-4.1', settings), { path: '/v1/responses',
    body: { model: 'gpt-4.1', max_output_tokens: 123, store: false } });
  t.match(await ask('anthropic/claude-x', settings), { path: '/v1/messages',
    body: { model: 'claude-x', max_tokens: 123, cache_control: { type: 'ephemeral' } } });
  t.match(await ask('google/gemini-x', settings), {
    path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    body: { generationConfig: { maxOutputTokens: 123 } } });
  t.match(await ask('compatible/a/b:c', settings), { path: '/v1/chat/completions',
    body: { model: 'a/b:c', max_tokens: 123, stream_options: { include_usage: true } } });
  t.match(await ask('anthropic/x', { anthropic_base_url: `${origin}/proxy/v1/` }),
    { path: '/proxy/v1/messages' });
  t.match(await ask('anthropic/x', { anthropic_base_url: `${origin}/anthropic` }),
    { path: '/anthropic/v1/messages' });
  for (const path of ['/v1/google/v1beta', '/v1/publishers/google', '/v1.1']) {
    t.ok((await ask('google/x', { google_base_url: `${origin}${path}` }))
      .path.startsWith(`${path}/models`), path);
  }
  t.match(await ask('google/x', { google_base_url: `${origin}/` }), { path: /^\/v1beta\/models/ });
  const { headers } = await ask('compatible/x', { compatible_api_key: null });
  t.notOk('authorization' in headers);
  // The answer's room is a quarter of a small context.
  t.match(await ask('compatible/x', { model_context_tokens: 4_000 }),
    { body: { max_tokens: 1_000 } });
});

t.test('how long models think is asked for only if it is set', async (t) => {
  const server = await providerServer(t, refused(400, {}));
  const bodyOf = async (key: string, model_reasoning: string) => {
    await runToError(server.models({ model_reasoning }).resolve(key));
    return server.requests.at(-1)!.body;
  };
  const keys = ['openai/gpt-5.1', 'anthropic/claude-sonnet-4-5', 'google/gemini-2.5-pro',
    'compatible/x'];
  for (const key of keys) {
    t.notMatch(JSON.stringify(await bodyOf(key, 'provider-default')),
      /"(reasoning|thinking|thinkingConfig|reasoning_effort)"/, key);
  }
  t.match(await bodyOf(keys[0]!, 'low'), { reasoning: { effort: 'low', summary: 'auto' } });
  t.match(await bodyOf(keys[1]!, 'low'), { thinking: { type: 'enabled', budget_tokens: Number } });
  t.match(await bodyOf(keys[2]!, 'low'),
    { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: Number } } });
  t.match(await bodyOf(keys[3]!, 'low'), { reasoning_effort: 'low' });
});
