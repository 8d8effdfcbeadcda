/** A tool call marks its departure when a transport sends it, and nothing else does. */
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { untilAborted } from '../../../src/deadline.ts';
import { Departure } from '../../../src/gateway/egress/departure.ts';
import { fakeServer, json } from './httpServer.ts';
import { connect, integrationOf, lab, misbehaving, type Imported } from './support.ts';

async function left({ call }: Imported, tool = 'act'): Promise<[boolean, string]> {
  const departure = new Departure();
  const ended = await call(tool, {}, { departure }).then(() => 'answered', () => 'failed');
  return [departure.left, ended];
}

t.test('over HTTP', async (t) => {
  const fake = await fakeServer(t);
  const server = await connect(t, integrationOf({ url: fake.url }), lab());
  t.same(await left(server), [true, 'answered']);
  fake.sessions.clear();
  t.same(await left(server), [true, 'answered'], 'a session that was forgotten is begun anew');
  fake.answers['tools/call'] = (_message, response) => void response.destroy();
  t.same(await left(server), [true, 'failed'], 'the answer was lost');
});

t.test('a new session that fails does not make a write of unknown outcome', async (t) => {
  for (const list of [(response: ServerResponse) => void response.destroy(),
    (response: ServerResponse) => json(response, {})]) {
    const fake = await fakeServer(t);
    const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
    await call('act');
    fake.sessions.clear();
    fake.answers['tools/list'] = (_message, response) => list(response);
    const departure = new Departure();
    await t.rejects(call('act', {}, { departure }),
      { name: 'ActionFailure', code: 'upstream_error' });
    t.ok(departure.left, 'although something had left before');
  }
});

t.test('a call that may not leave any more is not sent, and that is asked in its session',
  async (t) => {
    const fake = await fakeServer(t);
    const server = await connect(t, integrationOf({ url: fake.url }), lab());
    let calls = 0;
    fake.answers['tools/call'] = (message, response) => {
      calls += 1;
      json(response, { jsonrpc: '2.0', id: message.id, result: { content: [] } });
    };
    let sessions = 0;
    const departure = new Departure(undefined, async () => {
      sessions = fake.sessions.size;
      return false;
    });
    fake.sessions.clear();
    await t.rejects(server.call('act', {}, { departure }), { name: 'DepartureRefused' });
    t.same([sessions, calls, departure.left], [1, 0, false]);
  });

t.test('a call that was given up has not left by the ping that follows', async (t) => {
  const fake = await fakeServer(t);
  const made = lab();
  const { fetch } = made.deps;
  const begun = Promise.withResolvers<void>();
  const given_up = new AbortController();
  const pinged = Promise.withResolvers<void>();
  fake.answers.ping = (message, response) => {
    json(response, { jsonrpc: '2.0', id: message.id, result: {} });
    pinged.resolve();
  };
  made.deps.fetch = async (input, init) => {
    if (!String(init?.body).includes('"tools/call"')) return await fetch(input, init);
    begun.resolve();
    return await untilAborted(new Promise<never>(() => {}), init!.signal!); // never connects
  };
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  const departure = new Departure();
  const called = call('act', {}, { departure, signal: given_up.signal });
  await begun.promise;
  given_up.abort(new Error('no time left'));
  await t.rejects(called, { message: 'no time left' });
  await pinged.promise;
  t.equal(departure.left, false);
});

t.test('a header that cannot be written sends nothing', async (t) => {
  const fake = await fakeServer(t);
  const made = lab();
  const server = await connect(t, integrationOf({ url: fake.url }), made);
  made.credentials = { type: 'api_key', in: 'header', name: 'Bad Header', value: 'x' };
  await t.rejects(server.call('act'), { code: 'upstream_error',
    message: 'The server cannot be reached: the request cannot be written as HTTP.' });
  t.same(await left(server), [false, 'failed']);
});

t.test('a session that cannot be begun sends no call', async (t) => {
  const fake = await fakeServer(t);
  const made = lab();
  const server = await connect(t, integrationOf({ url: fake.url }), made);
  fake.answers.initialize = (message, response) => json(response, { id: message.id }, 503);
  t.same(await left(server), [false, 'failed']);
});

t.test('to a process', async (t) => {
  const made = lab({}, { now: () => 0 });
  const server = await connect(t, misbehaving('crashing'), made);
  t.same(await left(server), [true, 'failed']);
  t.same(await left(server), [true, 'failed']);
  t.same(await left(server, 'count'), [false, 'failed'], 'it is not started again so soon');
});
