/** Inputs and schemas that once took a node for ever, through the running service. */
import t from 'tap';
import { json, serve } from '../egress/support.ts';
import {
  addNotes, agentCall, connectAccount, gatewayServer, invoke, notesDocument,
} from './support.ts';

/** As Azure's Front Door 2019-05-01 has it: tried one way after the other, these are 2^60 ways. */
const FRONT_DOOR = '^[a-zA-Z0-9]+([-a-zA-Z0-9]?[a-zA-Z0-9])*$';
const HOSTILE = `${'a'.repeat(63)}!`;

const answer = { responses: { 200: { description: 'Done.' } } };
const named = (schema: object) => ({ in: 'query', name: 'name', required: true, schema });
const doors = notesDocument({
  '/doors': { get: { operationId: 'doors/list', summary: 'List doors', ...answer,
    parameters: [named({ type: 'string', minLength: 5, maxLength: 64, pattern: FRONT_DOOR })] } },
  '/gates': { get: { operationId: 'gates/list', summary: 'List gates', ...answer,
    parameters: [named({ type: 'string', pattern: '^(?!aws:)([a-z]+)+$' })] } },
});

t.test('a pattern of a real document holds nobody up', async (t) => {
  const upstream = await serve(t, ({ target }, response) => json(response, { target }));
  const server = await gatewayServer(t);
  const { client } = server;
  const { report } = await addNotes(server, upstream, { document: doors });
  t.strictSame(report.warnings, ['The pattern ^(?!aws:)([a-z]+)+$ is not checked, for it'
    + ' looks ahead or behind. The service that is called checks it'], 'the operator is told');
  const wrong = { code: 'invalid_input' };
  t.match(await invoke(client, 'acme.doors.list', { query: { name: HOSTILE } }),
    { status: 409, body: { code: 'not_connected', details: { missing: [{}, wrong] } } },
    'without a connection');
  await connectAccount(server, 'acme');
  t.match(await invoke(client, 'acme.doors.list', { query: { name: HOSTILE } }),
    { status: 400, body: wrong });
  t.match(await agentCall(client, 'acme.doors.list', { query: { name: HOSTILE } }),
    { error: wrong }, 'asked for by a model');
  t.match(await invoke(client, 'acme.doors.list', { query: { name: 'contoso-front-door' } }),
    { status: 201 });
  t.match(await invoke(client, 'acme.gates.list', { query: { name: HOSTILE } }),
    { status: 201 }, 'what cannot be checked in time is left to the service that is called');
});

t.test('of an operation whose schema nobody can prepare the operator and the caller are told',
  async (t) => {
    const upstream = await serve(t, (_, response) => json(response, {}));
    const server = await gatewayServer(t);
    const allOf = Array.from({ length: 2_200 }, (_, i) => ({ properties: { [`p${i}`]: {} } }));
    const { report } = await addNotes(server, upstream, { document: notesDocument({
      '/piles': { get: { operationId: 'piles/list', summary: 'List piles', ...answer,
        parameters: [{ in: 'query', name: 'filter', content: { 'application/json': {
          schema: { type: 'object', allOf, unevaluatedProperties: false } } } }] } },
    }) });
    t.match(report.warnings, [new RegExp('^GET /piles: It cannot be called, for the schema of its'
      + ' input takes more than 500 ms .*: calls end with invalid_document')]);
    await connectAccount(server, 'acme');
    for (let i = 0; i < 2; i++) {
      t.match(await invoke(server.client, 'acme.piles.list', { query: { filter: {} } }),
        { status: 400, body: { code: 'invalid_document', details: { invocation_id: String },
          error: /^The action cannot be called.* takes more than 500 ms .* operator/ } });
    }
    t.match(await agentCall(server.client, 'acme.piles.list', {}),
      { error: { code: 'invalid_document' } }, 'asked for by a model');
  });
