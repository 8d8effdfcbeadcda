import t from 'tap';
import { conversation, ok } from './conversation.ts';
import { joined, rehearsal, request, run, runToError } from './support.ts';

const nothing = () => ok({});

const action = (name: string, changes: object = {}) => ({
  name, title: name, description: '', effect: 'read', score: 0.9,
  connections: [{ connection_id: 'con_1', account_label: null }],
  input_schema: { type: 'object', properties: {}, additionalProperties: false }, ...changes,
});

const SEARCH = 'gateway.actions.search';
const DESCRIBE = 'gateway.actions.describe';

/** A gateway whose search finds these, and whose other actions return two sessions. */
const finding = (...actions: ReturnType<typeof action>[]) => (
  { action: asked, input = {} }: { action: string, input?: { name?: string } }) => {
  if (asked === DESCRIBE) {
    const { score: _, ...described } = actions.find(({ name }) => name === input.name)!;
    return ok(described);
  }
  return ok(asked === SEARCH ? { object: 'list', data: actions.map(
    ({ name, title, effect, score }) => ({ name, title, effect, score })) } : {
    object: 'list', has_more: false,
    data: [{ id: 'ses_1', title: 'First', status: 'active' }, { id: 'ses_2', title: 'Second' }],
  });
};

t.test('words are searched, the best reading action is called, the result is told', async (t) => {
  const { say } = conversation(finding(action('gatehouse.sessions.list')));
  const told = await say('Show me all my sessions, please!');
  t.strictSame(told.calls, [
    { action: SEARCH, input: { query: 'show sessions', limit: 5 } },
    { action: DESCRIBE, input: { name: 'gatehouse.sessions.list' } },
    { action: 'gatehouse.sessions.list', input: {} },
  ]);
  t.equal(told.text, '`gatehouse.sessions.list` returned 2 items:\n\n- **First** · active · ses_1\n'
    + '- **Second** · ses_2\n\n*No language model answered: this is the built-in rehearsal'
    + ' model, which follows fixed rules (docs/rehearsal.md).*');
});

t.test('values that are named are not searched for', async (t) => {
  const list = action('gatehouse.runs.list', { input_schema: { type: 'object', properties: {
    created_after: { type: 'string' } } } });
  const asked = async (text: string) =>
    (await conversation(finding(list)).say(text)).calls[0]!.input as { query?: string };
  for (const [text, query] of [
    ['list runs created_after=2026-01-01T00:00:00Z', 'list runs'],
    ['list runs created_after: 2026-01-01T00:00:00Z', 'list runs created_after'],
    ['rename session title: "Create the plans"', 'rename session'],
    ['sessions: list those, with title = `A b`', 'sessions list'],
    ['the title="Plans"', 'title plans'], ['to: for', 'to for'],
  ] as const) t.equal((await asked(text)).query, query, text);
  const told = await conversation(finding(list)).say('list runs created_after=2026-01-01');
  t.strictSame(told.calls.at(-1),
    { action: list.name, input: { created_after: '2026-01-01' } }, 'and yet they are sent');
});

t.test('what changes data is suggested, not called', async (t) => {
  const create = action('gatehouse.sessions.create', {
    effect: 'write', score: 0.95,
    input_schema: {
      type: 'object', required: ['body'], properties: {
        body: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
      },
    },
  });
  const { say } = conversation(finding(create, action('gatehouse.sessions.list')));
  const told = await say('create a session "Plans"');
  t.strictSame(told.calls.slice(1),
    [{ action: DESCRIBE, input: { name: 'gatehouse.sessions.create' } }]);
  t.match(told.text, '\ncall gatehouse.sessions.create {"body":{"title":"Plans"}}\n');
  t.match(told.text, /changes data/);
  t.match((await say('create a session')).text,
    /fill in `body.title`[^]*\ncall gatehouse.sessions.create \{"body":\{"title":"<title>"\}\}\n/);
});

t.test('the suggested line does what it says', async (t) => {
  const { say } = conversation(finding(action('a.b.create', { effect: 'write' })));
  const line = /^call .*$/m.exec((await say('make a thing')).text)![0];
  t.strictSame((await say(line)).calls, [{ action: 'a.b.create', input: {} }]);
});

t.test('lacking input, the next reading action that fits is taken, else it asks', async (t) => {
  const get = action('gatehouse.runs.get', {
    input_schema: { type: 'object', required: ['run_id'], properties: {
      run_id: { type: 'string' } } },
  });
  const list = action('gatehouse.runs.list', { score: 0.5 });
  const far = action('gatehouse.far', { score: 0.1 });
  const picks = async (text: string, ...found: ReturnType<typeof action>[]) =>
    (await conversation(finding(...found)).say(text)).calls.at(-1);
  t.match(await picks('show runs', get, far, list), { action: 'gatehouse.runs.list' });
  t.match(await picks('show run run_01jd00000000000000000000ab', get, list),
    { action: 'gatehouse.runs.get', input: { run_id: 'run_01jd00000000000000000000ab' } });
  const told = await conversation(finding(get, far)).say('show a run');
  t.strictSame(told.calls.slice(1), [{ action: DESCRIBE, input: { name: get.name } }]);
  t.match(told.text, /does not say `run_id`/);
  t.match(told.text, '\ncall gatehouse.runs.get {"run_id":"<run_id>"}\n');
});

t.test('a search that finds nothing, fails, or is too long', async (t) => {
  t.match((await conversation(finding()).say('zebra')).text, /No action .* fits "zebra"/);
  const failing = conversation(() => ({ error: { code: 'internal_error', message: 'Oh.' } }));
  t.match((await failing.say('zebra')).text, /`gateway.actions.search` failed: Oh\./);
  const long = conversation(({ action: name, input }) => name === DESCRIBE
    ? ok(action('a.b.c')) : name !== SEARCH ? ok('found it')
    : input!.limit === 1 ? ok({ data: [action('a.b.c')] })
      : { result: { truncated: true, total_chars: 9, note: '', head: '{"ok":', tail: '}' } });
  const told = await long.say('zebra');
  t.strictSame(told.calls.map((call) => call.action),
    [SEARCH, SEARCH, DESCRIBE, 'a.b.c']);
  t.match(told.text, /found it/);
  const longer = conversation(() => ({ result: { truncated: true, head: '', tail: '' } }));
  t.equal((await longer.say('zebra')).calls.length, 2, 'it gives up');
  const undescribed = conversation(({ action: name }) => name === SEARCH
    ? ok({ data: [action('a.b.c')] }) : { error: { code: 'internal_error', message: 'Oh.' } });
  const unknown = await undescribed.say('zebra');
  t.strictSame(unknown.calls.map((call) => call.action),
    [SEARCH, DESCRIBE], 'what is not described is not called');
  t.match(unknown.text, /fits best is `a.b.c`, but .* Add its input and send:\n\n```\ncall a.b.c /);
  const writing = conversation(({ action: name }) => (name === SEARCH
    ? ok({ data: [action('a.b.create', { effect: 'write' })] })
    : { result: { truncated: true, head: '', tail: '' } }));
  t.match((await writing.say('zebra')).text, 'It changes data, so I do not call it by myself. What'
    + ' it takes could not be read. Add its input and send:\n\n```\ncall a.b.create {}\n');
});

t.test('search finding itself ends', async (t) => {
  const search = action('gateway.actions.search', { input_schema: {
    type: 'object', required: ['query'], properties: { query: { type: 'string' } } } });
  const told = await conversation(finding(search)).say('search actions');
  t.strictSame(told.calls[2], { action: SEARCH, input: { query: 'search actions' } });
  t.equal(told.steps, 4);
  const describe = action(DESCRIBE, { input_schema: {
    type: 'object', required: ['name'], properties: { name: { type: 'string' } } } });
  const twice = await conversation(finding(describe)).say(`describe actions name=${DESCRIBE}`);
  t.strictSame(twice.calls.slice(1), Array(2).fill(
    { action: DESCRIBE, input: { name: DESCRIBE } }), 'the second is the call itself');
});

t.test('commands run in order, and see the results before them', async (t) => {
  const { say } = conversation(({ action: name }) => ok(
    name === 'a.list' ? { data: [{ id: 'x1', tags: ['t'] }] } : { id: 'made' }));
  const told = await say('Please:\n call a.list\ncall b.get {"path":{"id":"$1.data.0.id"},\n'
    + '  "note":"$$1.x", "tags":"$1.data.0.tags"} connection_id=con_2 fields=a,b cursor=c\n'
    + 'call c.d {} & call e.f');
  t.strictSame(told.calls, [
    { action: 'a.list' },
    {
      action: 'b.get', input: { path: { id: 'x1' }, note: '$1.x', tags: ['t'] },
      connection_id: 'con_2', fields: ['a', 'b'], cursor: 'c',
    },
    { action: 'c.d', input: {} }, { action: 'e.f' },
  ]);
  t.equal(told.steps, 4, 'those joined by & are one step');
  t.match(told.text, /`a.list` returned 1 item:\n\n- \*\*x1\*\*/);
  t.match(told.text, /`b.get` returned this:\n\n- id: made/);
  const next = await say('call g.h {"id":"$last.id"}');
  t.strictSame(next.calls[0], { action: 'g.h', input: { id: 'made' } }, 'of the earlier run');
  t.match(Object.values(joined(next.parts, 'reasoning.summary.delta'))[0], /holds 5 earlier/);
});

t.test('a command that fails is told, and the next ones run', async (t) => {
  const outcomes: Record<string, object> = {
    'a.b': { error: {
      code: 'not_connected', message: 'No account.', missing: [
        { code: 'not_connected', message: 'No account of a is connected. Ask the operator.' }],
    } },
    'c.d': { error: { code: 'upstream_timeout', message: 'Too slow.' } },
  };
  const { say } = conversation(({ action: name }) => outcomes[name] ?? ok('fine'));
  const told = await say('call a.b\ncall c.d\ncall e.f');
  t.match(told.text, '`a.b` was not performed. What is missing:\n\n'
    + '- `not_connected`: No account of a is connected. Ask the operator.\n\n'
    + '`c.d` failed: Too slow. (upstream_timeout)\n\n`e.f` returned this text:\n\nfine');
  const referring = await say('call a.b\ncall e.f {"x":"$1.id"}');
  t.equal(referring.calls.length, 1);
  t.match(referring.text, /`e.f` was not called: there is nothing at `\$1.id`/);
});

t.test('what cannot be understood is explained, and nothing is called', async (t) => {
  const cases: [text: string, told: RegExp][] = [
    ['hi\ncall a.b {"x":', /Line 2: The input of `a.b` cannot be read: its closing brace/],
    ['call a.b {x:1}', /Line 1: The input of `a.b` cannot be read/],
    ['call a.b please', /Line 1: After the call of `a.b` stands "please"/],
    ['call a.b {} & c.d', /Line 1: After `&` goes another call/],
    [`call a.b {"x":${'['.repeat(60)}`, /nested deeper than 48/],
    ['call a.b\n'.repeat(201), /more than 200 calls/],
    ['@rehearsal word=3', /cannot hold "word=3"/],
    ['@rehearsal words=0', /cannot hold "words=0"/],
    ['@rehearsal words=1e3', /cannot hold "words=1e3"/],
    ['@rehearsal fail=often', /cannot hold "fail=often"/],
    ['@rehearsal words', /cannot hold "words"/],
    ['@rehearsal __proto__=1', /cannot hold "__proto__=1"/],
  ];
  for (const [text, expected] of cases) {
    const told = await conversation(nothing).say(text);
    t.match(told.text, expected);
    t.match(told.text, /`delay_ms=/, 'the right ones are listed');
    t.equal(told.calls.length, 0);
  }
});

t.test('words and steps', async (t) => {
  const { say } = conversation(nothing);
  const told = await say('@rehearsal words=200');
  t.equal(told.text.split(' ').length, 200);
  t.match(told.text, /^No language model is at work/);
  const deltas = told.parts.filter((part) => part.type === 'message.output.delta');
  t.equal(deltas.length, 200, 'a delta per word');
  const long = await say('@rehearsal steps=4 words=3\r\ncall a.b {"x":1}\r\n');
  t.equal(long.steps, 4);
  t.strictSame(long.calls.map((call) => call.action),
    ['a.b', 'gateway.connections.list', 'gateway.connections.list']);
  t.equal(long.text, 'No language model');
});

t.test('items are told by what tells them apart', async (t) => {
  const { say } = conversation(() => ok({ object: 'list', data: [
    { object: 'action', name: 'a.list', title: 'List', effect: 'read', description: 'All\nof it' },
    { connection_id: 'con_1', integration: 'a', name: 'Ours', account_label: null, status: 'ok' },
    { id: 'ses_1', title: null, status: 'active' }, { odd: { x: 1 } }, 'text', 5,
  ] }));
  t.match((await say('call a.b')).text,
    'returned 6 items:\n\n- **List** · a.list · read · All of it\n'
    + '- **Ours** · ok · a\n- **ses_1** · active\n- {"odd":{"x":1}}\n- text\n- 5\n');
});

t.test('many calls are told briefly', async (t) => {
  const { say } = conversation(({ action: name }) => ok(name));
  const equal = await say('@rehearsal steps=40');
  t.match(equal.text, /^`gateway.connections.list` returned [^(]*\(39 times\)/);
  t.equal(equal.text.split('returned').length, 2);
  const different = await say(Array.from({ length: 12 }, (_, nth) => `call a.b${nth}`).join('\n'));
  t.match(different.text, /`a.b9`[^]*and more calls/);
  t.notMatch(different.text, /`a.b10`/);
});

t.test('nothing to go by', async (t) => {
  for (const text of ['', '   ', '?!']) {
    t.match((await conversation(nothing).say(text)).text, /call <action> \{json\}/);
  }
});

const user = (text: string) => request({ transcript: [
  { role: 'user', run_id: 'run_1', content: [{ type: 'input_text', text }] }] });

t.test('the same prompt gives the same parts, whatever the delay', async (t) => {
  const text = 'call a.b {"x":"0123456789 é 😀"} & call c.d';
  const first = await run(rehearsal, user(text));
  t.strictSame(await run(rehearsal, user(text)), first);
  t.strictSame((await run(rehearsal, user(`${text}\n@rehearsal delay_ms=1`))).parts, first.parts);
  t.ok(rehearsal.keeps_deltas);
  t.ok(first.result.usage.input_tokens > 0 && first.result.usage.output_tokens > 0);
  const pieces = first.parts.filter((part) => part.type === 'tool_call.arguments.delta');
  t.ok(pieces.length > 2, 'arguments are streamed in pieces');
});

t.test('failures to order', async (t) => {
  const fail = async (text: string) => runToError(rehearsal, user(text));
  t.match(await fail('@rehearsal fail=model_error'),
    { parts: [], error: { code: 'model_error', retryable: false } });
  t.match(await fail('@rehearsal fail=model_rate_limited'),
    { parts: [], error: { code: 'model_rate_limited', retryable: true, retry_after_ms: 100 } });
  const text = await fail('@rehearsal fail=cut_stream words=10');
  t.match(text.error, { code: 'model_error', retryable: true });
  const half = Object.values(joined(text.parts, 'message.output.delta'))[0]!;
  t.equal(half.trim().split(' ').length, 5);
  const call = await fail(
    '@rehearsal fail=cut_stream\ncall gateway.actions.search {"query":"abc"}');
  t.match(call.parts.at(-2), { type: 'tool_call.started', name: 'gateway.actions.search' });
  t.match(call.parts.at(-1), { delta: '{"action":"gateway.actions.search"' });
  await run(rehearsal, user('@rehearsal fail=model_error at_step=2 words=3'));
  await t.rejects(conversation(nothing).say('@rehearsal fail=model_error at_step=2 steps=3'),
    { code: 'model_error' });
});

t.test('a delay ends with the abort', async (t) => {
  const abort = new AbortController();
  const asked = { ...user('@rehearsal words=5 delay_ms=60000'), signal: abort.signal };
  const step = rehearsal.step(asked).next();
  setImmediate(() => abort.abort(new Error('cancelled')));
  await t.rejects(step, { message: 'cancelled' });
});
