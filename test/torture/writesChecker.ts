/** Whether each write was made once at most, and everybody says the same of it (G4, G5). */
import type { Schemas } from '../support/client.ts';
import type { CarefulClient } from './carefulClient.ts';
import type { Lab } from './lab.ts';

/** A worker hears of a cancel within this, and breaks off what is under way. */
const STOP_LIMIT_MS = 1_000;

interface Write {
  tool_call_id: string;
  run_id: string;
  invocation_id: string;
  status: string | null;
  code: string | null;
}

/**
 * Log, transcript and invocation are held against each other by `faultsInLogs`; here the upstream
 * service and getRun are.
 */
export async function checkWrites(lab: Lab, client: CarefulClient): Promise<void> {
  if (lab.upstream === undefined) return;
  const { journal, sql, ledger } = lab;
  const { arrivals } = await lab.upstream;
  const writes = await sql<Write[]>`
    select i.tool_call_id, i.run_id, i.invocation_id, v.status, v.error->>'code' as code
    from write_intents i left join action_invocations v
      on v.workspace_id = i.workspace_id and v.id = i.invocation_id
    union all
    -- An hour after a call the service forgets that it was to be made: its invocation stays.
    select v.tool_call_id, v.run_id, v.id, v.status, v.error->>'code' from action_invocations v
    where v.created_at < now() - interval '55 minutes'
      and v.tool_call_id = any (${[...arrivals.keys()]})
      and not exists (
        select from write_intents i
        where i.workspace_id = v.workspace_id and i.invocation_id = v.id)
      -- An attempt that ended before a call had left says so of it, and the next one makes it.
      and not (v.error->>'code' = 'cancelled' and exists (
        select from action_invocations made
        where made.workspace_id = v.workspace_id and made.run_id = v.run_id
          and made.tool_call_id = v.tool_call_id and made.id <> v.id))
    order by run_id`;
  const written = new Map(writes.map((write) => [write.tool_call_id, write]));
  for (const [id, made] of arrivals) {
    if (made.length > 1) journal.violation(`${id} arrived ${made.length} times`);
    if (!written.has(id)) journal.violation(`${id} arrived, and was not written down before`);
    const cancelled = ledger.cancelled.get(ledger.runs.get(made[0]!.key) ?? '');
    if (cancelled?.status !== 'cancelled') continue;
    const late_ms = made[0]!.at_ms - cancelled.replied_at_ms;
    if (late_ms <= 0) continue;
    journal.measure('writes that arrive after a cancel', late_ms, 'ms', 'none but on their way');
    if (late_ms > lab.patience.limit_ms(STOP_LIMIT_MS)) {
      journal.violation(`${id} arrived ${late_ms} ms after cancelRun was answered`);
    }
  }
  for (const { tool_call_id, status, code } of writes) {
    const made = arrivals.has(tool_call_id);
    const said = status === 'completed' ? status : code;
    if (said === 'completed' && !made || said === 'cancelled' && made) {
      journal.violation(`${tool_call_id} is said to be ${said}, and arrived: ${made}`);
    }
    journal.count(`writes ${said}`);
  }
  await checkRuns(lab, client, writes);
}

/** What getRun says of each write. */
async function checkRuns(
  { journal }: Lab, client: CarefulClient, writes: Write[]): Promise<void> {
  for (const [run_id, made] of Map.groupBy(writes, (write) => write.run_id)) {
    const answer = await client.ask([200], 'getRun', { path: { run_id } });
    const calls = new Map((answer.body as Schemas['Run']).tool_calls
      .map((call) => [call.tool_call_id, call]));
    for (const { tool_call_id, invocation_id, status, code } of made) {
      const call = calls.get(tool_call_id);
      const said = [call?.invocation_id, call?.status === 'completed', call?.error?.code ?? null];
      if (said.join() === [invocation_id, status === 'completed', code].join()) continue;
      journal.violation(`${run_id}: getRun says ${said} of ${tool_call_id}, and its invocation`
        + ` ${invocation_id} ${code ?? status}`);
    }
  }
}
