import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { JsonObject } from '../../../src/json.ts';
import { actionOf, callerOf, failure, serve, type Handler } from '../egress/support.ts';
import { documentOf } from '../support.ts';

const LIMIT_BYTES = 100_000;
const rows = Array.from({ length: 4_000 }, (_, id) => ({ id, note: 'ä'.repeat(100) }));
const list = { rows, next_cursor: 'c-2', has_more: true };
const repeated = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));

const ANSWERS: Record<string, [string, string | Buffer, Record<string, string>?]> = {
  '/list': ['application/json', JSON.stringify(list)],
  '/gzip': ['application/json', gzipSync(JSON.stringify(list)), { 'content-encoding': 'gzip' }],
  '/soft': ['application/json', JSON.stringify({ ok: false, error: 'no_such_list', ...list })],
  '/text': ['text/csv', repeated('a,b\n', 200_000)],
  '/lines': ['application/json', repeated('{"id":1}\n', 200_000)],
  '/bomb': ['application/json', gzipSync(repeated('[', 9_000_000)), { 'content-encoding': 'gzip' }],
  '/latin1': ['application/json; charset=iso-8859-1', Buffer.from(
    JSON.stringify({ prénom: 'Zoé', rest: repeated('é', 200_000) }), 'latin1')],
  '/long': ['application/json', `["${repeated('x', 5_000_000)}"]`],
};

const answering: Handler = ({ target }, response) => {
  const [type, body, headers] = ANSWERS[target.split('?')[0]!]!;
  response.writeHead(200, { 'content-type': type, ...headers }).end(body);
};

const operation = (path: string, method = 'get') => actionOf(documentOf(path, method, {
  parameters: [{ in: 'query', name: 'cursor', schema: { type: 'string' } }],
  responses: { 200: { content: { 'application/json': { schema: {} } } } },
}), { overrides: { [`${method.toUpperCase()} ${path}`]: {
  soft_error: { pointer: '/ok', equals: false, message_pointer: '/error' } } } });

t.test('fields are chosen of an answer that is too large to be kept', async (t) => {
  const call = callerOf(t, await serve(t, answering), { response_limit_bytes: LIMIT_BYTES });
  for (const path of ['/list', '/gzip']) {
    const action = operation(path);
    const { result, truncated, is_kept, source_cursor } =
      await call(action, { fields: ['rows.id'] });
    t.strictSame((result as typeof list).rows, rows.map(({ id }) => ({ id })), path);
    t.notOk(truncated, 'it is all there');
    t.ok(is_kept, 'once, where it was read');
    t.match(source_cursor, 'c-2', 'the next page is known, although nobody chose its cursor');
    t.strictSame((await call(action, { fields: ['rows.id'], cursor: source_cursor })).source_cursor,
      null, 'a cursor that leads to itself is none');
  }
  t.match(await failure(call(operation('/soft', 'post'), { fields: ['rows.id'] })),
    { code: 'upstream_error', message: /answered this call with an error/,
      details: { body: { truncated: Object } } });
});

t.test('where choosing does not do, the caller is told why', async (t) => {
  const call = callerOf(t, await serve(t, answering), { response_limit_bytes: LIMIT_BYTES });
  const told = async (path: string, fields?: string[]) => {
    const { result, ...performed } = await call(operation(path), fields && { fields });
    t.strictSame(performed, { source_cursor: null, truncated: true, is_kept: true }, path);
    const { truncated, head } = result as { truncated: JsonObject, head: string };
    t.equal(truncated.returned, Buffer.byteLength(head));
    return truncated.hint;
  };
  const less = /Ask for less with a filter or a smaller page\.$/;
  t.match(await told('/list'), /Ask for less with `fields`, which can choose from 3 MiB of JSON/);
  t.match(await told('/list', ['rows']), /What `fields` chose of it is too large, too/);
  for (const path of ['/text', '/lines', '/bomb', '/latin1']) {
    const hint = await told(path, ['prénom', 'id']);
    t.match(hint, /cannot choose from it: it is no JSON in UTF-8, or nested too deeply/, path);
    t.match(hint, less, path);
  }
  const hint = await told('/long', ['id']);
  t.match(hint, /also longer than the 3 MiB from which `fields` can choose/);
  t.match(hint, less);
});
