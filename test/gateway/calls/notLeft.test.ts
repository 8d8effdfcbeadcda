/** Writes that were written down and never left: nobody is told that they may have taken effect. */
import t from 'tap';
import { readConfig } from '../../../src/config.ts';
import type { CallContext } from '../../../src/gateway/action/outcome.ts';
import type { Issued } from '../../../src/gateway/credentials/connectionCredentials.ts';
import { createLog } from '../../../src/log.ts';
import { connectTo } from '../../support/actions.ts';
import { testDatabase } from '../../support/database.ts';
import { storedRun } from '../../support/storedRuns.ts';
import { grantEverything } from '../../support/writeNode.ts';
import { definition, gatewayOf, source } from '../support.ts';

const { sql } = await testDatabase(t);
const { id: run_id } = await storedRun(sql, { status: 'running' });
await sql`insert into api_keys (workspace_id, id, name, hint, sha256)
  values ('wsp_1', 'key_1', 'one', '', 'x')`;
await grantEverything(sql);
await connectTo(sql, 'wsp_1', 'github');
const ISSUED: Issued = {
  credentials: { type: 'none' }, secrets: [], version: null, after_refusal: false };

const MCP = { source: 'mcp', read_only_only: false, request_id: 'req_1' } as const;
/** Who asks by MCP. */
const PERSON = 'ada@example.com';
const RUN = { source: 'run', run_id, tool_call_id: 'call_1', read_only_only: false } as const;

/** What the service has of a call; `meanwhile`: what happens while its token is renewed. */
async function made(
  context: Omit<CallContext, 'signal'>, meanwhile: (cancel: AbortController) => Promise<unknown>) {
  let performed = 0;
  const cancel = new AbortController();
  const seen: object[] = [];
  const integration = source([definition({ effect: 'write', async perform({ departure }) {
    await departure.grant();
    departure.mark();
    return { result: performed += 1, source_cursor: null };
  } })]);
  const gateway = gatewayOf({
    sql, log: createLog('silent'), config: readConfig({}),
    sources: [{ ...integration, integration: { ...integration.integration, egress_allow: [] } }],
    credentials: { refused: () => Promise.reject(new Error('nobody refuses')), async for() {
      seen.push(...await sql`select person, request_id from write_intents`);
      await meanwhile(cancel);
      return ISSUED;
    } },
  });
  const caller = { workspace_id: 'wsp_1', api_key_id: 'key_1',
    agent: { run: null, confined: true } };
  const person = context.source === 'mcp' ? PERSON : undefined;
  const outcome = await gateway.perform({ ...caller, person },
    { action: 'github.issues.list' }, { ...context, signal: cancel.signal })
    .catch((error: { code: string; reason?: string }) => error);
  const { request_id = null } = context;
  t.match(seen, [{ person: person ?? null, request_id }], 'it was written down, and of whom');
  return { outcome, performed: () => performed, gateway };
}

const hangUp = async (cancel: AbortController) => cancel.abort();
const nothingLeft = async () =>
  t.same(await sql`select action from write_intents`, [], 'it is withdrawn');

t.test('an MCP client that hangs up', async (t) => {
  const { outcome, performed } = await made(MCP, hangUp);
  t.match(outcome, { status: 'failed', error: { code: 'cancelled' } });
  t.equal(performed(), 0);
  await nothingLeft();
  t.match((await sql<{ entry: string }[]>`select entry from audit_entries`)
    .map(({ entry }) => JSON.parse(entry)), [{ event: 'action.called', outcome: 'failed' }]);
});

t.test('a key that is revoked, or expires', async (t) => {
  const revoked = await made(MCP, () => sql`update api_keys set revoked_at = now()`);
  t.match(revoked.outcome, { code: 'invalid_api_key', reason: 'api_key_revoked' });
  await sql`update api_keys set revoked_at = null, expires_at = now() + interval '1 hour'`;
  const expired = await made(MCP, () => sql`update api_keys set expires_at = now()`);
  t.match(expired.outcome, { code: 'invalid_api_key', reason: 'api_key_expired' });
  t.same([revoked.performed(), expired.performed()], [0, 0]);
  await nothingLeft();
  const later = expired.gateway.perform(
    { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null }, { action: 'github.issues.list' },
    MCP);
  await t.rejects(later, { code: 'invalid_api_key' }, 'nor is it written down any more');
  await nothingLeft();
});

t.test('a run goes on to its end when its key expires', async (t) => {
  const { outcome, performed } = await made({ ...RUN, attempt: 1, tool_call_id: 'call_0' },
    async () => {});
  t.match(outcome, { status: 'completed' });
  t.equal(performed(), 1);
  await sql`delete from write_intents`;
  await sql`update api_keys set expires_at = null`;
});

t.test('a database that is away', async (t) => {
  const away = Object.assign(new Error('away'), { code: '57P01' });
  const { outcome } = await made(MCP, () => Promise.reject(away));
  t.equal(outcome, away);
  await nothingLeft();
});

t.test('a run whose attempt ends makes the call later', async (t) => {
  const { outcome, performed } = await made({ ...RUN, attempt: 1 }, hangUp);
  t.match(outcome, { error: { code: 'cancelled' } });
  t.equal(performed(), 0);
  await nothingLeft();
  await sql`update runs set attempt = 2`;
  const again = await made({ ...RUN, attempt: 2 }, async () => {});
  t.match(again.outcome, { status: 'completed' });
});
