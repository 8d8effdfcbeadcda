/** What runs and workspaces may use of models, and which models they may have. */
import t from 'tap';
import type { Client, Schemas } from '../support/client.ts';
import { completeRun, newSession, outputText } from '../support/runs.ts';
import { prompt } from '../support/client.ts';
import { callOf, modelServer, says, type ModelServer } from './modelServer.ts';

const server = await modelServer(t, { max_total_tokens: 5_000 });
const { client, provider } = server;
const STEP = { calls: [callOf('gateway.connections.list')], usage: [90, 10] as [number, number] };

/** A workspace with these settings, as a client. */
async function workspace(
  { client }: ModelServer, settings: Omit<Schemas['CreateWorkspaceRequest'], 'name'>,
): Promise<{ inside: Client; workspace_id: string }> {
  const { id: workspace_id } = await client.expect(201, 'createWorkspace',
    { body: { name: 'Test', ...settings } });
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'test' } });
  return { inside: client.as(api_key), workspace_id };
}

async function refusal(client: Client, rest: Partial<Schemas['CreateRunRequest']>) {
  return await client.expect(400, 'createRun',
    { path: { session_id: await newSession(client) }, body: prompt('Go.', rest) });
}

t.test('a run that has used its tokens takes no further step', async (t) => {
  provider.script(says(STEP));
  const run = await completeRun(client, await newSession(client), 'Go.',
    { max_total_tokens: 250 });
  t.match(run, { status: 'failed',
    usage: { input_tokens: 270, output_tokens: 30, total_tokens: 300 },
    error: { code: 'budget_exceeded', retryable: false, message: 'The run has used 300 tokens, and'
      + ' may use 250. Raise max_total_tokens (of the run, its workspace or the service), or ask'
      + ' for less at once.' } });
  t.equal(provider.requests.length, 3, 'the step that reaches the limit is still made');
});

t.test('a run may ask for what its service and its workspace allow', async (t) => {
  t.match(await refusal(client, { max_total_tokens: 5_001 }), { code: 'invalid_request',
    param: '/max_total_tokens', error: /max_total_tokens is 5001; .* at most 5000/ });
  const { inside } = await workspace(server, { limits: { max_total_tokens: 150 } });
  t.match(await refusal(inside, { max_total_tokens: 151 }), { code: 'invalid_request',
    param: '/max_total_tokens', error: /max_total_tokens is 151; .* at most 150/ });
  for (const [asked, used, most] of [[undefined, 200, 150], [50, 100, 50]] as const) {
    provider.script(says(STEP));
    const run = await completeRun(inside, await newSession(inside), 'Go.',
      asked === undefined ? {} : { max_total_tokens: asked });
    t.match(run.error, { code: 'budget_exceeded',
      message: `The run has used ${used} tokens, and may use ${most}.` });
  }
});

t.test('the steps of a run, by its own limit and by its workspace\'s', async (t) => {
  const { inside } = await workspace(server, { limits: { max_steps: 2 } });
  provider.script(says(STEP));
  t.match(await completeRun(inside, await newSession(inside), 'Go.'), { status: 'failed', error: {
    code: 'max_steps_exceeded', retryable: false,
    message: /took 2 model steps, .* Raise max_steps/ } });
  t.match(await refusal(inside, { max_steps: 3 }), { param: '/max_steps' });
});

t.test('the tokens of a day, of all runs of a workspace', async (t) => {
  const { inside, workspace_id } = await workspace(server,
    { limits: { max_total_tokens_per_day: 250 } });
  const { inside: other } = await workspace(server, {});
  provider.script(says({ text: ['One.'], usage: [90, 10] }));
  const path = { session_id: await newSession(inside) };
  t.match(await completeRun(inside, path.session_id, 'Go.'), { status: 'completed' });
  provider.script(says(STEP));
  const broke = { code: 'budget_exceeded', retryable: false, message: 'The workspace\'s runs of'
    + ' today (UTC) have used 300 tokens, and may use 250 (max_total_tokens_per_day). Try again'
    + ' tomorrow, or have the operator raise it.' };
  t.match(await completeRun(inside, path.session_id, 'Go on.'),
    { status: 'failed', usage: { total_tokens: 200 }, error: broke });
  provider.script(says({ text: ['Never asked.'] }));
  t.match(await completeRun(inside, path.session_id, 'And on.'),
    { status: 'failed', usage: { total_tokens: 0 }, error: broke });
  t.equal(provider.requests.length, 0);
  t.match(await completeRun(other, await newSession(other), 'Go.'), { status: 'completed' },
    'another workspace has its own');
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id }, body: { limits: { max_total_tokens_per_day: 1_000 } } });
  t.match(await completeRun(inside, path.session_id, 'Now?'), { status: 'completed' });
});

t.test('runs of two sessions at once count together', async (t) => {
  const { inside } = await workspace(server, { limits: { max_total_tokens_per_day: 500 } });
  provider.script(says(STEP));
  const runs = await Promise.all([1, 2, 3].map(async () =>
    await completeRun(inside, await newSession(inside), 'Go.')));
  t.ok(runs.every((run) => run.error?.code === 'budget_exceeded'));
  const total = runs.reduce((sum, run) => sum + run.usage!.total_tokens, 0);
  // Each may be within a step when the sum is read; alone, each would go on to its 32nd step.
  t.ok(total >= 300 && total <= 1_100, `${total} tokens`);
});

t.test('the models that a workspace may have', async (t) => {
  const { inside, workspace_id } = await workspace(server,
    { model: 'anthropic/claude-x', allowed_models: ['anthropic/*', 'google/gemini-3-pro'] });
  provider.script(says({ text: ['By default.'] }, 'anthropic/claude-x'));
  const session_id = await newSession(inside);
  const run = await completeRun(inside, session_id, 'Go.');
  t.equal(run.model, 'anthropic/claude-x');
  t.equal(outputText(run), 'By default.');
  provider.script(says({ text: ['As asked.'] }, 'google/gemini-3-pro'));
  t.match(await completeRun(inside, session_id, 'Go.', { model: 'google/gemini-3-pro' }),
    { status: 'completed', model: 'google/gemini-3-pro' });
  for (const model of ['openai/gpt-5.1', 'google/gemini-3-pro-preview', 'rehearsal']) {
    t.match(await refusal(inside, { model }), { code: 'invalid_request', param: '/model',
      details: { models: ['anthropic/*', 'google/gemini-3-pro'] },
      error: /this workspace allows\. Give one of: anthropic\/\*, google\/gemini-3-pro\./ });
  }
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id }, body: { allowed_models: null } });
  provider.script(says({ text: ['Freed.'] }));
  t.match(await completeRun(inside, session_id, 'Go.', { model: 'openai/gpt-5.1' }),
    { status: 'completed' });
});

t.test('the models that the operator allows, and those without a key', async (t) => {
  const narrow = await modelServer(t, { allowed_models: 'openai/gpt-5*,google/*,compatible/*',
    compatible_base_url: null, google_api_key: null, google_base_url: null });
  const inside = narrow.client;
  narrow.provider.script(says({ text: ['Yes.'] }));
  const model = 'openai/gpt-5-mini';
  t.match(await completeRun(inside, await newSession(inside), 'Go.', { model }),
    { status: 'completed', model });
  const about = async (model: string) => (await refusal(inside, { model })).error;
  t.match(await about('rehearsal'), /^The model "rehearsal" is not one that this service allows\./);
  t.match(await about('openai/gpt-4'), /Give one of: openai\/gpt-5\*, google\/\*, compatible\/\*,/);
  t.match(await about('google/x'), /"google\/x" cannot be used: GEMINI_API_KEY is not set/);
  t.match(await about('compatible/x'), /cannot be used: MODEL_BASE_URL is not set on the service/);
  t.match(await refusal(inside, { model: 'google/../x' }), { param: '/model',
    error: /^There is no model "google\/\.\.\/x"\./ });
  t.equal(narrow.provider.requests.length, 1);
});
