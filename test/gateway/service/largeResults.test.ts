/** Large results get from the other system to whoever reads them unread by this thread. */
import t, { type Test } from 'tap';
import { json } from '../egress/support.ts';
import { agent, invoke, line, notesService } from './support.ts';

/** As addNotes' connection has it. */
const TOKEN = 'a-token-of-the-tests';
const LONG_CHARS = 300_000;
const wide = Object.fromEntries(
  Array.from({ length: 45_000 }, (_, i) => [`member${i}`, i === 7 ? TOKEN : i]));
const told = { ...wide, member7: '[secret]' };

/** The texts of JSON that code of the service has read and written in this thread, if long. */
function watchJson(t: Test): string[] {
  const { parse, stringify } = JSON;
  const seen: string[] = [];
  const note = (what: string, text: unknown) => {
    if (typeof text !== 'string' || text.length < LONG_CHARS) return;
    const place = /\/(src\/[^)\n]+)/.exec(new Error().stack!.split('\n').slice(3).join('\n'))?.[1];
    if (place !== undefined) seen.push(`${what} at ${place}`);
  };
  JSON.parse = (text, ...rest) => {
    note('read', text);
    return parse(text, ...rest) as unknown;
  };
  JSON.stringify = (value: unknown, ...rest: []) => {
    const text = stringify(value, ...rest);
    note('written', text);
    return text;
  };
  t.teardown(() => Object.assign(JSON, { parse, stringify }));
  return seen;
}

t.test('a wide result is passed on as its text', async (t) => {
  const { server } = await notesService(t, (_request, response) => json(response, wide));
  const { client } = server;
  const seen = watchJson(t);
  const headers = { 'Idempotency-Key': 'once' };
  const call = () => client.call('createActionInvocation',
    { body: { action: 'acme.notes.list' }, headers });
  const made = await call();
  t.equal(made.status, 201);
  const { invocation_id, result, ...rest } = made.body as {
    invocation_id: string; result: unknown;
  };
  t.strictSame(result, told, 'without the secret');
  const again = await call();
  t.equal(again.headers.get('Idempotent-Replayed'), 'true');
  t.strictSame(again.body, made.body);
  const read = await client.expect(200, 'getActionInvocation', { path: { invocation_id } });
  t.strictSame(read.result, told);
  t.match(read, { ...rest, truncated: false });
  t.match(await invoke(client, 'acme.notes.list', {}, { fields: ['member7', 'other'] }),
    { status: 201, body: { result: { member7: '[secret]' }, unknown_fields: ['other'] } });
  const { ends: [end] } = await agent(client, line('acme.notes.list'));
  const total_chars = JSON.stringify(told).length;
  t.match(end, { type: 'tool_call.completed', data: { truncated: true,
    result: { ok: true, result: { total_chars, head: /^\{"member0":0,"member1":1,/ } } } });
  t.strictSame(seen, []);
});
