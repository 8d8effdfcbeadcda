/** Calls that change something, made once more by a later attempt of their run. */
import t from 'tap';
import { wholeWorkspace } from '../../../src/caller.ts';
import { readConfig } from '../../../src/config.ts';
import type { ActionDefinition } from '../../../src/gateway/action/action.ts';
import { failure, lacks } from '../../../src/gateway/action/failure.ts';
import { needsReconnect } from '../../../src/gateway/action/missing.ts';
import type { CallContext } from '../../../src/gateway/action/outcome.ts';
import { createLog } from '../../../src/log.ts';
import { getInvocation } from '../../../src/store/actionInvocations.ts';
import { recordUnknownWrites } from '../../../src/store/writeIntents.ts';
import { NO_METERS } from '../../../src/telemetry/metrics.ts';
import { connectTo } from '../../support/actions.ts';
import { testDatabase } from '../../support/database.ts';
import { storedRun } from '../../support/storedRuns.ts';
import { untilLocked } from '../../support/until.ts';
import { grantEverything, wrapped } from '../../support/writeNode.ts';
import { definition, gatewayOf, source } from '../support.ts';

const { sql } = await testDatabase(t);
const caller = { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null };
await storedRun(sql, { status: 'completed' });
await grantEverything(sql);
await connectTo(sql, caller.workspace_id, 'github');

/** The integrations of the outcomes that were counted as unknown. */
const unknown: string[] = [];
const outcomes_unknown_total = {
  add: (_: number, { integration }: { integration: string }) => void unknown.push(integration),
};

type Perform = ActionDefinition['perform'];

/** A call of a running run, and how often its action was performed. */
async function callOf(
  perform: Perform, effect: 'read' | 'write' = 'write', timeout_ms = 60_000, by = sql) {
  const { id: run_id } = await storedRun(sql, { status: 'running' });
  let calls = 0;
  const counting: Perform = (...request) => {
    calls += 1;
    return perform(...request);
  };
  const gateway = gatewayOf({
    sql: by, log: createLog('silent'), meters: { ...NO_METERS, outcomes_unknown_total },
    sources: [source([definition({ name: 'github.issues.edit', effect, perform: counting })])],
    config: { ...readConfig({}), action_timeout_ms: timeout_ms },
  });
  return {
    run_id,
    calls: () => calls,
    /** As the next attempt of the run, after its worker was lost. */
    attempt: async (attempt: number, signals: Pick<CallContext, 'signal' | 'windDown'> = {}) => {
      await sql`update runs set attempt = ${attempt} where id = ${run_id}`;
      return await gateway.perform(caller, { action: 'github.issues.edit' }, {
        source: 'run', run_id, attempt, tool_call_id: 'call_1', read_only_only: false, ...signals,
      });
    },
  };
}

/** What the audit log says of a call. */
async function audited(invocation_id: string) {
  return (await sql<{ entry: string }[]>`select entry from audit_entries order by seq`)
    .map(({ entry }) => JSON.parse(entry))
    .filter(({ details }) => details.invocation_id === invocation_id);
}

const LEAVES: Perform = async ({ departure }) => {
  departure.mark();
  return { result: { edited: true }, source_cursor: null };
};

const done: Perform = async () => ({ result: { edited: true }, source_cursor: null });
const untilAborted: Perform = (_request, _caller, signal) => new Promise((_, reject) => {
  signal.addEventListener('abort', () => reject(new Error('socket hang up')), { once: true });
});

t.test('a recorded outcome is told again, whatever it was', async (t) => {
  const write = await callOf(done);
  const first = await write.attempt(1);
  t.match(first, { status: 'completed', result: { edited: true } });
  t.same(await write.attempt(2), first);
  t.equal(write.calls(), 1);

  const refused = await callOf(async () => {
    throw failure('GitHub answered 422.', { details: { status: 422 } });
  });
  const error = await refused.attempt(1);
  t.match(error, { status: 'failed', error: { code: 'upstream_error', details: { status: 422 } } });
  t.same(await refused.attempt(2), error);
  t.equal(refused.calls(), 1);

  const gap = { code: 'invalid_input' as const, message: 'No.', violations: [], schema: {} };
  const lacking = await callOf(async () => {
    throw lacks(gap);
  });
  const report = await lacking.attempt(1);
  t.match(report, { status: 'missing', missing: [gap] });
  t.same(await lacking.attempt(2), report);
});

t.test('an outcome is recorded though the database fails for a moment', async (t) => {
  for (const [place, where] of ['action_invocations', 'audit_entries'].entries()) {
    await sql.unsafe(`
      create sequence failures_${place};
      create function be_away() returns trigger language plpgsql as $$
      begin
        if nextval('failures_${place}') <= 2 then raise 'away' using errcode = '57P01'; end if;
        return new;
      end $$;
      create trigger away before insert on ${where} for each row execute function be_away()`);
    const call = await callOf(LEAVES);
    const made = await call.attempt(1);
    t.match(made, { status: 'completed', result: { edited: true } });
    t.equal(call.calls(), 1);
    t.same(await call.attempt(2), made);
    t.match(await audited(made.invocation_id), [{ event: 'action.called', outcome: 'ok' }]);
    await sql.unsafe('drop function be_away cascade');
  }
});

t.test('a record whose answer was lost is its own', async (t) => {
  let lost = 0;
  const losing = wrapped(sql, (said, send) => {
    if (!said.includes('insert into action_invocations') || lost++ > 0) return send();
    return send().then(() => {
      throw Object.assign(new Error('away'), { code: '57P01' });
    });
  });
  const write = await callOf(async (...request) =>
    ({ ...await LEAVES(...request), source_cursor: 'next' }), 'write', 60_000, losing);
  const made = await write.attempt(1);
  t.match(made, { status: 'completed', next_cursor: made.invocation_id });
  t.equal(lost, 2);
  t.match((await audited(made.invocation_id)).map(({ outcome }) => outcome), ['ok'], 'once');
});

t.test('an outcome that comes while the call is being settled is in the audit log', async (t) => {
  const left = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const write = await callOf(async (request, ...rest) => {
    request.departure.mark();
    left.resolve();
    await answered.promise;
    return await done(request, ...rest);
  });
  const call = write.attempt(1);
  await left.promise;
  const { run_id } = write;
  await sql.begin(async (tx) => {
    await recordUnknownWrites(tx, [{ workspace_id: 'wsp_1', run_id, tool_call_id: 'call_1' }]);
    answered.resolve();
    await untilLocked(sql);
  });
  const { invocation_id } = await call;
  t.strictSame((await audited(invocation_id)).map(({ outcome }) => outcome), ['unknown', 'ok']);
});

t.test('what the other system refuses is in the audit log, as every write that left', async (t) => {
  const refused = await callOf(async ({ departure, connection }) => {
    departure.mark();
    throw lacks(needsReconnect({ ...connection, status_reason: 'HTTP status 401' }));
  });
  const { status, invocation_id } = await refused.attempt(1);
  t.equal(status, 'missing');
  t.match(await audited(invocation_id),
    [{ event: 'action.called', outcome: 'failed', reason: 'needs_reconnect' }]);
});

t.test('a read is made again', async (t) => {
  const read = await callOf(done, 'read');
  t.match(await read.attempt(1), { status: 'completed' });
  t.match(await read.attempt(2), { status: 'completed' });
  t.equal(read.calls(), 2);
});

t.test('each gets a key for the upstream service: the same call, the same key', async (t) => {
  const keys: unknown[] = [];
  const note: Perform = async ({ idempotency_key }) => {
    keys.push(idempotency_key);
    return { result: null, source_cursor: null };
  };
  await (await callOf(note)).attempt(1);
  await (await callOf(note, 'read')).attempt(1);
  t.same(keys, ['call_1', null]);
});

t.test('an outcome that comes after the run went on without it is not heard', async (t) => {
  unknown.length = 0;
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const write = await callOf(async () => {
    begun.resolve();
    await release.promise;
    return { result: 'late', source_cursor: null };
  });
  const zombie = write.attempt(1);
  await begun.promise;
  const known = await write.attempt(2);
  t.match(known, { status: 'failed',
    error: { code: 'outcome_unknown', message: /was not repeated/ } });
  t.match(await audited(known.invocation_id),
    [{ event: 'action.called', outcome: 'unknown', actor: { type: 'run', id: write.run_id } }]);
  release.resolve();
  await zombie;
  t.match(await getInvocation(sql, wholeWorkspace('wsp_1'), known.invocation_id),
    { status: 'failed', error: { code: 'outcome_unknown' }, run_id: write.run_id });
  t.same(await write.attempt(3), known);
  t.equal(write.calls(), 1);
  t.same(unknown, ['github'], 'counted once');
});

t.test('a write that is broken off has an unknown outcome; one out of time may have', async (t) => {
  unknown.length = 0;
  const stop = new AbortController();
  const cancelled = await callOf((...call) => {
    stop.abort();
    return untilAborted(...call);
  });
  t.match(await cancelled.attempt(1, { signal: stop.signal }),
    { status: 'failed', error: { code: 'outcome_unknown' } });
  const slow = await callOf(untilAborted, 'write', 2_000);
  t.match(await slow.attempt(1),
    { status: 'failed', error: { code: 'upstream_timeout', message: /may have taken effect/ } });
  const broken = await callOf(async ({ departure }) => {
    departure.mark();
    throw new TypeError('a fault of ours');
  });
  const before = await callOf(async () => { throw new TypeError('a fault of ours'); });
  t.match(await before.attempt(1), { error: { code: 'internal_error' } }, 'nothing has left');
  t.match(await broken.attempt(1), { status: 'failed', error: { code: 'outcome_unknown' } });
  const read = await callOf(async () => { throw new TypeError('a fault of ours'); }, 'read');
  t.match(await read.attempt(1), { status: 'failed', error: { code: 'internal_error' } });
  t.same(unknown, ['github', 'github', 'github'], 'of the three writes');
});

t.test('winding down breaks off reads, lets writes end, and begins neither', async (t) => {
  const wind = new AbortController();
  const during: Perform = async (_request, _caller, signal) => {
    wind.abort();
    signal.throwIfAborted();
    return { result: 'whole', source_cursor: null };
  };
  const read = await callOf(during, 'read');
  t.match(await read.attempt(1, { windDown: wind.signal }), { error: { code: 'cancelled' } });
  for (const effect of ['read', 'write'] as const) {
    const call = await callOf(done, effect);
    t.match(await call.attempt(1, { windDown: wind.signal }), { error: { code: 'cancelled' } });
    t.equal(call.calls(), 0);
    t.match(await call.attempt(2), { status: 'completed' }, 'it can be made later');
  }
  const again = new AbortController();
  const write = await callOf(async () => {
    again.abort();
    return { result: 'whole', source_cursor: null };
  });
  t.match(await write.attempt(1, { windDown: again.signal }),
    { status: 'completed', result: 'whole' });
});

t.test('nothing leaves for an attempt that is over', async (t) => {
  for (const effect of ['read', 'write'] as const) {
    const cancelled = await callOf(done, effect);
    await sql`update runs set status = 'cancelled', finished_at = now()
      where id = ${cancelled.run_id}`;
    t.match(await cancelled.attempt(1), { status: 'failed', error: { code: 'cancelled' } });
    const taken = await callOf(done, effect);
    t.match(await taken.attempt(1, { signal: AbortSignal.abort() }),
      { status: 'failed', error: { code: 'cancelled' } });
    t.same([cancelled.calls(), taken.calls()], [0, 0]);
    const runs = [cancelled.run_id, taken.run_id];
    t.same(await sql`select from write_intents where run_id = any(${runs}::text[])`, []);
  }
});
