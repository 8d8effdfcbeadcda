import t from 'tap';
import { ActionFailure } from '../../../src/gateway/action/failure.ts';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import type { JsonObject } from '../../../src/json.ts';
import {
  actionOf, callerOf, failure, json, lookupTo, serve, type Handler,
} from '../egress/support.ts';
import { documentOf } from '../support.ts';

const answered: Handler = (_request, response) => json(response, { ok: true });
const query = (name: string, rest: object = {}) => ({ in: 'query', name, schema: {}, ...rest });
const withBody = (content: object, rest: object = {}) => actionOf(documentOf('/things', 'post', {
  requestBody: { content } }, rest));
const media = (type: string, rest: object = {}) =>
  withBody({ [type]: { schema: { type: 'object' }, ...rest } });

t.test('a call on the wire', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const action = actionOf(documentOf('/a/{id}', 'put', {
    parameters: [{ in: 'path', name: 'id', schema: {} }, query('list', { explode: false }),
      { in: 'header', name: 'X-Trace', schema: {} }, { in: 'cookie', name: 'theme', schema: {} }],
    requestBody: { content: { 'application/json': { schema: {} } } },
  }));
  const { result, source_cursor, truncated } = await call(action, {
    idempotency_key: 'key-1',
    target: { base_url: `${server.url}/v1/?version=2` },
    input: { path: { id: 'a/b'.replace('/', ':') }, query: { list: ['x y', 'z,'] },
      header: { 'X-Trace': 't' }, cookie: { theme: 'dark' }, body: { text: 'é' } },
  });
  t.same([result, source_cursor, truncated], [{ ok: true }, null, false]);
  const [{ method, target, headers, body }] = server.received as [typeof server.received[0]];
  t.equal(`${method} ${target}`, 'PUT /v1/a/a%3Ab?version=2&list=x%20y,z%2C');
  t.equal(body.toString(), '{"text":"é"}');
  t.match(headers, { accept: 'application/json, */*;q=0.8', 'x-trace': 't', cookie: 'theme=dark',
    'content-type': 'application/json', 'content-length': '13', 'idempotency-key': 'key-1',
    'user-agent': 'gatehouse' });
  t.notOk(headers.authorization);
});

t.test('an answer without content says where to find what was made', async (t) => {
  const location = '/users/7f3ä';
  const written = Buffer.from(location).toString('latin1');
  const contents: Record<string, string> = { '/200': '{"id":7}', '/203': 'null' };
  const server = await serve(t, ({ target }, response) => void response
    .writeHead(Number(target.slice(1)), { location: written, 'content-type': 'application/json' })
    .end(contents[target] ?? ''));
  const of = async (status: number, asked: { fields?: string[] } = {}) =>
    (await callerOf(t, server)(actionOf(documentOf(`/${status}`, 'post', {})), asked)).result;
  t.strictSame([await of(201), await of(202)], [{ location }, { location }]);
  t.strictSame(await of(201, { fields: ['id'] }), { location }, 'whatever was asked for');
  t.strictSame([await of(200), await of(203)], [{ id: 7 }, null], 'content says it itself');
});

t.test('an integer that is too large for a number is one in a body that wants one', async (t) => {
  const server = await serve(t, answered);
  const action = withBody({ 'application/json': { schema: { type: 'object',
    properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } } } } });
  await callerOf(t, server)(action,
    { input: { body: { id: '1076543210012345678', name: '1076543210012345678' } } });
  t.equal(String(server.received[0]!.body),
    '{"id":1076543210012345678,"name":"1076543210012345678"}');
});

t.test('credentials of every kind, and they win', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const action = actionOf(documentOf('/a', 'get', {
    parameters: [query('key'), query('q'), { in: 'cookie', name: 'key', schema: {} },
      { in: 'cookie', name: 'other', schema: {} }, { in: 'header', name: 'X-Key', schema: {} }] }));
  const input = { query: { key: 'mine', q: 'a b' }, cookie: { key: 'mine', other: '1' },
    header: { 'X-Key': 'mine' } };
  const sent = async (credentials: NonNullable<Parameters<typeof call>[1]>['credentials']) => {
    await call(action, { input, credentials });
    return server.received.at(-1)!;
  };
  const api_key = { type: 'api_key', value: 'v/&1' } as const;
  t.match(await sent({ type: 'bearer', token: 'tok' }),
    { headers: { authorization: 'Bearer tok', 'x-key': 'mine' } });
  t.match(await sent({ type: 'oauth2', access_token: 'tok' }),
    { headers: { authorization: 'Bearer tok' } });
  t.match(await sent({ type: 'basic', username: 'ä', password: 'p:w' }),
    { headers: { authorization: `Basic ${Buffer.from('ä:p:w').toString('base64')}` } });
  t.match(await sent({ ...api_key, in: 'header', name: 'X-Key' }),
    { headers: { 'x-key': 'v/&1' } });
  t.match(await sent({ ...api_key, in: 'header', name: 'Authorization', prefix: 'Token' }),
    { headers: { authorization: 'Token v/&1' } });
  t.match(await sent({ ...api_key, in: 'header', name: 'Authorization', prefix: 'key=' }),
    { headers: { authorization: 'key=v/&1' } });
  t.equal((await sent({ ...api_key, in: 'query', name: 'key' })).target,
    '/a?q=a%20b&key=v%2F%261');
  t.equal((await sent({ ...api_key, in: 'cookie', name: 'key' })).headers.cookie,
    'other=1; key=v/&1');
  t.match(await sent({ type: 'none' }), { target: '/a?key=mine&q=a%20b',
    headers: { cookie: 'key=mine; other=1' } });

  const count = server.received.length;
  const bad = await failure(sent({ type: 'bearer', token: 'canary\r\nX-Evil: 1' }));
  t.notMatch(bad.message, 'canary', 'who gives out credentials says what is wrong with them');
  t.equal(server.received.length, count);
});

t.test('JSON, text and binary bodies', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const sent = async (type: string, body: unknown) => {
    await call(media(type), { input: { body } });
    const { headers, body: bytes } = server.received.at(-1)!;
    return [headers['content-type'], bytes.toString('latin1')];
  };
  t.same(await sent('application/json', null), ['application/json', 'null']);
  t.same(await sent('application/vnd.x+json; v=2', [1]), ['application/vnd.x+json; v=2', '[1]']);
  t.same(await sent('*/*', { a: 1 }), ['application/json', '{"a":1}']);
  t.same(await sent('text/csv', 'a,b\n'), ['text/csv', 'a,b\n']);
  t.same(await sent('application/xml', '<a/>'), ['application/xml', '<a/>']);
  t.same(await sent('text/plain', 5), ['text/plain', '5']);
  const bytes = Buffer.from([0, 255, 1]);
  t.same(await sent('application/octet-stream', { base64: bytes.toString('base64') }),
    ['application/octet-stream', '\0\xff\x01']);
  t.same(await sent('image/png', { base64: '_-8', media_type: 'image/gif' }),
    ['image/png', '\xff\xef'], 'base64url, too');
  t.same(await sent('image/*', { text: 'x', media_type: 'image/gif' }), ['image/gif', 'x']);
  t.same(await sent('image/*', { text: 'x', media_type: 'a\r\nb: c' }),
    ['application/octet-stream', 'x']);
  for (const body of [{ base64: '!' }, { a: 1 }, 5]) {
    t.match(await failure(call(media('image/png'), { input: { body } })),
      { missing: [{ code: 'invalid_input', violations: [{ path: /^\/input\/body/ }] }] });
  }
  const validators = new InputValidators();
  for (const action of [media('image/png'), withBody({ 'multipart/form-data': { schema: {
    type: 'string', format: 'binary' } } })]) {
    const isValid = (body: object) => validators.check(action, { body }).violations.length === 0;
    t.same([{ base64: 'AA' }, { text: 'a' }, { base64: 'AA', text: 'a' }, {}].map(isValid),
      [true, true, false, false], 'what is refused here is refused before anything is done');
  }
});

t.test('a range of media types that takes bytes takes a file, of the type it has', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  for (const range of ['*/*', 'application/*']) {
    const action = withBody({ [range]: { schema: { $ref: '#/components/schemas/Bytes' } } },
      { components: { schemas: { Bytes: { type: 'string', format: 'binary' } } } });
    const base64 = Buffer.from([0, 255]).toString('base64');
    for (const [media_type, sent] of [['application/pdf', 'application/pdf'],
      [undefined, 'application/octet-stream']] as const) {
      const body = { base64, ...(media_type !== undefined && { media_type }) };
      t.same(new InputValidators().check(action, { body }).violations, []);
      await call(action, { input: { body } });
      const { headers, body: bytes } = server.received.at(-1)!;
      t.same([headers['content-type'], bytes.toString('latin1')], [sent, '\0\xff'], range);
    }
    t.match(new InputValidators().check(action, { body: 'text' }).violations, [{}], range);
  }
});

t.test('of several types of files the caller says which', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const types = ['image/jpeg', 'image/png'];
  const taking = (...all: string[]) =>
    withBody(Object.fromEntries(all.map((type) => [type, { schema: {} }])));
  const sent = async (all: string[], media_type?: string) => {
    await call(taking(...all), { input: { body: { text: 'x', media_type: media_type! } } });
    return server.received.at(-1)!.headers['content-type'];
  };
  t.equal(await sent(types), 'image/jpeg', 'the first, if nothing is said');
  t.equal(await sent(types, 'IMAGE/PNG'), 'image/png');
  t.equal(await sent([...types, 'text/csv'], 'image/png'), 'image/png');
  t.equal(await sent(['image/jpeg', 'video/*'], 'video/mp4'), 'video/mp4');
  t.equal(await sent(['video/*', 'image/jpeg']), 'application/octet-stream');
  t.equal(await sent(['image/png', 'application/octet-stream'], 'a/b'), 'application/octet-stream');
  t.match(await failure(sent([...types, 'video/*'], 'image/gif')), { missing: [{ violations: [{
    path: '/input/body/media_type',
    message: 'must be one of "image/jpeg", "image/png", "video/*"' }] }] });
  t.match(taking(...types).input_schema, { properties: { body: { properties: {
    media_type: { description: 'One of "image/jpeg", "image/png"; the first by itself.' } } } } });
});

t.test('forms', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const action = media('application/x-www-form-urlencoded', { encoding: {
    metadata: { style: 'deepObject', explode: true }, csv: { explode: false },
    json: { contentType: 'application/json' } } });
  await call(action, { input: { body: { text: 'a b&c', list: ['x', 'y'], object: { a: 1 },
    metadata: { k: 'v', n: { m: 1 } }, csv: ['1', '2'], json: ['x'], none: null, flag: true } } });
  t.equal(server.received[0]!.body.toString(), 'text=a%20b%26c&list=x&list=y'
    + '&object=%7B%22a%22%3A1%7D&metadata%5Bk%5D=v&metadata%5Bn%5D%5Bm%5D=1&csv=1,2'
    + '&json=%5B%22x%22%5D&flag=true');
  t.match(await failure(call(action, { input: { body: 'text' as unknown as JsonObject } })),
    { missing: [{ violations: [{ message: 'must be an object' }] }] });
});

t.test('multipart bodies and their files', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const file = { type: 'string', format: 'binary', description: 'A picture.' };
  const action = withBody({ 'multipart/form-data': {
    schema: { type: 'object', properties: { file, files: { type: 'array', items: file },
      title: { type: 'string' }, meta: { type: 'object' } } },
    encoding: { meta: { contentType: 'application/vnd.meta+json' },
      file: { contentType: 'image/png, image/jpeg' }, files: { contentType: 'image/png' } },
  } });
  t.match(action.input_schema, { properties: { body: { properties: {
    file: { type: 'object', description: 'A picture.', properties: { base64: {} } },
    files: { items: { type: 'object' } }, title: { type: 'string' } } } } });
  const bytes = Buffer.from([0, 13, 10, 255]);
  await call(action, { input: { body: {
    title: 'Grüße', meta: { a: 1 }, count: 3, none: null,
    file: { base64: bytes.toString('base64'), filename: 'a"\r\nX-Evil: 1.png',
      media_type: 'image/jpeg' },
    files: [{ text: 'one' }, { text: 'two', filename: 'two.txt', media_type: 'text/plain' }],
  } } });
  const { headers, body } = server.received[0]!;
  const form = await new Response(body, {
    headers: { 'content-type': headers['content-type']! } }).formData();
  t.same([form.get('title'), form.get('meta'), form.get('count')], ['Grüße', '{"a":1}', '3']);
  const picture = form.get('file') as File;
  t.same([picture.type, Buffer.from(await picture.arrayBuffer())], ['image/jpeg', bytes]);
  t.match(picture.name, /^a.*X-Evil: 1\.png$/s);
  const files = form.getAll('files') as File[];
  t.same(files.map(({ name, type }) => [name, type]),
    [['file', 'image/png'], ['two.txt', 'text/plain']]);
  t.same(await Promise.all(files.map((one) => one.text())), ['one', 'two']);
  const raw = body.toString('latin1');
  t.match(raw, /name="meta"\r\nContent-Type: application\/vnd\.meta\+json\r\n/);
  t.match(raw, 'filename="a%22%0D%0AX-Evil: 1.png"');
  t.match(await failure(call(action, { input: { body: { files: [{ base64: '*' }] } } })),
    { missing: [{ violations: [{ path: '/input/body/files/0/base64' }] }] });
});

t.test('lines of JSON, as a list or as they are', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const list = { schema: { type: 'array', items: item } };
  const sent = async (action: ReturnType<typeof actionOf>, body: unknown) => {
    await call(action, { input: { body } });
    const { headers, body: bytes } = server.received.at(-1)!;
    return `${headers['content-type']}: ${bytes.toString()}`;
  };
  const text = '{"id":1}\n{"id":9007199254740993}\n';
  const given = [{ id: 1 }, { id: '9007199254740993' }];
  for (const media of [list, { itemSchema: item }]) {
    const action = withBody({ 'application/x-ndjson': media });
    t.match(action.input_schema, { properties: { body: { anyOf: [list.schema, {}] } } });
    t.equal(await sent(action, given), `application/x-ndjson: ${text}`);
    t.equal(await sent(action, text), `application/x-ndjson: ${text}`);
  }
  const plain = withBody({ 'application/jsonl': {} });
  t.match(plain.input_schema, { properties: { body: { type: 'string' } } });
  const overrides = { 'POST /_bulk': { media_type: 'application/x-ndjson' } };
  const requestBody = { content: { 'application/json': list } };
  const bulk = documentOf('/_bulk', 'post', { requestBody });
  t.equal(await sent(actionOf(bulk, { overrides }), given), `application/x-ndjson: ${text}`,
    'the operator knows better than the document');
  t.same(actionOf(documentOf('/_bulk', 'post', {}), { overrides }).request.body_media_type, null);
});

t.test('parts that the caller has written, by the boundary in them', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const action = withBody({ 'multipart/mixed;boundary=other': { schema: { type: 'string' } } });
  const batch = '--part\r\nContent-Type: application/http\r\n\r\nGET /a HTTP/1.1\r\n--part--';
  await call(action, { input: { body: batch } });
  t.match(server.received[0], { headers: { 'content-type': 'multipart/mixed; boundary=part' } });
  t.equal(server.received[0]!.body.toString(), batch);
  t.match(await failure(call(action, { input: { body: 'GET /a' } })),
    { missing: [{ violations: [{ path: '/input/body', message: /begins with the line/ }] }] });
});

t.test('multipart parts by their names, in the document\'s order', async (t) => {
  const server = await serve(t, answered);
  const call = callerOf(t, server);
  const sent = async (schema: object, body: unknown, encoding: object = {}) => {
    const action = withBody({ 'multipart/form-data': { schema, encoding } });
    t.same(new InputValidators().check(action, { body }).violations, []);
    await call(action, { input: { body: body as JsonObject } });
    return [...server.received.at(-1)!.body.toString('latin1')
      .matchAll(/ name="([^"]*)"(?:; filename="([^"]*)")?/g)].map(([, name, file]) => [name, file]);
  };
  const text = { type: 'string' };
  const bytes = { type: 'string', format: 'binary' };
  t.same(await sent({ type: 'object', properties: { attributes: { type: 'object' }, file: bytes } },
    { file: { text: 'a', filename: 'a.txt' }, extra: 1, attributes: {} }),
  [['attributes', undefined], ['file', 'a.txt'], ['extra', undefined]]);
  t.same(await sent({ type: 'object', properties: { link: { type: 'object' }, ids: {} } },
    { link: { create: true, meta: { 'a"b': 1 } }, ids: ['x', 'y'] },
    { link: { style: 'deepObject', explode: true }, ids: { style: 'deepObject' } }),
  ['link[create]', 'link[meta][a%22b]', 'ids[]', 'ids[]'].map((name) => [name, undefined]));
  t.same(await sent(bytes, { text: 'a', filename: 'a.log' }), [['file', 'a.log']],
    'a file that the document gives no name');
  const named = { type: 'object', properties: { file: text, title: text } };
  t.same(await sent(named, { file: { text: 'a', filename: 'b.pdf' }, title: 't' }),
    [['file', 'b.pdf'], ['title', undefined]], 'a file that the document calls a text');
  t.same(await sent(named, { file: 'a' }), [['file', undefined]]);
});

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

t.test('results by what they are', async (t) => {
  const answers: Record<string, [Record<string, string>, Buffer | string, unknown]> = {
    json: [{ 'content-type': 'application/json' }, '{"a":[1]}', { a: [1] }],
    hal: [{ 'content-type': 'application/hal+json; charset=utf-8' }, '"x"', 'x'],
    untyped: [{}, '[1]', [1]],
    text: [{ 'content-type': 'text/plain' }, '{"a":1}', '{"a":1}'],
    latin: [{ 'content-type': 'text/plain; charset=iso-8859-1' }, Buffer.from([0xe9]), 'é'],
    lie: [{ 'content-type': 'application/json; charset=nonsense' }, '"é"', 'é'],
    wide: [{ 'content-type': 'text/csv' }, Buffer.from('\uFEFFGröße,1', 'utf16le'), 'Größe,1'],
    wide_json: [{ 'content-type': 'application/json; charset=utf-8' },
      Buffer.from('\uFEFF{"a":"é"}', 'utf16le').swap16(), { a: 'é' }],
    // As Java's servers name a charset for everything.
    document: [{ 'content-type': `${DOCX};charset=ISO-8859-1` },
      Buffer.from('PK\x03\0\xe9', 'latin1'),
      { media_type: `${DOCX};charset=ISO-8859-1`, bytes: 5, base64: 'UEsDAOk=' }],
    empty: [{ 'content-type': 'application/json' }, '', null],
    image: [{ 'content-type': 'image/png' }, Buffer.from([1, 2]),
      { media_type: 'image/png', bytes: 2, base64: 'AQI=' }],
    bytes: [{}, Buffer.from([0xff, 0xfe]),
      { media_type: 'application/octet-stream', bytes: 2, base64: '//4=' }],
    zero: [{ 'content-type': 'x/y' }, 'a\0b', { media_type: 'x/y', bytes: 3, base64: 'YQBi' }],
  };
  const server = await serve(t, ({ target }, response) => {
    const [headers, body] = answers[target.slice(1)]!;
    response.writeHead(200, headers).end(body);
  });
  const call = callerOf(t, server);
  for (const [name, [, , result]] of Object.entries(answers)) {
    t.same((await call(actionOf(documentOf(`/${name}`, 'get', {})))).result, result, name);
  }
  const broken = { '{"a":1}garbage': { 'content-length': '5' }, '{"a": NaN}': {}, '<p>Hi</p>': {} };
  for (const [body, headers] of Object.entries(broken)) {
    for (const method of ['get', 'post']) {
      const half = await serve(t, (_request, response) => {
        const type = Object.entries({ 'content-type': 'application/json', ...headers });
        const head = type.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        response.socket!.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n${head}\r\n${body}`);
      });
      const text = body.slice(0, Number(Object.values(headers)[0] ?? Infinity));
      t.match(await callerOf(t, half)(actionOf(documentOf('/x', method, {})), { fields: ['a'] }),
        { result: { not_json: { bytes: text.length, hint: /^The call succeeded, / }, text },
          truncated: false }, 'it is no failure, and nothing that could be taken for a result');
    }
  }
  const nothing = await serve(t, (_request, response) =>
    response.writeHead(204, { 'content-encoding': 'gzip' }).end());
  t.same((await callerOf(t, nothing)(actionOf(documentOf('/x', 'delete', {})))).result, null);
  t.same((await callerOf(t, nothing)(actionOf(documentOf('/x', 'head', {})))).result, null);
});

t.test('operations with servers of their own', async (t) => {
  const main = await serve(t, answered);
  const uploads = await serve(t, answered);
  const call = callerOf(t, main);
  const at = (url: string) => actionOf(documentOf('/a', 'get', { servers: [{ url }] }));
  await call(at('/v2'));
  t.equal(main.received[0]!.target, '/v2/a');
  await call(at(`${main.url}/v3`));
  t.equal(main.received[1]!.target, '/v3/a');
  const egress_allow = [...main.egress_allow, ...uploads.egress_allow];
  const credentials = { type: 'bearer', token: 'secret' } as const;
  const refused = await failure(call(at(uploads.url), { credentials, target: { egress_allow } }));
  t.type(refused, ActionFailure);
  t.same(uploads.received, [], 'a document does not lead the credentials elsewhere');
});

t.test('a call that is cancelled', async (t) => {
  const server = await serve(t, () => controller.abort(reason));
  const controller = new AbortController();
  const reason = new Error('cancelled');
  const sent = callerOf(t, server)(actionOf(documentOf('/a', 'post', {})), {}, controller.signal);
  t.equal(await failure(sent), reason);
});

t.test('a base address that may not be called', async (t) => {
  const call = callerOf(t, await serve(t, answered), { lookup: lookupTo('10.0.0.1') });
  for (const base_url of ['http://169.254.169.254/', 'http://intern.example/', 'nonsense',
    'ftp://a/']) {
    t.match(await failure(call(actionOf(documentOf('/a', 'get', {})), { target: { base_url } })),
      { name: 'ActionFailure', code: 'egress_refused', message: /may not be called/ }, base_url);
  }
});
