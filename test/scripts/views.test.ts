/** The views of the public document: the same operations, sound by the rules of their version. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import t from 'tap';
import {
  listOperations, readDocument, resolveReference, type OpenapiDocument, type ResponseNode,
} from '../../scripts/document.ts';
import { document30, document32 } from '../../scripts/views.ts';
import { read } from '../support/sourceTree.ts';
import { prompt } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const STREAM = 'text/event-stream';
const EXAMPLES = /^examples?$/;
const NAMES =
  ['openapi.json', 'openapi.3.0.json', 'openapi.3.2.json', 'openapi.codegen.json'] as const;
const views = Object.fromEntries(NAMES.map((name) =>
  [name, JSON.parse(read(`generated/${name}`)) as OpenapiDocument])) as
  Record<(typeof NAMES)[number], OpenapiDocument>;

t.test('each view has the same operations, answers, errors and request fields', async (t) => {
  const whole = outline(views['openapi.json']);
  for (const name of NAMES) t.strictSame(outline(views[name]), whole, name);
  t.ok(whole.length > 10);
});

function outline(document: OpenapiDocument): object[] {
  return listOperations(document).map(({ operation_id, method, path, node, parameters }) => ({
    operation_id, method, path, tags: node.tags,
    // The limit of streamRunEvents is that of its JSON page, which generators are not shown.
    parameters: parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      .filter((named) => operation_id !== 'streamRunEvents' || named !== 'query limit'),
    // Nor its 204, which would make each event one or nothing.
    responses: Object.entries(node.responses!).filter(([status]) =>
      operation_id !== 'streamRunEvents' || status !== '204').map(([status, response]) => {
      const { headers, description } = resolveReference(document, response) as
        { headers?: object; description: string };
      return { status, description, headers: Object.keys(headers ?? {}) };
    }),
  }));
}

for (const name of NAMES) {
  t.test(`${name} is valid by the schema of its version, and its schemas by theirs`, async (t) => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(views[name]));
    t.ok(valid, JSON.stringify(errors));
    const [version = '3.1'] = /3\.\d/.exec(name) ?? [];
    t.match(views[name].openapi, version);
    const ajv = schemasOf(views[name]);
    for (const schema of Object.keys(views[name].components.schemas)) {
      t.doesNotThrow(() => ajv.compile({ $ref: `view#/components/schemas/${schema}` }), schema);
    }
    const broken = structuredClone(views[name]);
    Object.assign(listOperations(broken)[0]!.node.responses!, { 200: { content: [] } });
    t.notOk((await new Validator().validate(broken)).valid, 'what breaks the rules is seen');
  });
}

function schemasOf(document: OpenapiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // No more than its schemas: the rest is not JSON Schema.
  return ajv.addSchema({ $id: 'view', components: { schemas: document.components.schemas } });
}

t.test('what the 3.2 view says of a stream is what the service sends', async (t) => {
  const { client } = await testServer(t);
  const session = await client.expect(201, 'createSession');
  const response = await client.fetch('createRun', {
    path: { session_id: session.id },
    body: prompt('call gatehouse.sessions.list', { stream: true }),
  });
  const view = views['openapi.3.2.json'];
  const streams = listOperations(view).flatMap(({ operation_id, node }) =>
    Object.values(node.responses!).map((answer) => resolveReference(view, answer))
      .flatMap(({ content = {} }: ResponseNode) => content[STREAM] ?? [])
      .map((media) => ({ operation_id, media: media as Record<string, unknown> })));
  t.strictSame(streams.map(({ operation_id }) => operation_id), ['createRun', 'streamRunEvents']);
  for (const { media } of streams) {
    t.strictSame(media.itemSchema, { $ref: '#/components/schemas/RunEventMessage' });
    t.notOk('schema' in media, 'one of the two');
  }
  const ajv = schemasOf(view);
  const isMessage = ajv.compile({ $ref: 'view#/components/schemas/RunEventMessage' });
  const { properties } = view.components.schemas.RunEventMessage as unknown as
    { properties: { data: { contentSchema: { $ref: string } } } };
  const isEvent = ajv.compile({ $ref: `view${properties.data.contentSchema.$ref}` });
  let count = 0;
  for await (const message of response.body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())) {
    count += 1;
    t.ok(isMessage(message), JSON.stringify(isMessage.errors));
    const event = JSON.parse(message.data) as { type: string; sequence_number: number };
    t.ok(isEvent(event), JSON.stringify(isEvent.errors));
    t.strictSame([message.event, message.id], [event.type, String(event.sequence_number)]);
  }
  t.ok(count > 5);
});

t.test('the codegen view has one form for each answer, and streams are typed', async (t) => {
  const view = views['openapi.codegen.json'];
  for (const { operation_id, node } of listOperations(view)) {
    for (const [status, response] of Object.entries(node.responses!)) {
      const { content = {} } = resolveReference(view, response);
      t.ok(Object.keys(content).length <= 1, `${operation_id} ${status}`);
      if (status !== '200') continue;
      const streams = operation_id === 'streamRunEvents';
      t.equal(STREAM in content, streams, operation_id);
      if (streams) {
        t.strictSame(content[STREAM]!.schema, { $ref: '#/components/schemas/RunEvent' });
      }
    }
  }
  const fields = (name: (typeof NAMES)[number]) => Object.keys((views[name].components.schemas
    .CreateRunRequest as unknown as { properties: object }).properties);
  t.strictSame(fields('openapi.codegen.json'),
    fields('openapi.json').filter((field) => field !== 'stream'));
});

t.test('the 3.0 view has one object for those of a kind, which what is sent fits', async (t) => {
  const view = views['openapi.3.0.json'];
  const text = JSON.stringify(view.components.schemas);
  for (const word of ['const', 'oneOf', 'anyOf', 'discriminator', 'propertyNames']) {
    t.notOk(text.includes(`"${word}"`), word);
  }
  t.notOk(text.includes('"null"'), 'null is no type');
  for (const name of ['RunEvent', 'MessagePart']) {
    const { properties, required } = view.components.schemas[name] as unknown as
      { properties: object; required: string[] };
    const whole = views['openapi.json'];
    for (const reference of whole.components.schemas[name]!.oneOf as { $ref: string }[]) {
      const kind = resolveReference(whole, reference) as typeof view.components.schemas[string];
      t.strictSame(Object.keys(kind.properties!).filter((field) => !(field in properties)), []);
      t.strictSame(required.filter((f) => !(kind.required as string[]).includes(f)), []);
    }
  }
  const { client } = await testServer(t);
  const session = await client.expect(201, 'createSession');
  const path = { session_id: session.id };
  const run = await client.expect(200, 'createRun',
    { path, body: prompt('call gatehouse.sessions.list', { wait: true }) });
  const ajv = schemasOf(jsonSchemas(view) as OpenapiDocument);
  const isRun = ajv.compile({ $ref: 'view#/components/schemas/Run' });
  t.ok(isRun(run), JSON.stringify(isRun.errors));
  t.equal(run.error, null);
  const isEvent = ajv.compile({ $ref: 'view#/components/schemas/RunEvent' });
  const events = await client.expect(200, 'streamRunEvents', { path: { run_id: run.id } });
  t.ok(events.data.length > 5);
  for (const event of events.data) t.ok(isEvent(event), JSON.stringify(isEvent.errors));
  const areMessages = ajv.compile({ $ref: 'view#/components/schemas/MessageList' });
  const messages = await client.expect(200, 'listSessionMessages', { path });
  t.ok(areMessages(messages), JSON.stringify(areMessages.errors));
  t.notOk(isEvent({ ...events.data[0], data: 1 }));
  t.notOk(areMessages({ ...messages, data: [{ ...messages.data[0], usage: null }] }),
    'what is never null is not because it may be elsewhere');
});

t.test('each example of the 3.0 view is what its schema says', async (t) => {
  const view = views['openapi.3.0.json'];
  const document = jsonSchemas(view);
  const ajv = schemasOf(document as OpenapiDocument);
  let count = 0;
  each(document, (node, at) => {
    if (typeof node.schema !== 'object') return;
    const single = 'example' in node ? { example: { value: node.example } } : {};
    for (const [name, example] of Object.entries({ ...single, ...node.examples })) {
      const fits = ajv.compile(node.schema!);
      const { value } = resolveReference(view, example);
      t.ok(fits(value), `${at} ${name}: ${JSON.stringify(fits.errors)}`);
      count += 1;
    }
  });
  t.ok(count > 50, `${count} examples`);
});

interface Described {
  schema?: object; example?: unknown; examples?: Record<string, { value?: unknown }>;
}

function each(node: unknown, look: (node: Described, at: string) => void, at = ''): void {
  if (typeof node !== 'object' || node === null) return;
  look(node, at);
  for (const [name, inner] of Object.entries(node)) {
    if (!EXAMPLES.test(name)) each(inner, look, `${at}/${name}`);
  }
}

/** A document in 3.0 with JSON Schema's word for what may be null. Its examples are left alone. */
function jsonSchemas(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(jsonSchemas);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...words } = Object.fromEntries(Object.entries(node).map(([name, inner]) =>
    [name, EXAMPLES.test(name) ? inner : jsonSchemas(inner)]));
  if (typeof words.$ref === 'string') words.$ref = `view${words.$ref}`;
  // It widens the type that stands beside it, and nothing else.
  if (nullable === true && words.type) words.type = [words.type, 'null'];
  return words;
}

t.test('a field of the 3.0 view is typed if all kinds that have it agree on it', async (t) => {
  const whole = readDocument();
  const { InputTextPart, OutputTextPart, ToolCallPart, ToolResultPart } =
    whole.components.schemas as Record<string, { properties: Record<string, object> }>;
  const fields = () => (document30(whole).components.schemas.MessagePart as unknown as
    { properties: Record<string, object> }).properties;
  t.strictSame(fields().text, { type: 'string' });
  OutputTextPart!.properties.text = { type: 'string', description: 'Of the model.' };
  t.match(fields().text, { type: 'string' }, 'another description is no other type');
  const anything = { description: 'What it holds, its `type` says.' };
  OutputTextPart!.properties.text = { type: 'integer' };
  t.strictSame(fields().text, anything);
  [InputTextPart!.properties.text, OutputTextPart!.properties.text] =
    [OutputTextPart!.properties.text, InputTextPart!.properties.text!];
  t.strictSame(fields().text, anything, 'whichever is the last');
  ToolCallPart!.properties.error = { type: 'object', properties: { code: { type: 'string' } } };
  t.strictSame(fields().error, { type: 'object', additionalProperties: true, ...anything });
  ToolResultPart!.properties.error = { type: 'string' };
  t.strictSame(fields().error, anything);
});

t.test('a view leaves the document alone', async (t) => {
  const document = readDocument();
  const before = JSON.stringify(document);
  document32(document);
  document30(document);
  t.equal(JSON.stringify(document), before);
});
