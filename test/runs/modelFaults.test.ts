/** What becomes of a run when its model's provider, its time or its worker fails. */
import t from 'tap';
import { providersAt, refused, streamed } from '../models/providerServer.ts';
import { payloadsOf } from '../models/wireStreams.ts';
import type { RunEvent } from '../support/client.ts';
import { freePort } from '../support/freePort.ts';
import { soundLogs } from '../support/log.ts';
import { completeRun, eventsOf, newSession, outputText, queueRun, untilEvent }
  from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { breaksOff, callOf, heldAnswer, MODEL, modelServer, says } from './modelServer.ts';

const server = await modelServer(t, {
  model_retries: 2, compatible_base_url: `http://127.0.0.1:${await freePort()}/v1`,
});
const { client, provider, sql } = server;

const limited = (headers: Record<string, string> = {}) => refused(429,
  { error: { message: 'slow down', type: 'tokens', code: 'rate_limit_exceeded' } }, headers);
const TOO_LONG = refused(400, { error: { message: 'Your input exceeds the context window of this'
  + ' model.', type: 'invalid_request_error', code: 'context_length_exceeded', param: 'input' } });

const types = (events: RunEvent[]) => events.map(({ type }) => type);
const calls = (events: RunEvent[]) => events.filter(({ type }) =>
  /^tool_call\.(started|completed|failed)$/.test(type)) as { type: string; data: {
    tool_call_id: string; name: string; error?: { code: string; message: string } } }[];

t.test('what passes is tried again', async (t) => {
  provider.script(limited({ 'retry-after-ms': '2' }), refused(503, {}), says({ text: ['Here.'] }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.match(run, { status: 'completed', usage: { total_tokens: 8 } });
  t.equal(provider.requests.length, 3);
  t.strictSame(provider.requests[2]!.body, provider.requests[0]!.body, 'the same request');
  t.strictSame(types(await eventsOf(client, run.id)), ['run.created', 'run.started',
    'message.output.delta', 'message.output.completed', 'run.completed']);
});

t.test('an answer that breaks off is void, and so are its calls', async (t) => {
  const said = { text: ['Let me look.'], calls: [callOf('gateway.connections.list'),
    ['{"action":"gateway.actions.search","input":{"que', 'ry":"x"}}']] };
  // To the middle of the second call: the first one was whole.
  provider.script(breaksOff(said, 9), says(said), says({ text: ['Done.'] }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.equal(outputText(run), 'Done.');
  t.equal(run.usage!.total_tokens, 16, 'what was broken off does not count');
  const events = await eventsOf(client, run.id);
  const seen = calls(events);
  t.strictSame(seen.map(({ type, data }) => [type, data.name, data.error?.code]), [
    ['tool_call.started', 'gateway.connections.list', undefined],
    ['tool_call.started', 'gateway.actions.search', undefined],
    ['tool_call.failed', 'gateway.connections.list', 'superseded'],
    ['tool_call.failed', 'gateway.actions.search', 'superseded'],
    ['tool_call.started', 'gateway.connections.list', undefined],
    ['tool_call.started', 'gateway.actions.search', undefined],
    ['tool_call.completed', 'gateway.connections.list', undefined],
    ['tool_call.completed', 'gateway.actions.search', undefined],
  ]);
  t.equal(new Set(seen.map(({ data }) => data.tool_call_id)).size, 4);
  t.match(seen[2]!.data.error!.message, /broke off .* it was not made/);
  const { data } = await client.expect(200, 'listActionInvocations',
    { query: { run_id: run.id } });
  t.equal(data.length, 2, 'each was made once');
});

t.test('a refusal that is cut amid a character ends the run with its words', async (t) => {
  const said = 'long '.repeat(59) + 'bad 😀 value';
  provider.script(refused(400, { error: { message: said, type: 'invalid_request_error' } }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.match(run, { status: 'failed', error: { code: 'model_error',
    message: /\(HTTP status 400\): (long ){59}bad .$/u } });
  t.equal(provider.requests.length, 1, 'nothing is asked again');
});

t.test('what goes on for too long is given up', async (t) => {
  provider.script(limited());
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.match(run, { status: 'failed', error: { code: 'model_rate_limited', retryable: true,
    message: /limits the rate of requests/ } });
  t.equal(provider.requests.length, 3, 'once, and model_retries times more');
});

t.test('a provider that refuses connections is not taken for a lost database', async (t) => {
  const run = await completeRun(client, await newSession(client), 'Go.',
    { model: 'compatible/local' });
  t.match(run, { status: 'failed', error: { code: 'model_error', retryable: true,
    message: /could not be reached/ } });
  const started = (await eventsOf(client, run.id)).filter(({ type }) => type === 'run.started');
  t.equal(started.length, 1, 'one attempt');
});

t.test('a wait beyond the run\'s time is not begun', async (t) => {
  provider.script(limited({ 'retry-after': '120' }));
  const run = await completeRun(client, await newSession(client), 'Go.', { timeout_s: 100 });
  t.match(run, { status: 'failed', error: { code: 'model_rate_limited', retryable: true } });
  t.equal(provider.requests.length, 1);
});

t.test('an answer that its provider cut off says so', async (t) => {
  const cut = JSON.parse(payloadsOf(MODEL, { text: ['Half an'] }).at(-1)!) as
    { type: string; response: object };
  const ended = JSON.stringify({ type: 'response.incomplete',
    response: { ...cut.response, incomplete_details: { reason: 'max_output_tokens' } } });
  provider.script(streamed([...payloadsOf(MODEL, { text: ['Half an'] }).slice(0, -1), ended]));
  const run = await completeRun(client, await newSession(client), 'Go.');
  const said = { content: [{ text: 'Half an' }], incomplete_reason: 'max_output_tokens' };
  t.match(run, { status: 'completed', output: [said] });
  t.match((await eventsOf(client, run.id)).find(({ type }) => type === 'message.output.completed'),
    { data: { message: said } });
});

t.test('a call that was cut off is told as that, not as no JSON', async (t) => {
  const said = { calls: [['{"action":"gateway.connections.list","inp']] };
  const whole = payloadsOf(MODEL, said);
  const { response } = JSON.parse(whole.at(-1)!) as { response: object };
  provider.script(streamed([...whole.slice(0, -1), JSON.stringify({ type: 'response.incomplete',
    response: { ...response, incomplete_details: { reason: 'max_output_tokens' } } })]),
  says({ text: ['Sorry.'] }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  const seen = calls(await eventsOf(client, run.id));
  t.equal(seen.length, 2);
  t.match(seen[1]!.data.error, { code: 'invalid_arguments',
    message: /^Your answer was cut off amid these arguments.* Nothing was called\.$/ });
  t.match(JSON.stringify(provider.requests[1]!.body), /Your answer was cut off amid/);
});

t.test('the log says why a run failed, and nothing of what its model said', async (t) => {
  server.lines.length = 0;
  provider.script(streamed(['{"type":"response.output_text.delta","delta":"the patient Jane Do']));
  const cut = await completeRun(client, await newSession(client), 'Go.');
  t.match(cut, { status: 'failed', error: { code: 'model_error' } });
  provider.script(refused(400, { error: { message: 'Unsupported value: 7', type: 'x' } }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.match(run, { status: 'failed' });
  t.strictSame(server.lines.filter((line) => line.includes('Jane')), []);
  const failed = server.lines.map((line) => JSON.parse(line) as Record<string, object>)
    .filter(({ msg }) => String(msg) === 'a run failed by its model');
  t.match(failed, [
    { run_id: cut.id, model: MODEL, level: 'warn' },
    { run_id: run.id, err: { cause: { message: /HTTP status 400: .*Unsupported value: 7/ } } },
  ]);
  t.equal(failed.length, 2);
});

t.test('a refused request is not tried again', async (t) => {
  provider.script(refused(404, { error: { message: 'The model does not exist', type: 'x' } }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.match(run, { status: 'failed', error: { code: 'model_error', retryable: false,
    message: 'The model\'s provider knows no model "gpt-5.1", or the service\'s key may not use it:'
      + ' The model does not exist. Name another model.' } });
  t.equal(provider.requests.length, 1);
});

t.test('a conversation that the provider finds too long is halved up to three times', async (t) => {
  const session_id = await newSession(client);
  provider.script(says({ text: ['A story. '.repeat(300)] }));
  for (let n = 0; n < 4; n++) await completeRun(client, session_id, `Story ${n}, please.`);

  provider.script(TOO_LONG, says({ calls: [callOf('gateway.connections.list')] }),
    says({ text: ['Short.'] }));
  const run = await completeRun(client, session_id, 'And now?');
  t.match(run, { status: 'completed' });
  const [first, second, third] = provider.requests.map(({ body }) => JSON.stringify(body.input));
  t.ok(third!.length < first!.length * 0.6, 'the next step is cut without being refused first');
  t.ok(second!.length < first!.length * 0.6, `${second!.length} of ${first!.length} characters`);
  t.match(first, /Story 0, please/);
  t.notMatch(second, /Story 0, please/);
  t.match(second, /Story 3, please/);
  t.match(second, /The oldest runs of this session \(\d\) are not shown/);
  t.match(second, /And now\?/);

  // As many other tries as the server allows: those with half the prompt are none of them.
  provider.script(TOO_LONG, TOO_LONG, TOO_LONG, limited({ 'retry-after-ms': '2' }),
    refused(503, {}), says({ text: ['Short.'] }));
  t.match(await completeRun(client, session_id, 'And now?'), { status: 'completed' });
  const lengths = provider.requests.map(({ body }) => JSON.stringify(body.input).length);
  t.ok(lengths[3]! < lengths[0]! / 6, `${lengths.join()} characters`);

  provider.script(TOO_LONG);
  const failed = await completeRun(client, session_id, 'And now?');
  t.match(failed, { status: 'failed', error: { code: 'model_error', retryable: false,
    message: 'The conversation is longer than the model\'s context holds. Give it less input, or'
      + ' begin a new session. If a short one is refused, too, the operator has to set'
      + ' MODEL_CONTEXT_TOKENS to what the model holds.' } });
  t.equal(provider.requests.length, 4, 'not again and again');
});

t.test('input that leaves no room is asked of nobody', async (t) => {
  const small = await modelServer(t, { model_context_tokens: 2_000 });
  const { client } = small;
  const run = await completeRun(client, await newSession(client), 'x'.repeat(10_000));
  t.match(run, { status: 'failed', error: { code: 'model_error',
    message: /longer than the model's context holds/ } });
  t.equal(small.provider.requests.length, 0);
});

t.test('a cancelled run\'s request ends', async (t) => {
  const held = heldAnswer({ calls: [callOf('gateway.connections.list')] }, 3);
  provider.script(held.answer);
  const run = await queueRun(client, await newSession(client), 'Go.');
  await untilEvent(client, run.id, 'tool_call.started');
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await held.closed;
  const events = await eventsOf(client, run.id);
  t.equal(events.at(-1)!.type, 'run.cancelled');
  t.match(calls(events), [{ type: 'tool_call.started' }, { type: 'tool_call.failed' }]);
});

t.test('a run whose time is over ends its request', async (t) => {
  const held = heldAnswer({ text: ['Never ', 'whole.'] }, 3);
  provider.script(held.answer);
  const run = await completeRun(client, await newSession(client), 'Go.', { timeout_s: 5 });
  await held.closed;
  t.match(run, { status: 'failed', error: { code: 'timeout', retryable: true,
    message: /longer than its timeout_s/ } });
});

t.test('silence is broken off and tried again', async (t) => {
  const quiet = await modelServer(t, { model_idle_ms: 2_000, model_retries: 1 });
  const held = heldAnswer({ text: ['Half'] }, 3);
  quiet.provider.script(held.answer, says({ text: ['Whole.'] }));
  const run = await completeRun(quiet.client, await newSession(quiet.client), 'Go.');
  await held.closed;
  t.equal(outputText(run), 'Whole.');
});

t.test('a worker lost in the middle of an answer: the next one asks anew', async (t) => {
  const api = await modelServer(t, { concurrency: 0 });
  const { client } = api;
  const worker = (lease_ms = 45_000) => testServer(t, { database: api,
    config: { ...providersAt(api.provider.origin), model: MODEL, lease_ms } });
  const said = { text: ['I look.'], calls: [callOf('gateway.connections.list')] };
  const first = heldAnswer(said, 7);
  api.provider.script(says(said), first.answer, says(said), says({ text: ['Done.'] }));
  const lost = await worker(600_000);
  const run = await queueRun(client, await newSession(client), 'Go.');
  let begun = 0;
  for await (const { type } of client.events('streamRunEvents', { path: { run_id: run.id } })) {
    if (type === 'tool_call.started' && ++begun === 2) break;
  }
  await api.sql`update workers set lease_until = '-infinity'`;
  const next = await worker();
  await untilEvent(client, run.id, 'run.completed');
  first.release(); // what the zombie hears now is written nowhere
  await first.closed;
  const events = await eventsOf(client, run.id);
  t.strictSame(calls(events).map(({ type, data }) => [type, data.error?.code]), [
    ['tool_call.started', undefined], ['tool_call.completed', undefined],
    ['tool_call.started', undefined], ['tool_call.failed', 'interrupted'],
    ['tool_call.started', undefined], ['tool_call.completed', undefined],
  ]);
  t.equal(events.filter(({ type }) => type === 'run.started').length, 2);
  t.equal(events.filter(({ type }) => type === 'message.output.completed').length, 3);
  t.equal(api.provider.requests.length, 4);
  t.strictSame(api.provider.requests[2]!.body, api.provider.requests[1]!.body);
  await Promise.all([lost.service.stop(), next.service.stop()]);
  await soundLogs(t, api.sql);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
