/** No secret of a connection is seen anywhere (G8), whatever its upstream does with it. */
import t from 'tap';
import { createServiceLog } from '../../../src/service.ts';
import type { TestServer } from '../../support/server.ts';
import { serve } from '../egress/support.ts';
import { dump, echoing, forms, found, HABITS, RecordingClient, secretOf } from './canaries.ts';
import {
  addIntegration, agent, connectAccount, gatewayServer, grantTo, invoke, line, notesDocument,
  type Credentials,
} from './support.ts';
import { soundness } from '../../support/soundness.ts';

soundness(t, 'a secret in a text');

/** Each with what makes its forms differ: `/`, `+`, quotes, spaces, other alphabets. */
const SECRETS = {
  bearer: 'canary-bearer/a+b~"q"\\end==0001',
  header: 'canary-header/"x"+y&z=0002',
  query: 'canary query/ü&é="x"+y%0003',
  cookie: 'canary-cookie/a+b"c"0004',
  password: 'canary pässword/"x"+y&0005',
  client_secret: 'canary-client/"x"+ y&0006',
  access_token: 'canary-access/a+b~c==0007',
  refresh_token: 'canary-refresh/a+b"c"0008',
  digits: '90210733518264407',
};

const CREDENTIALS: Record<string, Credentials> = {
  bearer: { type: 'bearer', token: SECRETS.bearer },
  header: { type: 'api_key', in: 'header', name: 'x-api-key', value: SECRETS.header },
  query: { type: 'api_key', in: 'query', name: 'api_key', value: SECRETS.query },
  cookie: { type: 'api_key', in: 'cookie', name: 'session', value: SECRETS.cookie },
  basic: { type: 'basic', username: 'somebody', password: SECRETS.password },
  digits: { type: 'bearer', token: SECRETS.digits },
  oauth: { type: 'oauth2', grant: 'authorization_code', client_id: 'the-client',
    authorize_url: 'https://auth.example/authorize', token_url: 'https://auth.example/token',
    client_secret: SECRETS.client_secret, access_token: SECRETS.access_token,
    refresh_token: SECRETS.refresh_token },
};

/** An action that reads and one that writes for each habit of the upstream. */
function echoDocument(): Record<string, unknown> {
  const answer = { responses: { 200: { description: 'Done.' } } };
  const cursor = { name: 'cursor', in: 'query', schema: { type: 'string' } };
  const paths = Object.fromEntries(Object.keys(HABITS).map((path) => {
    const name = path.slice(1).replaceAll('-', '_');
    return [path, {
      get: { operationId: `${name}/list`, parameters: [cursor], ...answer },
      post: { operationId: `${name}/create`, ...answer,
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
    }];
  }));
  return { ...notesDocument(), paths };
}

const names = Object.keys(HABITS).map((path) => path.slice(1).replaceAll('-', '_'));

interface Watched extends TestServer {
  client: RecordingClient;
  lines: string[];
}

/** A service of which everything that is said is kept. */
async function watched(t: Parameters<typeof gatewayServer>[0]): Promise<Watched> {
  const lines: string[] = [];
  const log = createServiceLog('trace', {
    destination: { write: (text: string) => void lines.push(text) } });
  const server = await gatewayServer(t, { log });
  return { ...server, client: new RecordingClient(server.client as never), lines };
}

/** Looks at everything that an operator or an application can look at. */
async function lookAround({ client }: Watched): Promise<void> {
  for (const id of ['listIntegrations', 'listConnections', 'listGrants', 'listApprovals',
    'listAuditEntries', 'listActionInvocations', 'listRuns', 'listActions', 'listApiKeys',
    'listAdminTokens', 'listWorkspaces', 'listSessions'] as const) {
    await client.expect(200, id, { query: { limit: 100 } } as never);
  }
  const { data } = await client.expect(200, 'listActionInvocations', { query: { limit: 100 } });
  for (const { invocation_id } of data) {
    await client.expect(200, 'getActionInvocation', { path: { invocation_id } });
  }
}

for (const [kind, credentials] of Object.entries(CREDENTIALS)) {
  t.test(`${kind}: repeated by the upstream in every way`, async (t) => {
    const upstream = await serve(t, echoing);
    const server = await watched(t);
    const { client } = server;
    await addIntegration(server, { slug: 'echo', kind: 'openapi', document: echoDocument(),
      base_url: upstream.url, egress_allow: upstream.egress_allow });
    const { id: connection_id } = await connectAccount(server, 'echo', credentials);
    await grantTo(server, 'allow', 'echo.*');
    for (const name of names) await invoke(client, `echo.${name}.list`);
    const { ends } = await agent(client, names.flatMap((name) => [line(`echo.${name}.list`),
      line(`echo.${name}.create`, { body: { text: 'hi' } })]).join(' & '));
    t.equal(ends.length, names.length * 2);
    await client.call('checkConnection', { path: { connection_id } });
    await lookAround(server);

    const sent = new Set(upstream.received.map(secretOf));
    t.equal(sent.size, 1);
    t.ok(Object.values<string>(SECRETS).includes([...sent][0]!), 'the upstream got it');
    const answers = await client.answers();
    t.match(answers, '[secret]', 'it was in the answers, and was taken out');
    t.strictSame(found(SECRETS, answers), [], 'what the service answered');
    t.ok(server.lines.length > 20);
    t.strictSame(found(SECRETS, server.lines.join('')), [], 'the log');
    const rows = await dump(server.sql);
    t.match(rows, '[secret]');
    t.ok(rows.includes('"text":"hi"'), 'the dump holds what is stored');
    t.strictSame(found(SECRETS, rows), [], 'the database');
  });
}

t.test('a secret in a request that is refused is not logged', async (t) => {
  const server = await watched(t);
  const { client, lines, workspace_id, sql } = server;
  const base = { workspace_id, integration: 'nothing', name: 'x' };
  const refused = [
    { body: { ...base, credentials: { type: 'bearer', token: [SECRETS.bearer] } } },
    { body: { ...base, credentials: { type: 'bearer', token: SECRETS.bearer, more: 1 } } },
    { body: { ...base, credentials: { type: 'bearer', token: SECRETS.bearer } } },
    { body: { ...base, credentials: { type: SECRETS.bearer } } },
    { raw: `{"credentials": {"token": ${SECRETS.digits}x` },
  ];
  for (const options of refused) {
    const { status } = await client.call('createConnection', options);
    t.ok(status === 400 || status === 404, String(status));
  }
  t.strictSame(found(SECRETS, lines.join('')), []);
  t.strictSame(found(SECRETS, await dump(sql)), []);
  t.strictSame(found(SECRETS, await client.answers()), [], 'nor repeated');
});

t.test('an opened secret is not logged, in whatever field it is', async (t) => {
  const lines: string[] = [];
  const { log, log_scrubber } = createServiceLog('info', {
    destination: { write: (text: string) => void lines.push(text) } });
  const forget = log_scrubber.add([SECRETS.bearer]);
  for (const form of forms(SECRETS.bearer)) {
    log.child({ bound: form }).error({ err: new Error(form, { cause: new Error(form) }),
      deep: { list: [form] }, [form]: 1 }, `it says ${form}`);
  }
  t.equal(lines.length, forms(SECRETS.bearer).length);
  t.strictSame(found(SECRETS, lines.join('')), []);
  for (const text of lines) t.match(JSON.parse(text), { level: 'error', msg: 'it says [secret]' });
  forget();
  log.info(SECRETS.bearer);
  t.equal((JSON.parse(lines.at(-1)!) as { msg: string }).msg, SECRETS.bearer);
});
