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
