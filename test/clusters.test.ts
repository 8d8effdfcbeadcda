/** Two clusters, each with a database of its own, behind one address: docs/postgresql.md. */
import t from 'tap';
import type { Sql, Transaction } from '../src/store/database.ts';
import { Client, collect, prompt, type RunEvent } from './support/client.ts';
import { credentialRouter } from './support/credentialRouter.ts';
import { testServer, type TestServer } from './support/server.ts';

const TALK = prompt('@rehearsal words=80 delay_ms=5');
const servers = await Promise.all([testServer(t), testServer(t)]);
const [east, west] = servers;
/** The router's map: which cluster each credential belongs to. */
const clusters = new Map(servers.flatMap(({ client, service }) =>
  [client.api_key!, client.admin_token!].map((credential) => [credential, service.base_url])));
const base_url = await credentialRouter(t, clusters);
const [eastern, western] = servers.map(({ client }) => new Client({ ...client, base_url }));

async function newSession(client: Client): Promise<string> {
  return (await client.expect(201, 'createSession', { body: {} })).id;
}

/** Makes a run by way of the router, and follows it over a connection that is cut. */
async function talk(client: Client, session_id: string): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of client.events('createRun',
    { path: { session_id }, body: { ...TALK, stream: true } })) {
    if (seen.push(event) === 3) break;
  }
  const rest = await collect(client.events('streamRunEvents', {
    path: { run_id: seen[0]!.run_id }, headers: { 'last-event-id': '3' } }));
  return [...seen, ...rest];
}

t.test('each key works on its own cluster, by the same address', async (t) => {
  for (const client of [eastern!, western!]) {
    const session_id = await newSession(client);
    const events = await talk(client, session_id);
    t.strictSame(events.map((event) => event.sequence_number), events.map((_, i) => i + 1));
    t.equal(events.at(-1)!.type, 'run.completed', 'followed to its end, through a cut');
    const sessions = await client.expect(200, 'listSessions');
    t.strictSame(sessions.data.map(({ id }) => id), [session_id], 'a list of its own alone');
    const { data: [run] } = await client.expect(200, 'listRuns');
    t.match(run, { id: events[0]!.run_id, session_id, status: 'completed' });
  }
});

t.test('nothing of one cluster is to be had from the other', async () => {
  const { data: [run] } = await eastern!.expect(200, 'listRuns');
  const path = { run_id: run!.id };
  await western!.expect(404, 'getRun', { path });
  await west!.client.as(eastern!.api_key!).expect(401, 'getRun', { path });
});

t.test('an operator names the cluster by its admin token, and new keys to the router',
  async (t) => {
    const { data: known } = await western!.expect(200, 'listWorkspaces');
    t.strictSame(known.map(({ id }) => id), [west!.workspace_id]);
    const workspace = await western!.expect(201, 'createWorkspace', { body: { name: 'new' } });
    const { api_key } = await western!.expect(201, 'createApiKey',
      { body: { workspace_id: workspace.id, name: 'new' } });
    const client = western!.as(api_key);
    await client.expect(401, 'listSessions');
    clusters.set(api_key, west!.service.base_url);
    t.strictSame((await client.expect(200, 'listSessions')).data, []);
  });

t.test('a workspace is moved, with its key, and goes on', async (t) => {
  const session_id = await newSession(eastern!);
  await eastern!.expect(200, 'updateSession',
    { path: { session_id }, body: { metadata: { user: 'u1' } } });
  // The moved runs have higher numbers than those that the other database has come to.
  for (let i = 0; i < 3; i++) await talk(eastern!, session_id);
  const transcript = () => eastern!.expect(200, 'listSessionMessages',
    { path: { session_id }, query: { order: 'asc' } });
  const before = await transcript();
  await moveWorkspace(east!, west!);
  clusters.set(eastern!.api_key!, west!.service.base_url);
  t.strictSame(await transcript(), before);
  const [created] = await talk(eastern!, session_id);
  const { data: after } = await transcript();
  t.strictSame(after.slice(0, -2), before.data, 'what is new stands at the end');
  t.strictSame(after.slice(-2).map(({ run_id }) => run_id), [created!.run_id, created!.run_id]);
  const { data: runs } = await eastern!.expect(200, 'listRuns', { query: { session_id } });
  t.equal(runs.length, 4);
  const { data: found } = await eastern!.expect(200, 'listSessions',
    { query: { metadata: 'user=u1' } });
  t.strictSame(found.map(({ id }) => id), [session_id], 'found by its metadata');
});

t.test('where one cluster is away the other goes on', async (t) => {
  const session_id = await newSession(western!);
  await east!.service.stop();
  t.equal((await talk(western!, session_id)).at(-1)!.type, 'run.completed');
});

/** As docs/postgresql.md says. */
async function moveWorkspace(from: TestServer, to: TestServer): Promise<void> {
  const { workspace_id } = from;
  const tables = await from.sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('audit_entries', 'metadata_pairs')
    order by c.relname not in ('sessions', 'connections'), c.relname`;
  await to.sql.begin(async (tx) => {
    await copyRows(from.sql, tx, 'workspaces', 'id', workspace_id);
    for (const { name } of tables) {
      await copyRows(from.sql, tx, name, 'workspace_id', workspace_id);
    }
    await tx`
      select setval(pg_get_serial_sequence('runs', 'seq'), max(seq)) from runs`;
  });
}

async function copyRows(
  from: Sql, to: Transaction, table: string, column: string, workspace_id: string) {
  const rows = await from.unsafe<{ row: string }[]>(
    `select row_to_json(t)::text as row from ${table} t where ${column} = '${workspace_id}'`);
  const json = rows.map(({ row }) => row).join(',');
  await to.unsafe(`insert into ${table} overriding system value
    select * from json_populate_recordset(null::${table}, $rows$[${json}]$rows$)`);
}
