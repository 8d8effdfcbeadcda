/** Results that are too large for the thread that serves everybody are read beside it. */
import t from 'tap';
import type { ActionFailure } from '../../../src/gateway/action/failure.ts';
import type { Answer } from './httpServer.ts';
import { event, fakeServer, json, result, stream } from './httpServer.ts';
import { connect, integrationOf, lab, misbehaving } from './support.ts';

const SECRET = 'sk-0123456789abcdef';
const rows = Array.from({ length: 8_000 }, (_, id) => ({ id, note: `${SECRET} of row ${id}` }));

/** The same answer in both forms that there are. */
const FORMS: Record<string, (answer: object) => Answer> = {
  json: (answer) => (message, response) => json(response, result(message, answer)),
  events: (answer) => (message, response) => {
    stream(response);
    response.write(event({ jsonrpc: '2.0', method: 'notifications/message',
      params: { data: 'x'.repeat(300_000) } }));
    response.end(event(result(message, answer)));
  },
};

for (const [form, answering] of Object.entries(FORMS)) {
  t.test(`a large result as ${form}`, async (t) => {
    const fake = await fakeServer(t);
    const made = lab();
    made.deps.result_limit_bytes = 100_000;
    const { call } = await connect(t, integrationOf({ url: fake.url }), made);
    fake.answers['tools/call'] = answering({ content: [], structuredContent: { rows } });
    t.strictSame(await call('act', {}, { fields: ['rows.id'] }),
      { rows: rows.map(({ id }) => ({ id })) }, 'the fields are chosen of all of it');
    const { truncated, head } = await call('act', {}, { secrets: [SECRET] }) as
      { truncated: { bytes: number }, head: string };
    t.ok(truncated.bytes > 300_000);
    t.match(head, /^\{"rows":\[\{"id":0,"note":"\[secret\] of row 0"/);
    t.notMatch(head, SECRET);

    fake.answers['tools/call'] = answering({ isError: true,
      content: [{ type: 'text', text: 'No.' }], structuredContent: { rows } });
    const failed = await call('act', {}, { secrets: [SECRET] })
      .catch(({ message, outcome }: ActionFailure) => ({ message, outcome }));
    const body = { truncated: { bytes: Number }, head: /^\{"rows":.*\[secret\] of row 0"/ };
    t.match(failed, { message: 'No.', outcome: { error: { details: { body } } } });
    t.notMatch(JSON.stringify(failed), SECRET);
    fake.answers['tools/call'] = answering({ more: rows });
    await t.rejects(call('act'), { message: /gave an answer that is no result of a tool/ });
  });
}

t.test('integers beyond 2^53 come whole, as texts, in every form', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  const written = (id: unknown, filling: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
    + `"result":{"content":[],"structuredContent":{"id":1076543210012345678,"x":"${filling}"}}}`;
  for (const filling of ['', 'x'.repeat(300_000)]) {
    const whole = { id: '1076543210012345678', x: filling };
    fake.answers['tools/call'] = (message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
        .end(written(message.id, filling));
    };
    t.strictSame(await call('act'), whole);
    fake.answers['tools/call'] = (message, response) => {
      stream(response);
      response.end(`data: ${written(message.id, filling)}\n\n`);
    };
    t.strictSame(await call('act'), whole, 'in a stream');
  }
  const made = await connect(t, misbehaving('whole'), lab());
  t.strictSame(await made.call('act'), { id: '1076543210012345678' }, 'from a process');
});

t.test('a byte order mark is no part of an answer', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  for (const size of [1, 300_000]) {
    const structuredContent = { text: 'ä'.repeat(size) };
    fake.answers['tools/call'] = (message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
        .end(`\uFEFF${JSON.stringify(result(message, { content: [], structuredContent }))}`);
    };
    t.strictSame(await call('act'), structuredContent, String(size));
  }
  const made = await connect(t, misbehaving('marked'), lab());
  t.match(await made.call('act'), { content: [{ text: 'done' }] }, 'from a process');
});

t.test('a large refusal, and a large message that is no answer', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  fake.answers['tools/call'] = (message, response) => json(response,
    { jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: 'No.', data: rows } });
  await t.rejects(call('act'), { message: /No\./ });
  fake.answers['tools/call'] = (_message, response) =>
    json(response, { jsonrpc: '2.0', id: 'other', result: { content: [], rows } });
  await t.rejects(call('act'), { message: /answered, but not to what it was asked/ });
  fake.answers['tools/call'] = (message, response) => json(response, result(message, { rows }));
  await t.rejects(call('act'), { code: 'outcome_unknown', message: /is no result of a tool/ });
});

t.test('a process may end once it has given a large answer', async (t) => {
  const { call } = await connect(t, misbehaving('parting'), lab());
  t.match(await call('act'), { content: [{ text: 'x'.repeat(300_000) }] });
});

t.test('a large line of a process', async (t) => {
  const { call } = await connect(t, misbehaving('large'), lab());
  t.strictSame(await call('act'), { content: [{ type: 'text', text: 'x'.repeat(300_000) }] });
  t.match(await call('count'), { content: [{ text: '2' }] });
});
