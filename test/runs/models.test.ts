/** Runs driven by real providers' packages: what they show, keep and use. */
import t, { type Test } from 'tap';
import { MODELS, refused } from '../models/providerServer.ts';
import { found, RecordingClient } from '../gateway/service/canaries.ts';
import type { RunEvent } from '../support/client.ts';
import { soundLogs } from '../support/log.ts';
import { completeRun, eventsOf, newSession, outputText, queueRun, untilEvent }
  from '../support/runs.ts';
import { callOf, heldAnswer, modelServer, says } from './modelServer.ts';

const server = await modelServer(t);
const { provider, sql, lines, config } = server;
const client = new RecordingClient(server.client as never);

/** All deltas of a kind, joined by the id in this field. */
function joinedDeltas(events: RunEvent[], type: RunEvent['type'], field: string) {
  const texts = new Map<string, string>();
  for (const { type: of, data } of events as { type: string; data: Record<string, string> }[]) {
    if (of === type) texts.set(data[field]!, (texts.get(data[field]!) ?? '') + data.delta);
  }
  return [...texts];
}

/** The events of a run with neighbours of one type as one. */
const outline = (events: RunEvent[]) => events.map(({ type }) => type)
  .filter((type, index, types) => type !== types[index - 1]);

for (const model of MODELS) {
  t.test(`${model}: a whole run, with a call`, async (t) => {
    provider.script(
      says({ reasoning: ['I search ', 'first.'], text: ['Let me ', 'look. '], usage: [40, 7],
        calls: [['{"action":"gateway.act', 'ions.search","input":', '{"query":"connections"}}']] },
      model),
      says({ text: ['There is ', 'one.'], usage: [90, 5] }, model));
    const session_id = await newSession(client);
    const run = await completeRun(client, session_id, 'What is there?',
      { model, instructions: 'Be brief.' });
    t.match(run, { status: 'completed', model, error: null });
    t.equal(outputText(run), 'There is one.');
    t.strictSame(run.usage, { input_tokens: 130, output_tokens: 12, total_tokens: 142 });

    const events = await eventsOf(client, run.id);
    t.strictSame(outline(events), ['run.created', 'run.started', 'reasoning.summary.delta',
      'message.output.delta', 'tool_call.started', 'tool_call.arguments.delta',
      'message.output.completed', 'tool_call.completed', 'message.output.delta',
      'message.output.completed', 'run.completed']);
    t.strictSame(joinedDeltas(events, 'reasoning.summary.delta', 'item_id').map(([, text]) => text),
      ['I search first.']);
    const messages = events.flatMap((event) =>
      (event.type === 'message.output.completed' ? [event.data] : []));
    t.strictSame(joinedDeltas(events, 'message.output.delta', 'message_id'),
      messages.map(({ message_id, message }) => [message_id, message.content[0]!.text]));
    const call = events.find((event) => event.type === 'tool_call.completed')!.data;
    t.match(call, { name: 'gateway.actions.search', arguments: { input: { query: 'connections' } },
      result: { ok: true } });
    t.match(JSON.stringify(call.result), /gateway\.connections\.list/, 'by the gateway itself');
    const [[, text]] = joinedDeltas(events, 'tool_call.arguments.delta', 'tool_call_id') as
      [[string, string]];
    t.strictSame(JSON.parse(text), call.arguments);

    const session = await client.expect(200, 'getSession', { path: { session_id } });
    const steps = session.messages.filter(({ role }) => role === 'assistant');
    t.strictSame(steps.map(({ usage }) => usage), [
      { input_tokens: 40, output_tokens: 7, total_tokens: 47 },
      { input_tokens: 90, output_tokens: 5, total_tokens: 95 }]);
    t.ok(steps.every((step) => step.model === model));
    t.equal(provider.requests.length, 2);
    t.match(JSON.stringify(provider.requests[0]!.body), /Be brief\./);
    t.match(JSON.stringify(provider.requests[1]!.body), /gateway\.connections\.list/);
  });
}

t.test('a call is announced as soon as its action can be read', async (t) => {
  const pieces = ['{"action":"gateway.actions.search","in', 'put":{"query":"x"}}'];
  // Of OpenAI's: the response, the item, the first piece.
  const held = heldAnswer({ calls: [pieces] }, 3);
  provider.script(held.answer, says({ text: ['Done.'] }));
  const run = await queueRun(client, await newSession(client), 'Go.');
  const { data } = await untilEvent(client, run.id, 'tool_call.started');
  t.equal(data.name, 'gateway.actions.search');
  held.release();
  const events = await eventsOf(client, run.id);
  t.equal(events.at(-1)!.type, 'run.completed');
  t.strictSame(joinedDeltas(events, 'tool_call.arguments.delta', 'tool_call_id'),
    [[data.tool_call_id, pieces.join('')]]);
});

t.test('parallel calls, and pieces that come together', async (t) => {
  const words = Array.from({ length: 300 }, (_, n) => `w${n} `);
  provider.script(
    says({ calls: [callOf('gateway.connections.list'), callOf('gateway.actions.search',
      { query: 'a' }), ['{"action":']] }),
    says({ text: words }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  t.equal(outputText(run), words.join(''));
  const events = await eventsOf(client, run.id);
  t.strictSame(events.filter(({ type }) => /^tool_call\.(started|completed|failed)$/.test(type))
    .map(({ type, data }) => `${type} ${(data as { name: string }).name}`), [
    'tool_call.started gateway.connections.list', 'tool_call.started gateway.actions.search',
    'tool_call.started call_action', 'tool_call.completed gateway.connections.list',
    'tool_call.completed gateway.actions.search', 'tool_call.failed call_action']);
  t.match(events.find(({ type }) => type === 'tool_call.failed'),
    { data: { error: { code: 'invalid_arguments', message: /Nothing was called/ } } });
  const deltas = events.filter(({ type }) => type === 'message.output.delta');
  t.ok(deltas.length < 100, `${deltas.length} events for 300 pieces`);
});

t.test('a number that would be another one upstream is told, and not called', async (t) => {
  provider.script(
    says({ calls: [['{"action":"gateway.actions.search","input":{"query":"a","limit":',
      '9007199254740993}}']] }),
    says({ text: ['As a text, then.'] }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  const events = await eventsOf(client, run.id);
  t.match(events.find(({ type }) => type === 'tool_call.failed'), { data: { error: {
    code: 'invalid_arguments', message:
      /^\/input\/limit is the number 9007199254740993, .* text\. Nothing was called\.$/ } } });
});

t.test('arguments that are JSON, and no call all the same, are told why', async (t) => {
  const deep = '['.repeat(63) + ']'.repeat(63); // below the arguments and the input
  provider.script(
    says({ calls: [['{"action":"gateway.connections.list","action":"gateway.actions.search"}'],
      [`{"action":"gateway.connections.list","input":{"a":${deep}}}`]] }),
    says({ text: ['So be it.'] }));
  const run = await completeRun(client, await newSession(client), 'Go.');
  const failed = (await eventsOf(client, run.id)).filter(({ type }) => type === 'tool_call.failed');
  const error = { code: 'invalid_arguments',
    message: /one "action", .* at most 64 levels deep\. Nothing was called\.$/ };
  t.match(failed, [{ data: { error } }, { data: { error } }]);
});

t.test('a session goes on with another model', async (t) => {
  const session_id = await newSession(client);
  const left = /encrypted-thought|signed-(thought|part)|rs_1|msg_1|theirs_|toolu_|Thinking hard/;
  const say = async (t: Test, model: string, text: string) => {
    provider.script(
      says({ reasoning: ['Thinking hard.'], calls: [callOf('gateway.connections.list')] }, model),
      says({ text: [text] }, model));
    const run = await completeRun(client, session_id, `Asked of ${model}.`, { model });
    t.equal(outputText(run), text);
    t.equal(run.model, model);
    return provider.requests.map(({ body }) => JSON.stringify(body));
  };
  const said: string[] = [];
  for (const model of MODELS) {
    const [first, second] = await say(t, model, `Said by ${model}.`);
    t.notMatch(first, left, 'nothing of another model\'s');
    for (const before of said) t.match(first, before, 'what was said stays');
    if (model.startsWith('openai')) t.match(second, /encrypted-thought/);
    if (model.startsWith('anthropic')) t.match(second, /signed-thought/);
    if (model.startsWith('google')) t.match(second, /signed-part/);
    said.push(`Asked of ${model}.`, `Said by ${model}.`);
  }
  const offline = await completeRun(client, session_id, '@rehearsal words=3',
    { model: 'rehearsal' });
  t.match(offline, { status: 'completed', model: 'rehearsal' });
  const [again] = await say(t, MODELS[0], 'Again.');
  t.match(again, /encrypted-thought/, 'its own is still there');
  t.notMatch(again, /signed-|toolu_|reasoning_content/);
});

t.test('requests that cannot be', async (t) => {
  const path = { session_id: await newSession(client) };
  const input = [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }];
  const refusal = async (body: object) => await client.expect(400, 'createRun', { path, body });
  t.match(await refusal({ input, model: 'nobody/nothing' }), { code: 'invalid_request',
    param: '/model', error: /^There is no model "nobody\/nothing"\. A model is named/ });
  for (const part of [
    { type: 'input_image', image_url: 'https://example.com/a.png' },
    { type: 'input_image', file_id: 'file_1', detail: 'auto' },
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
  ]) {
    t.match(await refusal({ input: [{ role: 'user', content: [part] }] }), {
      code: 'invalid_request', param: '/input/0/content/0/type',
      error: 'The body is not valid: /input/0/content/0/type must be "input_text".' });
  }
});

t.test('no key is in an event, an answer, a log or the database', async (t) => {
  const keys = { openai: config.openai_api_key!, anthropic: config.anthropic_api_key!,
    google: config.google_api_key!, compatible: config.compatible_api_key! };
  for (const model of MODELS) {
    const key = keys[model.split('/')[0] as keyof typeof keys];
    const error = { type: 'invalid_request_error', code: 'odd', param: null,
      message: `Your key ${key} (${key.slice(0, 6)}****) is odd.` };
    for (const status of [400, 401, 500]) {
      provider.script(refused(status, { type: 'error', error }));
      const run = await completeRun(client, await newSession(client), 'Hello', { model });
      t.match(run, { status: 'failed', error: { code: 'model_error' } });
      await eventsOf(client, run.id);
    }
  }
  t.equal(provider.requests[0]!.headers.authorization, `Bearer ${keys.compatible}`,
    'it is sent where it belongs');
  const answers = await client.answers();
  t.match(answers, /refused the service's key/);
  t.match(answers, /Your key … \(….*\) is odd\./);
  t.strictSame(found(keys, answers), []);
  t.match(lines.join(''), /is odd/, 'the log says what happened');
  t.strictSame(found(keys, lines.join('')), []);
  const stored = await sql`select row_to_json(r)::text as row from runs r union all
    select row_to_json(e)::text from run_events e union all
    select row_to_json(m)::text from messages m`;
  t.strictSame(found(keys, stored.map(({ row }) => String(row)).join('\n')), []);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
