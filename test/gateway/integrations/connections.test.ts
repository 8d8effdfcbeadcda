import t from 'tap';
import {
  ConnectionAdministration, type ConnectionAdministrationOptions,
} from '../../../src/gateway/integrations/connections.ts';
import { testDatabase } from '../../support/database.ts';

t.test('a connection that is removed as its authorization ends', async (t) => {
  const { sql } = await testDatabase(t);
  const key = { workspace_id: 'wsp_1', connection_id: 'con_gone' };
  const return_url = 'https://app.example/accounts';
  const ended = (flows: object) => new ConnectionAdministration(
    { sql, flows, fetchFor: () => fetch } as unknown as ConnectionAdministrationOptions)
    .authorized(new URLSearchParams(), { session: null, path: '/oauth/callback' });
  await t.rejects(ended({ finish: async () => ({ ...key, id_token: null, return_url }) }), {
    name: 'AuthorizationFailed', reason: 'changed',
    of: { connection_id: 'con_gone', return_url } }, 'after it was connected');
  await t.rejects(ended({ finish: async (_query: unknown, asked: {
    fetchFor: (of: typeof key) => Promise<unknown> }) => asked.fetchFor(key) }),
  { name: 'AuthorizationFailed', reason: 'changed' }, 'before its code is exchanged');
});
