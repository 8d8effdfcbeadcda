/** Something of everything in a workspace: what requests can be about. */
import type { Test } from 'tap';
import { prompt, type Client } from '../support/client.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession } from '../support/runs.ts';
import type { FuzzOptions } from './fuzz.ts';

type Ground = Pick<FuzzOptions, 'client' | 'known' | 'good_bodies' | 'spared'>;

/** `client`: of the workspace, and with an admin token. The upstream ends with `owner`. */
export async function fuzzGround(
  owner: Pick<Test, 'teardown'>, client: Client, workspace_id: string): Promise<Ground> {
  const session_id = await newSession(client);
  const run_id = (await completeRun(client, session_id, 'hello')).id;
  const other = await client.expect(201, 'createWorkspace', { body: { name: 'other' } });
  const key = await client.expect(201, 'createApiKey', {
    body: { workspace_id: other.id, name: 'other' } });
  const own = await client.expect(200, 'listApiKeys', { query: { workspace_id } });
  const { invocation_id } = await client.expect(201, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
  const store = await startPetStore(owner);
  await client.expect(201, 'createIntegration', { body: petIntegration(store) });
  const connection_id = (await connectPets(client, workspace_id)).id;
  const grant = await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.get', decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation', {
    body: { action: 'pets.pets.get', input: { path: { pet_id: '1' } } } });
  const approvals = await client.expect(200, 'listApprovals');
  const pets = petIntegration(store);
  return {
    client,
    good_bodies: {
      createRun: [prompt('hello'), prompt('list pets', { wait: true }),
        prompt('call pets.pets.get {"path": {"pet_id": "1"}}', { stream: true })],
      createActionInvocation: [
        { action: 'pets.pets.list' }, { action: 'gatehouse.sessions.list', fields: ['data.id'] },
        { action: 'lab.echo.get', input: { query: { text: 'a' } } },
        { action: 'gateway.actions.search', input: { query: 'pets', limit: 2 } }],
      createIntegration: [...'abcdefghij'].map((slug) => ({ ...pets, slug })),
      updateIntegration: [{ title: 'Other pets' }, { document: pets.document }],
      createConnection: [{ workspace_id: other.id, integration: 'pets', name: 'more',
        credentials: { type: 'bearer', token: 'a-token-of-another' } }],
      updateConnection: [{ status: 'disabled' }, { status: 'connected' }, { name: 'renamed' }],
      createGrant: [{ workspace_id: other.id, actions: 'pets.*', decision: 'allow' }],
    },
    spared: [workspace_id, connection_id, ...own.data.map(({ id }) => id)],
    known: {
      session_id: [session_id], run_id: [run_id], workspace_id: [workspace_id, other.id],
      api_key_id: [...own.data.map(({ id }) => id), key.id], invocation_id: [invocation_id],
      connection_id: [connection_id], grant_id: [grant.id],
      approval_id: approvals.data.map(({ id }) => id),
      integration: ['pets', 'gateway', 'lab'], slug: ['pets', ...'abcdefghij'], cursor: ['none'],
      action: ['pets.pets.list', 'pets.pets.get', 'pets.pets.create', 'gatehouse.sessions.list',
        'gateway.actions.search', 'lab.echo.get'],
      actions: ['pets.*', 'pets.pets.get', 'lab.*'],
    },
  };
}
