/** Servers that ask in return: what a person is asked is told to the caller, the rest refused. */
import { execPath } from 'node:process';
import t from 'tap';
import type { ActionFailure } from '../../../src/gateway/action/failure.ts';
import type { MissingOutcome } from '../../../src/gateway/action/outcome.ts';
import {
  event, fakeServer, json, result, RESULT, stream, withoutSessions, type Message,
} from './httpServer.ts';
import { connect, integrationOf, lab, PROGRAMS } from './support.ts';

/** What a call is found to lack. */
const lacking = async (call: Promise<unknown>) => {
  const error = await call.then(() => null, (thrown: ActionFailure) => thrown);
  return (error?.outcome as MissingOutcome | undefined)?.missing;
};
const asking = (params: object, id: string | number = 'q1') =>
  ({ jsonrpc: '2.0', id, method: 'elicitation/create', params });
const SCHEMA = { type: 'object', properties: { pin: { type: 'string' } }, required: ['pin'] };

t.test('a real server asks by a form, and for an address', async (t) => {
  const { call, actions } = await connect(t,
    integrationOf({ command: execPath, args: [PROGRAMS.everything] }, 'everything'), lab());
  t.match(await lacking(call('trigger-elicitation-request')), [{ code: 'answer_required',
    action: 'everything.tools.trigger_elicitation_request', integration: 'everything',
    message: /goes on: "Please provide inputs[^]*may have taken effect, and was not repeated/,
    questions: [{ mode: 'form', schema: { required: ['name'] } }], answer: /User cancelled/ }]);
  const url = 'https://pay.example/consent?of=7';
  t.match(await lacking(call('trigger-url-elicitation', { url, message: 'Pay.' })), [{
    message: /"Pay\." at https:\/\/pay\.example\/consent\?of=7.*repeat the call/,
    questions: [{ mode: 'url', message: 'Pay.', url }] }]);
  t.match(await lacking(call('trigger-url-elicitation', { url, message: 'Pay.', errorPath: true })),
    [{ questions: [{ mode: 'url', url: String }], message: /It says that the call failed\./ }],
    'also by an error');
  t.notOk(actions.some(({ source_key }) => /sampling|roots/.test(source_key)), 'it asks no model');
});

t.test('of calls at once the one is told that was asked for', async (t) => {
  const made = lab();
  const fake = await fakeServer(t);
  const answered = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  fake.answers['tools/call'] = async (message, response) => {
    stream(response);
    if ('ask' in (message.params!.arguments as object)) {
      response.write(event(asking({ message: 'PIN?', requestedSchema: SCHEMA })));
    } else {
      called.resolve();
    }
    await answered.promise;
    response.end(event(result(message, RESULT)));
  };
  // An answer to the server has no method.
  fake.answers.POST = (_message, response) => {
    response.writeHead(202).end();
    answered.resolve();
  };
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  const plain = call('act', { plain: true });
  await called.promise;
  const asked = lacking(call('act', { ask: true }));
  t.match(await asked, [{ questions: [{ message: 'PIN?', schema: SCHEMA }], answer: 'done' }]);
  t.match(await plain, RESULT, 'and the other gets its result');
  t.match(fake.received.find(({ message }) => message.id === 'q1')!.message,
    { result: { action: 'cancel' } });
});

t.test('one that asks, and breaks off: it does not say that the call failed', async (t) => {
  const fake = await fakeServer(t);
  const told = Promise.withResolvers<void>();
  fake.answers['tools/call'] = async (_message, response) => {
    stream(response);
    response.write(event(asking({ message: 'PIN?', requestedSchema: SCHEMA })));
    await told.promise;
    response.destroy();
  };
  fake.answers.POST = (_message, response) => {
    response.writeHead(202).end();
    told.resolve();
  };
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  t.match(await lacking(call('act')), [{ questions: [{ message: 'PIN?' }],
    message: /It does not say that the call failed\. The call may have taken effect/,
    answer: 'ended before it answered.' }]);
});

t.test('without sessions: a server that asks again and again', async (t) => {
  const fake = await fakeServer(t, withoutSessions());
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  const answer = fake.answers['tools/call']!;
  const asks = (message: Message) => result(message, { resultType: 'input_required',
    inputRequests: { pin: { method: 'elicitation/create',
      params: { message: 'PIN?', requestedSchema: SCHEMA } } } });
  const given: unknown[] = [];
  fake.answers['tools/call'] = (message, response, request) => {
    given.push(message.params!.inputResponses);
    if (given.length === 1) return json(response, asks(message));
    return answer(message, response, request);
  };
  const question = { mode: 'form', message: 'PIN?', schema: SCHEMA };
  t.match(await lacking(call('act')), [{ questions: [question], answer: 'done' }]);
  t.same(given, [undefined, { pin: { action: 'cancel' } }]);

  given.length = 0;
  fake.answers['tools/call'] = (message, response) => {
    given.push(message.params!.inputResponses);
    json(response, asks(message));
  };
  const [gap] = await lacking(call('act')) ?? [];
  t.match(gap, { code: 'answer_required', answer: 'It asks again.',
    message: /does not say that the call failed\. .*may have taken effect, and was not repeated/ });
  t.same(gap?.code === 'answer_required' && gap.questions, [question], 'the same is told once');
  t.ok(given.length <= 3, `it was called ${given.length} times`);

  fake.answers['tools/call'] = (message, response) => json(response, result(message,
    { resultType: 'input_required', requestState: 'x' }));
  await t.rejects(call('act'), { code: 'upstream_error',
    message: 'The server asks for something in return, which cannot be given here.' },
  'it only wants to be called again');
});

t.test('of what a server says that has asked, the beginning is told', async (t) => {
  const fake = await fakeServer(t);
  const asked = { mode: 'url', elicitationId: 'e', message: 'Pay.', url: 'https://pay.example/' };
  fake.answers['tools/call'] = ({ id }, response) => json(response, { jsonrpc: '2.0', id,
    error: { code: -32_042, message: 'Pay first. '.repeat(10_000),
      data: { elicitations: [asked] } } });
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  const [gap] = await lacking(call('act')) ?? [];
  t.match(gap, { code: 'answer_required', questions: [{ message: 'Pay.' }], answer: /^Pay first/ });
  t.ok(gap?.code === 'answer_required' && gap.answer.length <= 1_000);
});

t.test('what is not shown, and what is refused', async (t) => {
  const made = lab();
  const fake = await fakeServer(t);
  const questions: object[] = [];
  fake.answers['tools/call'] = (message, response) => {
    stream(response);
    for (const [at, one] of questions.entries()) response.write(event({ ...one, id: `q${at}` }));
    response.end(event(result(message, RESULT)));
  };
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  const urlOf = async (url: string) => {
    questions.splice(0, 1, asking({ mode: 'url', elicitationId: 'e', message: 'Go.', url }));
    const [gap] = await lacking(call('act')) ?? [];
    return gap?.code === 'answer_required' && (gap.questions[0] as { url: string | null }).url;
  };
  t.equal(await urlOf('http://user:pw@bank.example/'), null);
  t.equal(await urlOf('javascript:alert(1)'), null);
  t.equal(await urlOf('https://bank.example/a b'), 'https://bank.example/a%20b');

  questions.splice(0, 1, { jsonrpc: '2.0', method: 'sampling/createMessage', params: {} },
    { jsonrpc: '2.0', method: 'roots/list' });
  t.match(await call('act'), RESULT, 'the call goes on without');
  t.match(made.logged.filter(({ msg }) => /not given to servers/.test(String(msg))),
    [{ method: 'sampling/createMessage' }, { method: 'roots/list' }]);
});
