/** The header Location: whatever answers with one says where the document's server has it. */
import t from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import { listOperations, readDocument, resolveReference } from '../../scripts/document.ts';
import { prompt, type CallOptions } from '../support/client.ts';
import { petIntegration, startPetStore } from '../support/petStore.ts';
import { newSession, OFFLINE } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const { client, workspace_id } = await testServer(t,
  { config: { public_url: 'https://x.example/gatehouse/' } });
const { servers } = await client.expect(200, 'getOpenapiDocument') as unknown as
  { servers: { url: string }[] };
const base = servers[0]!.url;
const grant = { workspace_id, actions: 'pets.*', decision: 'allow' };
const path = { session_id: await newSession(client) };
const credentials = { type: 'basic', username: 'me', password: 'a-password-of-the-tests' };
const REQUESTS: Partial<Record<OperationId, CallOptions>> = {
  createSession: { body: {} },
  createRun: { path, body: prompt('@rehearsal words=1', OFFLINE) },
  createActionInvocation: { body: { action: 'gatehouse.sessions.list' } },
  createWorkspace: { body: { name: 'one' } },
  createGrant: { body: grant },
  createIntegration: { body: petIntegration(await startPetStore(t)) },
  createConnection: { body: { workspace_id, integration: 'pets', name: 'one', credentials } },
};

/** The operations whose answer has a Location, by the document. */
function declared(): string[] {
  const whole = readDocument();
  return listOperations(whole).filter(({ node }) => Object.values(node.responses ?? {})
    .some((response) => 'Location' in (resolveReference(whole, response).headers ?? {})))
    .map(({ operation_id }) => operation_id);
}

t.strictSame(Object.keys(REQUESTS).sort(), declared().sort(), 'all that have one are asked');

for (const [id, options] of Object.entries(REQUESTS) as [OperationId, CallOptions][]) {
  t.test(`${id}, behind a proxy that puts it in a folder`, async (t) => {
    const answer = await client.call(id, options);
    const location = new URL(answer.headers.get('location')!, base).href;
    t.ok(location.startsWith(`${base}/`), location);
    const own = { authorization: `Bearer ${client.credentialOf(id)}` };
    const found = await fetch(client.base_url + location.slice(base.length), { headers: own });
    // A grant can be removed there, and is shown in the list of grants alone.
    const { method, path } = operations[id];
    t.equal(found.status, id === 'createGrant' ? 405 : 200, `${method} ${path}`);
  });
}
