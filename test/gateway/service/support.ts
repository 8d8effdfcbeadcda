/** A service with integrations that an operator adds over HTTP, and agents that call them. */
import type { Test } from 'tap';
import { Client, type RunEvent, type Schemas } from '../../support/client.ts';
import { completeRun, eventsOf, newSession, OFFLINE, type EventOf } from '../../support/runs.ts';
import { testServer, type TestServer, type TestServerOptions } from '../../support/server.ts';
import { serve, type Handler, type TestUpstream } from '../egress/support.ts';

type Teardown = Pick<Test, 'teardown'>;
export type CreateIntegration = Schemas['CreateIntegrationRequest'];
export type Credentials = Schemas['CreateConnectionRequest']['credentials'];

/** The master keys of the tests' services: all nodes of one database have the same. */
export const MASTER_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** A service that can seal secrets. */
export async function gatewayServer(
  t: Teardown, options: TestServerOptions = {}): Promise<TestServer> {
  const config = { master_keys: MASTER_KEYS, ...options.config };
  return await testServer(t, { ...options, config });
}

/** A second node on the database of the first, and the first one's client that speaks to it. */
export async function secondNode(
  t: Teardown, first: TestServer, options: TestServerOptions = {}): Promise<TestServer> {
  const node = await gatewayServer(t, { ...options, database: first });
  const { api_key, admin_token } = first.client;
  const client = new Client({
    base_url: node.service.base_url, api_key: api_key!, admin_token: admin_token!,
  });
  return { ...node, client, workspace_id: first.workspace_id };
}

/** A document of notes: two actions that read, one that writes, one that destroys. */
export function notesDocument(more: Record<string, object> = {}): Record<string, unknown> {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const answer = { responses: { 200: { description: 'Done.' } } };
  const body = { content: { 'application/json': { schema: { type: 'object' } } } };
  return {
    openapi: '3.1.0', info: { title: 'Notes', version: '1' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths: {
      '/notes': {
        get: { operationId: 'notes/list', summary: 'List notes', ...answer },
        post: { operationId: 'notes/create', summary: 'Create a note', requestBody: body,
          ...answer },
      },
      '/notes/{id}': {
        parameters: [id],
        get: { operationId: 'notes/get', summary: 'Get a note', ...answer },
        delete: { operationId: 'notes/delete', summary: 'Delete a note', ...answer },
      },
      ...more,
    },
  };
}

/** Adds an integration. */
export function addIntegration(
  { client }: TestServer, request: CreateIntegration): Promise<Schemas['Integration']> {
  return client.expect(201, 'createIntegration', { body: request });
}

/** Connects a workspace; that of the server if none is named. */
export function connectAccount(
  { client, workspace_id }: TestServer, integration: string,
  credentials: Credentials = { type: 'bearer', token: 'a-token-of-the-tests' },
  rest: Partial<Schemas['CreateConnectionRequest']> = {}): Promise<Schemas['Connection']> {
  return client.expect(201, 'createConnection', { body: {
    workspace_id, integration, name: integration, credentials, ...rest,
  } });
}

export function grantTo(
  { client, workspace_id }: TestServer, decision: Schemas['GrantDecision'], actions: string,
  rest: Partial<Schemas['CreateGrantRequest']> = {}): Promise<Schemas['Grant']> {
  return client.expect(201, 'createGrant', { body: { workspace_id, decision, actions, ...rest } });
}

export interface Notes {
  server: TestServer;
  upstream: TestUpstream;
  connection_id: string;
}

/** A service with the integration `acme` of the notes, connected to an upstream of ours. */
export async function notesService(
  t: Teardown, handler: Handler, options: TestServerOptions = {}): Promise<Notes> {
  const upstream = await serve(t, handler);
  const server = await gatewayServer(t, options);
  await addNotes(server, upstream);
  const { id: connection_id } = await connectAccount(server, 'acme');
  return { server, upstream, connection_id };
}

export function addNotes(
  server: TestServer, upstream: TestUpstream, rest: Partial<CreateIntegration> = {},
): Promise<Schemas['Integration']> {
  return addIntegration(server, {
    slug: 'acme', kind: 'openapi', document: notesDocument(), base_url: upstream.url,
    egress_allow: upstream.egress_allow, ...rest,
  });
}

export type ToolCallEnd = EventOf<'tool_call.completed'> | EventOf<'tool_call.failed'>;

export interface AgentRun {
  run_id: string;
  events: RunEvent[];
  /** How each call ended, in order. */
  ends: ToolCallEnd[];
}

/** Has an agent perform the lines of a prompt (docs/rehearsal.md). */
export async function agent(client: Client, ...lines: string[]): Promise<AgentRun> {
  const session_id = await newSession(client);
  const { id: run_id } = await completeRun(client, session_id, lines.join('\n'), OFFLINE);
  const events = await eventsOf(client, run_id);
  return { run_id, events, ends: events.filter((event): event is ToolCallEnd =>
    event.type === 'tool_call.completed' || event.type === 'tool_call.failed') };
}

/** A line that calls an action; `rest` stands behind its input. */
export function line(action: string, input: object = {}, rest = ''): string {
  return `call ${action} ${JSON.stringify(input)} ${rest}`.trim();
}

/** What the one call of a run came to: its result, or what it failed with. */
export async function agentCall(
  client: Client, action: string, input: object = {}, rest = '') {
  const { ends: [end] } = await agent(client, line(action, input, rest));
  return end!.type === 'tool_call.completed'
    ? { result: end!.data.result as Record<string, unknown>, error: null }
    : { result: null, error: end!.data.error as Failure };
}

export interface Failure {
  code: string;
  message: string;
  missing?: ({ code: string } & Record<string, unknown>)[];
}

/** The direct call, whatever comes of it. */
export async function invoke(client: Client, action: string, input: object = {}, rest = {}) {
  return await client.call('createActionInvocation', { body: { action, input, ...rest } });
}
