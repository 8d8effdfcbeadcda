/** Browsers that are signed in to the dashboard. */
import { DashboardSessions } from '../../src/accounts/dashboardSessions.ts';
import { createLog } from '../../src/log.ts';
import type { DashboardRole } from '../../src/caller.ts';
import { Client } from './client.ts';
import type { TestServer } from './server.ts';

type Server = Pick<TestServer, 'client' | 'sql' | 'config' | 'workspace_id'>;

/** Requests as a page of the dashboard makes them. */
export function browserOf({ client, workspace_id }: Server, cookie: string): Client {
  return new Client({ base_url: client.base_url, headers: {
    cookie, 'sec-fetch-site': 'same-origin', 'gatehouse-workspace': workspace_id } });
}

/** What a browser keeps of a Set-Cookie. */
export function cookieIn(headers: Headers): string {
  return headers.getSetCookie()[0]!.split(';')[0]!;
}

/** A browser in which somebody has signed in with this role, as by an identity provider. */
export async function signedIn(
  server: Server, role: DashboardRole, id = `${role}@example.com`): Promise<Client> {
  const { sql, config, client } = server;
  const sessions = new DashboardSessions({
    sql, config, log: createLog('silent'), announce() {},
    authenticateAdmin: async () => { throw new Error('Nobody asks for this.'); },
  });
  const { secret } = await sessions.signInPerson(
    { id, name: id, role }, { request_id: 'req_test', user_agent: null, cookie_secret: null });
  return browserOf(server, `gatehouse_dashboard_${new URL(client.base_url).port}=${secret}`);
}
