/** What a receiver of OTLP gets of runs: the right spans, and nothing of what runs hold. */
import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Config } from '../../src/config.ts';
import { failure } from '../../src/gateway/action/failure.ts';
import { createLog } from '../../src/log.ts';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { collector, type Collector, type ReceivedSpan } from '../support/collector.ts';
import { completeRun, newSession, queueRun } from '../support/runs.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { soundness } from '../support/soundness.ts';
import { untilSeen } from '../support/until.ts';

const WORDS = `prompt${randomBytes(8).toString('hex')}`;
const ARGUMENT = `argument${randomBytes(8).toString('hex')}`;
const RESULT = `result${randomBytes(8).toString('hex')}`;
const FAULT = `fault${randomBytes(8).toString('hex')}`;

const held = heldAction();
const SOURCE = testSource('lab', {
  read: { perform: async () => ({ text: RESULT }) },
  broken: { perform: async () => { throw failure(FAULT); } },
  held: held.action,
});

/** A service that sends to the receiver, and has ended when its test does. */
async function sendingServer(
  test: Pick<Test, 'teardown'>, otel: Collector, config: Partial<Config> = {},
): Promise<TestServer> {
  const server = await testServer(test, {
    sources: [SOURCE],
    config: { otel_endpoint: otel.url, otel_span_delay_ms: 10, ...config },
  });
  await connectTo(server.sql, server.workspace_id, 'lab');
  return server;
}

const otel = await collector(t);
const server = await sendingServer(t, otel);
const { client } = server;

/** The spans of a run, once its attempts have been sent. */
async function spansOf(from: Collector, run_id: string, attempts = 1): Promise<ReceivedSpan[]> {
  const roots = () => from.spans().filter(({ attributes }) =>
    attributes['gatehouse.run.id'] === run_id);
  await untilSeen(`${attempts} spans of the run ${run_id}`,
    () => roots().map(({ name, span_id }) => `${name} ${span_id}`),
    (seen) => seen.length === attempts);
  const traces = new Set(roots().map(({ trace_id }) => trace_id));
  return from.spans().filter(({ trace_id }) => traces.has(trace_id));
}

const play = async (text: string) => await completeRun(client, await newSession(client), text);
const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

t.test('a run with a tool call', async (t) => {
  const run = await play(`${WORDS}\ncall lab.test.read {"text": "${ARGUMENT}"}`);
  const spans = await spansOf(otel, run.id);
  t.strictSame(spans.map(({ name }) => name).sort(),
    ['chat rehearsal', 'chat rehearsal', 'execute_tool lab.test.read', 'invoke_agent']);
  const [root] = named(spans, 'invoke_agent');
  t.equal(root!.parent_span_id, '');
  t.equal(new Set(spans.map(({ trace_id }) => trace_id)).size, 1);
  for (const span of spans.filter((span) => span !== root)) {
    t.equal(span.parent_span_id, root!.span_id, `${span.name} belongs to the attempt`);
  }
  t.strictSame(root!.attributes, {
    'gen_ai.operation.name': 'invoke_agent', 'gen_ai.provider.name': 'gatehouse',
    'gen_ai.request.model': 'rehearsal', 'gen_ai.conversation.id': run.session_id,
    'gatehouse.run.id': run.id, 'gatehouse.run.attempt': 1, 'gatehouse.outcome': 'completed',
  });
  const steps = named(spans, 'chat rehearsal');
  t.strictSame(steps.map(({ attributes }) => attributes['gatehouse.run.step']).sort(), [1, 2]);
  t.match(steps[0], { kind: 3, status: 0, attributes: { 'gen_ai.operation.name': 'chat' } });
  const tokens = (name: string) => steps.reduce((sum, { attributes }) =>
    sum + Number(attributes[`gen_ai.usage.${name}`]), 0);
  t.strictSame([tokens('input_tokens'), tokens('output_tokens')],
    [run.usage!.input_tokens, run.usage!.output_tokens]);
  const [call] = run.tool_calls;
  const [tool] = named(spans, 'execute_tool lab.test.read');
  t.strictSame(tool!.attributes, {
    'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.type': 'function',
    'gen_ai.tool.name': 'lab.test.read', 'gen_ai.tool.call.id': call!.tool_call_id,
    'gatehouse.outcome': 'ok', 'gatehouse.invocation.id': call!.invocation_id,
  });
  t.match(root!.resource,
    { 'service.name': 'gatehouse', 'service.version': server.config.version });
});

t.test('what failed says with which code', async (t) => {
  const run = await play('@rehearsal fail=cut_stream\nhello');
  const spans = await spansOf(otel, run.id);
  t.match(named(spans, 'invoke_agent'), [{ status: 2, attributes: {
    'error.type': 'model_error', 'gatehouse.outcome': 'model_error' } }]);
  const tries = named(spans, 'chat rehearsal');
  t.equal(tries.length, 5, 'each try is a request');
  t.ok(tries.every(({ status, attributes }) =>
    status === 2 && attributes['error.type'] === 'model_error'));
  const broken = await spansOf(otel, (await play('call lab.test.broken')).id);
  t.match(named(broken, 'execute_tool lab.test.broken'), [{ status: 2, attributes: {
    'error.type': 'upstream_error', 'gatehouse.outcome': 'upstream_error' } }]);
});

t.test('a name that the model made up is not told', async (t) => {
  const run = await play(`call ${WORDS}.no.action`);
  t.match(named(await spansOf(otel, run.id), 'execute_tool'),
    [{ attributes: { 'gatehouse.outcome': 'unknown_action' } }]);
});

t.test('an attempt that is broken off is told all the same, with what was under way', async (t) => {
  const run = await queueRun(client, await newSession(client), 'call lab.test.held');
  await held.begun;
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  const spans = await spansOf(otel, run.id);
  t.match(named(spans, 'invoke_agent'), [{ attributes: { 'error.type': 'interrupted' } }]);
  t.equal(spans.filter(({ name }) => name.startsWith('execute_tool')).length, 1);
});

t.test('metrics are sent as well, the last when the service stops', async (t) => {
  const receiver = await collector(t);
  const other = await sendingServer(t, receiver);
  await completeRun(other.client, await newSession(other.client), WORDS);
  t.notOk(receiver.received.some(({ path }) => path === '/v1/metrics'), 'not before its time');
  await other.service.stop();
  const sent = receiver.received.filter(({ path }) => path === '/v1/metrics');
  t.equal(sent[0]?.type, 'application/x-protobuf');
  for (const name of ['gatehouse_runs_ended_total', 'gatehouse_model_step_duration_seconds']) {
    t.ok(sent[0]!.body.includes(name), name);
  }
  t.equal(named(receiver.spans(), 'invoke_agent').length, 1, 'and so are the last spans');
});

t.test('nothing of what runs hold was sent, nor any secret', async (t) => {
  soundness(t, 'a secret in a text');
  const { config } = server;
  const secrets = [client.api_key!, client.admin_token!, config.master_keys!, server.url];
  for (const { body } of otel.received) {
    for (const text of [WORDS, ARGUMENT, RESULT, FAULT, ...secrets]) t.notOk(body.includes(text));
  }
  t.ok(otel.received.length >= 4);
});

t.test('only one of the two, if only one is asked for', async (t) => {
  const receiver = await collector(t);
  const other = await sendingServer(t, receiver,
    { otel_endpoint: null, otel_traces_endpoint: `${receiver.url}/spans` });
  await completeRun(other.client, await newSession(other.client), 'hello');
  await other.service.stop();
  t.strictSame([...new Set(receiver.received.map(({ path }) => path))], ['/spans']);
});

t.test('a share of the runs, each whole or not at all', async (t) => {
  const receiver = await collector(t);
  const other = await sendingServer(t, receiver,
    { otel_traces_sampler: 'traceidratio', otel_traces_sampler_arg: '0' });
  await completeRun(other.client, await newSession(other.client), 'hello');
  await other.service.stop();
  t.strictSame(receiver.spans(), []);
});

t.test('a receiver that refuses, or is away, disturbs nothing but the log', async (t) => {
  const refusing = await collector(t, 400);
  for (const url of [refusing.url, 'http://127.0.0.1:1']) {
    const lines: string[] = [];
    const log = createLog('warn', { destination: { write: (line) => void lines.push(line) } });
    const other = await testServer(t,
      { config: { otel_endpoint: url, otel_span_delay_ms: 10 }, log: { log } });
    const run = await completeRun(other.client, await newSession(other.client), 'hello');
    t.equal(run.status, 'completed');
    await other.service.stop();
    t.ok(lines.some((line) => /telemetry could not be sent/.test(line)), lines.join(''));
  }
});
