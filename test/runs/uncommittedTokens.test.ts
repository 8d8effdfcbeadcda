/** What steps use that are never committed: it is no part of a run's usage, but of its limits. */
import t, { type Test } from 'tap';
import { providersAt, refused, streamed, type Answer } from '../models/providerServer.ts';
import { payloadsOf } from '../models/wireStreams.ts';
import type { Client } from '../support/client.ts';
import { soundLogs } from '../support/log.ts';
import { hold } from '../support/openTransaction.ts';
import { completeRun, newSession, queueRun, untilEvent } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';
import { breaksOff, callOf, heldAnswer, MODEL, modelServer, says } from './modelServer.ts';

const PER_DAY = 1_000;
const server = await modelServer(t, { model_retries: 2 });
const { client, provider, sql } = server;

/** About 2,000 tokens, in one piece. */
const LONG = { text: ['An answer that is read as it comes. '.repeat(8_000 / 36)], usage:
  [90, 10] as [number, number] };
/** To the end of the text; what is left is the finish. */
const ALL_BUT_THE_END = 3;

/** A new workspace that may use so many tokens a day. */
async function workspace(): Promise<Client> {
  const { id: workspace_id } = await client.expect(201, 'createWorkspace',
    { body: { name: 'Test', limits: { max_total_tokens_per_day: PER_DAY } } });
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'test' } });
  return client.as(api_key);
}

/** What was counted of the run besides its usage. */
async function counted(run_id: string, at = sql): Promise<number> {
  const [row] = await at<{ tokens: number }[]>`
    select uncommitted_tokens as tokens from runs where id = ${run_id}`;
  return row!.tokens;
}

const untilCounted = (run_id: string) => untilSeen('tokens that were counted',
  () => counted(run_id), (tokens) => tokens > 0);

/** The workspace's day is used up: the next run asks nobody. */
async function refusesMore(t: Test, inside: Client): Promise<void> {
  provider.script(says({ text: ['Never asked.'] }));
  t.match(await completeRun(inside, await newSession(inside), 'More.'),
    { status: 'failed', error: { code: 'budget_exceeded' } });
  t.equal(provider.requests.length, 0);
}

t.test('an answer that is read and then cancelled', async (t) => {
  const inside = await workspace();
  const held = heldAnswer(LONG, ALL_BUT_THE_END);
  provider.script(held.answer);
  const run = await queueRun(inside, await newSession(inside), 'Go.');
  await untilEvent(inside, run.id, 'message.output.delta');
  const { usage } = await inside.expect(200, 'cancelRun', { path: { run_id: run.id } });
  t.match(usage, { total_tokens: 0 }, 'no step was committed');
  const tokens = await untilCounted(run.id);
  const asked = JSON.stringify(provider.requests[0]!.body).length;
  t.ok(tokens > 2_000 && tokens < 2_000 + asked, `${tokens} tokens, of ${asked} characters`);
  await refusesMore(t, inside);
});

t.test('one that is interrupted by the next run', async (t) => {
  const inside = await workspace();
  const session_id = await newSession(inside);
  const held = heldAnswer(LONG, ALL_BUT_THE_END);
  provider.script(held.answer, says({ text: ['Next.'] }));
  const run = await queueRun(inside, session_id, 'Go.');
  await untilEvent(inside, run.id, 'message.output.delta');
  await completeRun(inside, session_id, 'Next.', { concurrency: 'interrupt' });
  await untilCounted(run.id);
  await refusesMore(t, inside);
});

t.test('one whose time is over', async (t) => {
  const inside = await workspace();
  const held = heldAnswer(LONG, ALL_BUT_THE_END);
  provider.script(held.answer);
  const run = await completeRun(inside, await newSession(inside), 'Go.', { timeout_s: 5 });
  t.match(run, { error: { code: 'timeout' }, usage: { total_tokens: 0 } });
  t.ok(await counted(run.id) > 2_000);
  await refusesMore(t, inside);
});

t.test('one that is whole, of a run that is cancelled before it is committed', async (t) => {
  const inside = await workspace();
  const held = heldAnswer({ ...LONG, usage: [900, 100] }, ALL_BUT_THE_END);
  provider.script(held.answer);
  const run = await queueRun(inside, await newSession(inside), 'Go.');
  await untilEvent(inside, run.id, 'message.output.delta');
  const release = await hold(sql, (tx) => tx`
    select cancel_run(workspace_id, id, 'requested') from runs where id = ${run.id}`);
  held.release();
  await untilSeen('a step that waits to be committed', async () => (await sql`
    select from pg_locks where not granted and locktype = 'transactionid'`).length > 0);
  await release();
  t.equal(await untilCounted(run.id), 1_000, 'what the provider has said');
  await refusesMore(t, inside);
});

/** The answer, ended before its end for this reason. */
function cutShort(reason: string): Answer {
  const usage = { input_tokens: 900, output_tokens: 100 };
  return streamed([payloadsOf(MODEL, {})[0]!, JSON.stringify({ type: 'response.incomplete',
    response: { usage, incomplete_details: { reason } } })]);
}

t.test('an answer without anything in it, as its provider counts', async (t) => {
  for (const reason of ['max_output_tokens', 'content_filter']) {
    const inside = await workspace();
    provider.script(cutShort(reason));
    const run = await completeRun(inside, await newSession(inside), 'Go.');
    t.match(run, { error: { code: 'model_error', retryable: false }, usage: { total_tokens: 0 } });
    t.equal(await counted(run.id), 1_000);
    await refusesMore(t, inside);
  }
});

t.test('tries that broke off count for the limit of their run', async (t) => {
  const said = { ...LONG, calls: [callOf('gateway.connections.list')] };
  provider.script(breaksOff(LONG, ALL_BUT_THE_END), breaksOff(LONG, ALL_BUT_THE_END), says(said));
  const run = await completeRun(client, await newSession(client), 'Go.',
    { max_total_tokens: 4_000 });
  t.match(run, { usage: { total_tokens: 100 },
    error: { code: 'budget_exceeded', message: /has used 4\d+ tokens, and may use 4000/ } });
  t.equal(provider.requests.length, 3);
});

t.test('so do those that had shown nothing yet', async (t) => {
  const thinking = breaksOff({ reasoning: ['Hm.'] }, 2);
  const nothing: Answer = (response) => void response.writeHead(200,
    { 'content-type': 'text/event-stream' }).flushHeaders();
  const { client, provider, sql } = await modelServer(t, { model_retries: 0, model_idle_ms: 500 });
  for (const answer of [thinking, nothing]) {
    provider.script(answer);
    const run = await completeRun(client, await newSession(client), 'Go.');
    t.match(run, { usage: { total_tokens: 0 }, error: { code: 'model_error', retryable: true } });
    t.ok(await counted(run.id, sql) > 0);
  }
});

t.test('and for its next attempt', async (t) => {
  const api = await modelServer(t, { concurrency: 0 });
  const worker = () => testServer(t, { database: api,
    config: { ...providersAt(api.provider.origin), model: MODEL } });
  const held = heldAnswer(LONG, ALL_BUT_THE_END);
  api.provider.script(held.answer);
  const first = await worker();
  const run = await queueRun(api.client, await newSession(api.client), 'Go.',
    { max_total_tokens: 1_000 });
  await untilEvent(api.client, run.id, 'message.output.delta');
  await first.service.stop();
  await worker();
  t.match(await untilEvent(api.client, run.id, 'run.failed'),
    { data: { error: { code: 'budget_exceeded' }, usage: { total_tokens: 0 } } });
  t.equal(api.provider.requests.length, 1);
  await soundLogs(t, api.sql);
});

t.test('a request that is refused has used nothing', async (t) => {
  provider.script(refused(503, {}), refused(400, { error: { message: 'No.', type: 'x' } }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.match(run, { status: 'failed', error: { code: 'model_error' } });
  t.equal(await counted(run.id), 0);
});
