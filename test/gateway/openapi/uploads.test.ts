import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { isObject, type JsonObject } from '../../../src/json.ts';
import { actionOf, callerOf, json, serve } from '../egress/support.ts';
import { documentOf } from '../support.ts';

const MESSAGE = { type: 'object', properties: { content: { type: 'string' },
  poll: { type: 'object', properties: { text: { type: 'string' } } } } };
const BYTES = { type: 'string', contentMediaType: 'application/octet-stream' };
const FORM = 'application/x-www-form-urlencoded';
const uploading = (content: Record<string, object>) => actionOf(documentOf('/messages', 'post',
  { requestBody: { content: Object.fromEntries(Object.entries(content).map(([type, schema]) =>
    [type, { schema }])) } },
  { components: { schemas: { Message: MESSAGE, File: BYTES } } }));
const REFERENCE = { $ref: '#/components/schemas/Message' };
const FILES = { type: 'object', properties: { 'files[0]': { $ref: '#/components/schemas/File' },
  more: { type: 'array', items: { anyOf: [{ type: 'string' }, BYTES] } } } };
const FILE = { text: 'Hello', filename: 'hello.txt', media_type: 'text/plain' };

t.test('a body that holds a file is sent as multipart, any other as JSON', async (t) => {
  const server = await serve(t, (_request, response) => json(response, {}));
  const call = callerOf(t, server);
  const action = uploading({ 'application/json': REFERENCE, [FORM]: REFERENCE,
    'multipart/form-data': { allOf: [REFERENCE, FILES] } });
  for (const [body, multipart] of [
    [{ content: 'Hi' }, false],
    [{ poll: { text: 'no file, though it looks like one' } }, false],
    [{ content: 'Hi', 'files[0]': FILE }, true],
    [{ more: ['a', FILE] }, true],
  ] as const) {
    t.same(new InputValidators().check(action, { body }).violations, [], JSON.stringify(body));
    await call(action, { input: { body } });
    const { headers, body: sent } = server.received.at(-1)!;
    t.match(headers['content-type'], multipart ? /^multipart\/form-data; b/ : 'application/json');
    if (!multipart) t.same(JSON.parse(sent.toString()), body);
    else t.match(sent.toString(), 'filename="hello.txt"\r\nContent-Type: text/plain\r\n\r\nHello');
  }
  t.match(new InputValidators().check(action, { body: { 'files[0]': 'bytes?' } }).violations,
    [{ path: '/input/body/files[0]' }], 'JSON has no bytes');
});

t.test('integers in the JSON of a part or a field have all their digits', async (t) => {
  const big = '9007199254740993';
  const item = { type: 'object', properties: { id: { type: 'integer' } } };
  const server = await serve(t, (_request, response) => json(response, {}));
  const call = callerOf(t, server);
  const schema = { type: 'object', properties: {
    one: item, list: { type: 'array', items: item }, text: { type: 'string' } } };
  for (const [media_type, encoding] of [['multipart/form-data'], [FORM],
    ['multipart/form-data', { list: { explode: true } }]] as const) {
    const action = actionOf(documentOf('/messages', 'post',
      { requestBody: { content: { [media_type]: { schema, encoding } } } }));
    const body = { one: { id: big }, list: [{ id: 1 }, { id: big }], text: big };
    t.same(new InputValidators().check(action, { body }).violations, []);
    await call(action, { input: { body } });
    const sent = decodeURIComponent(server.received.at(-1)!.body.toString());
    t.match(sent, '{"id":9007199254740993}', media_type);
    t.match(sent, media_type === FORM ? `text=${big}` : `"text"\r\n\r\n${big}\r\n`);
    t.notMatch(sent, `{"id":"${big}"}`, `${media_type}: nor in a list`);
  }
});

t.test('a form with files beside it is sent so, too; both ways are described', async (t) => {
  const server = await serve(t, (_request, response) => json(response, {}));
  const action = uploading({ 'multipart/form-data': FILES, [FORM]: REFERENCE });
  t.match(bodyOf(action.input_schema), { anyOf: [{}, {}] });
  const call = callerOf(t, server);
  await call(action, { input: { body: { content: 'a b' } } });
  await call(action, { input: { body: { 'files[0]': FILE } } });
  t.match(server.received.map(({ headers }) => headers['content-type']),
    [FORM, /^multipart\/form-data/]);
});

t.test('bytes are said in the ways of all versions of OpenAPI', async (t) => {
  for (const [said, is] of [[{ format: 'binary' }, true], [{ contentEncoding: 'binary' }, true],
    [{ contentMediaType: 'image/png' }, true], [{ contentEncoding: 'base64' }, false],
    [{ contentMediaType: 'application/json' }, false], [{}, false]] as const) {
    const one = uploading({ 'application/json': REFERENCE, 'multipart/form-data': {
      type: 'object', properties: { avatar: { type: 'string', ...said } } } });
    t.same(one.request.upload?.fields, is ? ['avatar'] : undefined, JSON.stringify(said));
  }
});

t.test('without files in it multipart is but another way to say the same', async (t) => {
  for (const other of ['multipart/form-data', 'multipart/mixed', 'image/png']) {
    const one = uploading({ 'application/json': MESSAGE, [other]: MESSAGE });
    t.notOk(one.request.upload, other);
    t.match(bodyOf(one.input_schema), { properties: { content: {} } });
  }
  t.notOk(uploading({ 'multipart/form-data': FILES }).request.upload, 'it is the only way');
});

t.test('what a document describes as an object is no file, though it looks like one', async (t) => {
  const server = await serve(t, (_request, response) => json(response, {}));
  const call = callerOf(t, server);
  const text = { type: 'object', properties: { text: { type: 'string' } } };
  const fields = { ...FILES.properties, message: text, list: { type: 'array', items: text },
    maybe: { anyOf: [{ type: 'null' }, text] }, said: { ...text, type: ['object', 'null'] },
    either: { anyOf: [text, BYTES] }, any: {}, bare: { type: 'object' }, styled: text };
  const schema = { type: 'object', properties: fields };
  const encoding = { styled: { style: 'deepObject' } };
  for (const content of [{ 'multipart/form-data': { schema, encoding } },
    { 'application/json': { schema: REFERENCE }, 'multipart/form-data': { encoding,
      schema: { allOf: [REFERENCE, schema] } } }]) {
    const action = actionOf(documentOf('/messages', 'post', { requestBody: { content } },
      { components: { schemas: { Message: MESSAGE, File: BYTES } } }));
    const said = { text: 'hello' };
    const body = { 'files[0]': FILE, message: said, list: [said], maybe: said, said, either: said,
      any: said, bare: FILE, styled: said, unknown: said };
    t.same(new InputValidators().check(action, { body }).violations, []);
    await call(action, { input: { body } });
    const sent = server.received.at(-1)!.body.toString();
    const parts = new Map([...sent.matchAll(/name="([^"]+)"(; filename=)?.*\r\n([^]*?)\r\n--/g)]
      .map(([, name, filename, rest]) => [name!, [filename !== undefined, rest!]]));
    for (const name of ['message', 'list', 'maybe', 'said']) {
      t.same(parts.get(name),
        [false, 'Content-Type: application/json\r\n\r\n{"text":"hello"}'], name);
    }
    t.same(parts.get('styled[text]'), [false, '\r\nhello']);
    for (const name of ['files[0]', 'either', 'any', 'bare', 'unknown']) {
      t.match(parts.get(name), [true, /hello|Hello/], `${name} is a file`);
    }
  }
});

t.test('choices that lead to the same choices are each looked at once', async (t) => {
  const $ref = (level: number) => ({ $ref: `#/components/schemas/Level${level}` });
  const schemas = Object.fromEntries(Array.from({ length: 8 }, (_, level) => [`Level${level}`, {
    type: 'object', anyOf: Array.from({ length: 40 }, () => $ref(level + 1)),
    properties: { [`p${level}`]: $ref(level + 1), [`q${level}`]: $ref(level + 1) } }]));
  const { request } = actionOf(documentOf('/messages', 'post', { requestBody: { content: {
    'application/json': { schema: $ref(0) }, 'multipart/form-data': { schema: $ref(0) } } } },
  { components: { schemas: { ...schemas, Level8: BYTES } } }));
  t.match(request.upload?.fields.slice(0, 3), ['p0', 'q0', 'p1']);
});

function bodyOf({ properties }: JsonObject): unknown {
  return isObject(properties) && properties.body;
}
