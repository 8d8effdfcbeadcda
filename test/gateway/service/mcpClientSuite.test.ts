/** The official conformance suite, all that it has for clients: the gateway calls its servers. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Browser } from '../../support/browser.ts';
import type { Schemas } from '../../support/client.ts';
import { failuresOf, holdsToExpected, listedScenarios } from '../../support/conformance.ts';
import { serve } from '../egress/support.ts';
import { agentCall, gatewayServer, type Credentials } from './support.ts';

/** What the suite gives a client. */
interface Given {
  url: string;
  /** The scenario, if there is more to give. */
  name?: string;
  client_id?: string;
  client_secret?: string;
  toolCalls?: { name: string; arguments: object }[];
}

const DPOP = ['sep-1932-client-token-request-proof', 'sep-1932-client-dpop-auth-scheme',
  'sep-1932-client-fresh-proof'];
const EXPECTED: Record<string, string[]> = {
  // Nobody is there to be asked: the server is told that, and not the defaults of its form.
  'elicitation-sep1034-client-defaults': ['client-elicitation-sep1034-general',
    ...['string', 'integer', 'number', 'enum', 'boolean'].map((type) =>
      `client-elicitation-sep1034-${type}-default`)],
  // The version with `initialize` is tried first. This server answers that as if it had it.
  'request-metadata': ['sep-2575-http-client-sends-version-header',
    'sep-2575-client-populates-meta', 'sep-2575-client-sends-client-info',
    'sep-2575-client-retry-supported-version'],
  'http-standard-headers': ['sep-2243-client-includes-standard-headers'],
  // The service has no address by https here, where its client's metadata could be read.
  'auth/basic-cimd': ['cimd-client-id-used'],
  // Endpoints that no metadata name are not guessed: the operator gives them.
  'auth/2025-03-26-oauth-endpoint-fallback':
    ['client-registration', 'authorization-request', 'token-request'],
  // An input is held to its schema, in which this one has no null.
  'http-custom-headers': ['sep-2243-client-omit-null'],
  // Of a schema agents see an outline, in which references are in their places.
  'json-schema-2020-12-preservation': ['$schema', '$defs', 'additionalProperties']
    .map((one) => `json-schema-2020-12-client-${one}-preserved`),
  // Extensions that are not offered.
  'auth/client-credentials-jwt':
    ['client-credentials-jwt-verified', 'client-credentials-grant-type'],
  'auth/enterprise-managed-authorization':
    ['complete-flow-token-exchange', 'complete-flow-jwt-bearer'],
  'auth/wif-jwt-bearer': ['wif-grant-type'],
  'auth/dpop': DPOP,
  'auth/dpop-nonce': [...DPOP, 'sep-1932-client-as-nonce', 'sep-1932-client-rs-nonce'],
};

const server = await gatewayServer(t);
const { client, workspace_id } = server;
let played = 0;

/** An operator adds the server and an account, and an agent calls each of its tools. */
async function play(given: Given): Promise<void> {
  const slug = `s${++played}`;
  const path = { slug };
  const egress_allow = addressesAt(new URL(given.url).port);
  const added = await client.expect(201, 'createIntegration',
    { body: { slug, kind: 'mcp', mcp: { url: given.url }, egress_allow } });
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: `${slug}.*`, decision: 'allow' } });

  /** Begins to connect, as the refusals say it; null where the server is not believed. */
  const connect = async (
    credentials: Credentials, connection_id?: string): Promise<Schemas['Connection'] | null> => {
    for (;;) {
      const { status, body } = connection_id === undefined
        ? await client.call('createConnection',
          { body: { workspace_id, integration: slug, name: slug, credentials } })
        : await client.call('updateConnection', { path: { connection_id }, body: { credentials } });
      if (status === 200 || status === 201) {
        if (body.authorization_url) await new Browser().consent(body.authorization_url);
        await client.call('refreshIntegration', { path, body: {} });
        return body;
      }
      const { error } = body as Schemas['ApiError'];
      const [, port, issuer] = /at port (\d+)\.|is authorized by (\S+)\. Give/.exec(error) ?? [];
      if (issuer !== undefined) Object.assign(credentials, { issuer });
      if (port !== undefined) egress_allow.push(...addressesAt(port));
      else if (issuer === undefined) return null;
      await client.expect(200, 'updateIntegration', { path, body: { egress_allow } });
    }
  };
  const is_closed = added.report.warnings.some((one) => /Connect one/.test(one));
  const made = await connect(is_closed ? accountOf(given) : { type: 'none' });
  if (made === null) return;
  const again = (more: object = {}) => connect({ type: 'oauth2', ...more }, made.id);
  const { status } = await client.expect(200, 'getConnection',
    { path: { connection_id: made.id } });
  if (status === 'needs_reconnect') await again();

  const { data } = await client.expect(200, 'listActions', { query: { integration: slug } });
  for (const { name } of data) {
    const input = await inputFor(name, given);
    const { error } = await agentCall(client, name, input);
    const { upstream } = (error ?? {}) as { upstream?: { scopes_needed?: string[] } };
    if (!upstream?.scopes_needed) continue;
    await again({ scopes: upstream.scopes_needed });
    await agentCall(client, name, input);
  }
  // The suite waits until nobody holds a connection to its server.
  await client.expect(204, 'deleteConnection', { path: { connection_id: made.id } });
  await client.expect(204, 'deleteIntegration', { path });
}

function addressesAt(port: string): string[] {
  return [`127.0.0.1:${port}`, `[::1]:${port}`];
}

function accountOf({ name = '', client_id, client_secret }: Given): Credentials {
  const grant = name.includes('basic') ? 'client_credentials' as const : undefined;
  return { type: 'oauth2', ...grant && { grant }, ...client_id && { client_id },
    ...client_secret && { client_secret } };
}

/** What the suite prescribes, else something that the schema takes. */
async function inputFor(action: string, { toolCalls = [] }: Given): Promise<object> {
  const called = toolCalls.find(({ name }) => action.endsWith(`.${name}`));
  if (called) return called.arguments;
  const { input_schema } = await client.expect(200, 'getAction', { path: { action } });
  const { properties = {} } = input_schema as { properties?: Record<string, { type?: string }> };
  return Object.fromEntries(Object.entries(properties)
    .map(([name, { type }]) => [name, type === 'number' || type === 'integer' ? 3
      : type === 'object' ? {} : 'text']));
}

// The suite starts all scenarios at once; they are played one after the other.
let turn = Promise.resolve();
const control = await serve(t, ({ body }, response) => {
  const given = JSON.parse(body.toString()) as Given;
  turn = turn.then(() => play(given)).then(() => void response.end(), (error: unknown) => {
    t.error(error, given.url);
    response.writeHead(500).end();
  });
});

t.test('all scenarios', async (t) => {
  const program = fileURLToPath(new URL('suiteClient.ts', import.meta.url));
  const failures = await failuresOf(t, 'client',
    // Forty begin at once, and have nothing to do but to wait: the service comes before them.
    ['--suite', 'all', '--command', `nice -n 19 "${process.execPath}" "${program}"`,
      '--timeout', '240000'],
    { GATEHOUSE_SUITE_CONTROL: control.url });
  holdsToExpected(t, await listedScenarios(['--client']), failures, EXPECTED);
});
