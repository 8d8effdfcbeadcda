/** Cursors of our own lists that somebody made up: they begin elsewhere, and show nothing more. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import type { OperationId } from '../../generated/operations.ts';
import type { Client } from '../support/client.ts';
import { readPage, readPages } from '../support/pages.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

// It asks faster than anybody may.
const server = await testServer(t, { config: { rate_per_key: 0, rate_per_workspace: 0 } });
const { client, workspace_id } = server;
const other = await otherWorkspace(server);

/**
 * Every operation that answers pages of a workspace or of all, as the document has them. Pages of
 * something, such as a session's messages, are tried in the tests of their operation.
 */
const { paths } = JSON.parse(readFileSync(
  new URL('../../generated/openapi.admin.json', import.meta.url), 'utf8')) as {
    paths: Record<string, { get?: { operationId: OperationId, 'x-internal'?: boolean,
      parameters?: { $ref?: string }[] } }> };
const LISTS = Object.entries(paths).flatMap(([path, { get }]) =>
  (!path.includes('{') && get?.parameters?.some(({ $ref }) => $ref?.endsWith('/Cursor')) ? [{
    id: get.operationId,
    name: get.operationId.slice('list'.length).replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase(),
    owner: get['x-internal'] ? null : workspace_id,
  }] : []));

const forge = (...content: unknown[]) => Buffer.from(JSON.stringify(content)).toString('base64url');

await client.expect(201, 'createDashboardSession',
  { body: { admin_token: client.admin_token! } });
for (const who of [client, other]) {
  const session_id = await newSession(who, 'one');
  await completeRun(who, session_id, 'call gateway.connections.list');
}

/** Ids that somebody knows, of both workspaces and of every list. */
async function placesOf(who: Client): Promise<string[]> {
  const pages = await Promise.all(LISTS.map(({ id }) => readPage(who, id, { limit: 3 })));
  return pages.flatMap(({ ids }) => ids.map(String));
}

t.test('a place of any other list or workspace shows rows of this one alone', async (t) => {
  t.ok(LISTS.length >= 11);
  const places = [...new Set([...await placesOf(client), ...await placesOf(other),
    '0', '-1', 'zzz', 'ZZZ', '9'.repeat(15), 'a.b'])];
  for (const { id, name, owner } of LISTS) {
    const query: Record<string, string> = id === 'listActionInvocations' ? { source: 'run' } : {};
    const own = new Set((await readPages(client, id, { ...query, limit: 100 })).flat());
    t.ok(own.size > 0 || ['listIntegrations', 'listGrants', 'listApprovals'].includes(id), id);
    for (const place of places) {
      if (name === 'audit_entries' && !/^\d+$/.test(place)) continue;
      for (const order of name === 'actions' ? [undefined] : ['asc', 'desc']) {
        const { ids } = await readPage(client, id, { ...query, limit: 100, ...(order && { order }),
          cursor: forge(name, owner, place) });
        const strange = ids.filter((one) => !own.has(one));
        if (strange.length > 0) t.fail(`${id} after ${place} shows ${strange.join()}`);
      }
    }
  }
});

t.test('what is no place, and what belongs to somebody else, is refused', async (t) => {
  const { data: [key] } = await client.expect(200, 'listApiKeys', { query: { order: 'desc' } });
  for (const { id, name, owner } of LISTS) {
    for (const cursor of [
      ...['', ' ', '\0', '\ud800', "' or 1=1 --", '%', 'x'.repeat(256), 'a b', 'é', 7, null,
        ['a'], {}].map((place) => forge(name, owner, place)),
      forge(name, owner === null ? workspace_id : null, 'a'), forge(name, key!.workspace_id, 'a'),
      forge('workspaces', owner, 'a').slice(1), forge(name), forge(), 'e30', 'bnVsbA',
      `${forge(name, owner, 'a')}=`,
    ]) {
      t.match(await client.expect(400, id, { query: { cursor } }),
        { code: 'invalid_cursor', param: 'cursor' }, `${id} ${cursor}`);
    }
  }
});
