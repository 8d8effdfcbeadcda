/**
 * While another connection holds a table, what needs it is 503 in time, and the rest is served,
 * however many ask for what needs it.
 */
import t, { type Test } from 'tap';
import type { OperationId } from '../../generated/operations.ts';
import { Client, prompt, type CallOptions } from '../support/client.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilLocked, untilSeen } from '../support/until.ts';

const { client, sql, workspace_id } = await testServer(t, { config: { database_connections: 12 } });
const session_id = await newSession(client);
const run_id = (await completeRun(client, session_id, '@rehearsal words=1')).id;
const { invocation_id } = await client.expect(201, 'createActionInvocation',
  { body: { action: 'gateway.connections.list' } });

/** A request; one with an idempotency key has another each time. */
type Asked = [OperationId, CallOptions & { keyed?: boolean }];
let keys = 0;
const ask = (id: OperationId, { keyed = false, ...options }: Asked[1], asker = client) =>
  asker.fetch(id, keyed
    ? { ...options, headers: { 'idempotency-key': `key ${++keys}` } } : options);
const hello = () => ({ path: { session_id }, body: prompt('@rehearsal words=1') });

const SESSIONS: Asked[] = [
  ['createSession', { body: {} }], ['listSessions', {}], ['getSession', { path: { session_id } }],
  ['updateSession', { path: { session_id }, body: { title: 'new' } }],
];
const RUNS: Asked[] = [
  ['listRuns', {}], ['getRun', { path: { run_id } }], ['cancelRun', { path: { run_id } }],
  ['streamRunEvents', { path: { run_id } }],
];
const BY_KEY: Asked[] = [
  ['listActions', {}], ['getActionInvocation', { path: { invocation_id } }],
  ['getOpenapiDocument', {}],
];
const BY_TOKEN: Asked[] = [
  ['listWorkspaces', {}], ['listGrants', {}], ['listConnections', {}], ['listAdminTokens', {}],
];
const AUDITED: Asked[] = [
  ['createWorkspace', { body: { name: 'new' } }],
  ['createGrant', { body: { workspace_id, actions: 'lab.*', decision: 'allow' } }],
];

// One that is known here is trusted for a moment.
const { api_key: unknown_key } = await client.expect(201, 'createApiKey',
  { body: { workspace_id, name: 'not used yet' } });

interface Trial { refused: Asked[]; asker?: Client; served: Asked[] }

/** What is asked for while each of these tables is locked. */
const TRIALS: Record<string, Trial> = {
  runs: {
    refused: [...RUNS, ['createRun', hello()],
      ['streamRunEvents', { path: { run_id }, headers: { accept: 'text/event-stream' } }],
      ['createRun', { ...hello(), body: prompt('hello', { wait: true }) }],
      ['createRun', { ...hello(), body: prompt('hello', { stream: true }) }]],
    served: [...BY_KEY, ...BY_TOKEN, ...AUDITED],
  },
  sessions: {
    refused: [...SESSIONS, ['createRun', { ...hello(), keyed: true }]],
    served: [['getRun', { path: { run_id } }], ...BY_KEY, ...BY_TOKEN, ...AUDITED],
  },
  api_keys: {
    refused: [...SESSIONS, ...RUNS, ...BY_KEY], asker: client.as(unknown_key),
    served: BY_TOKEN,
  },
  audit_entries: {
    refused: [...AUDITED, ['listAuditEntries', {}], ['verifyAuditLog', {}]],
    served: [...SESSIONS, ...RUNS, ...BY_KEY, ...BY_TOKEN],
  },
  idempotency_keys: {
    refused: [['createSession', { body: {}, keyed: true }],
      ['createRun', { ...hello(), keyed: true }],
      ['createActionInvocation',
        { body: { action: 'gateway.connections.list' }, keyed: true }]],
    served: [...SESSIONS, ...RUNS, ...BY_KEY, ...BY_TOKEN, ...AUDITED],
  },
};
/** So that those who need the table could take every connection. */
const TIMES = 5;

for (const [table, { refused, asker, served }] of Object.entries(TRIALS)) {
  t.test(`${table} is locked`, async (t) => {
    await whileLocked(table, async () => {
      let all_served = false;
      // They ask again as long as the others are served, so that there is no pause to slip into.
      const asked = Array.from({ length: TIMES }, () => refused).flat()
        .map(async ([id, options]) => {
          do await refuses(t, id, options, asker); while (!all_served);
        });
      try {
        for (const asking of served) await isServed(t, ...asking);
      } finally {
        all_served = true;
        await Promise.all(asked);
      }
    });
    for (const [id, options] of [...refused, ...served]) {
      const response = await ask(id, options);
      t.ok(response.status < 300, `${id} is well again: ${response.status}`);
      await response.text();
    }
  });
}

t.test('what a run does meanwhile is done when the table is free', async () => {
  const run = await client.expect(202, 'createRun', hello());
  await whileLocked('runs', async () => {
    await untilLocked(sql);
  });
  await untilSeen('the end of the run', () => client.expect(200, 'getRun',
    { path: { run_id: run.id } }), ({ status }) => status === 'completed');
});

/** In time or, on a machine that is too busy for it, when the client asks again as it is told. */
async function isServed(t: Test, id: OperationId, options: Asked[1]): Promise<void> {
  const { status } = await untilSeen(`${id} to be served`, async () => {
    const response = await ask(id, options);
    return { status: response.status, text: await response.text() };
  }, ({ status }) => status !== 503);
  t.ok(status < 300, `${id}: ${status}`);
}

async function refuses(
  t: Test, id: OperationId, options: Asked[1], asker: Client | undefined): Promise<void> {
  const response = await ask(id, options, asker);
  const { status, body } = await client.receive(id, response);
  t.match({ status, body }, { status: 503, body: { code: 'unavailable' } }, id);
  t.equal(response.headers.get('retry-after'), '1', id);
}

async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await openTransaction(sql, async (tx) => {
    await tx.unsafe(`lock table ${table} in access exclusive mode`);
    await work();
  });
}
