/**
 * A worker whose agents may call what changes something, as a grant would let them. As a program it
 * kills itself, as by kill -9, at one point around the first write: `node writeNode.ts URL POINT`;
 * or, given a number for the point, in the write of that number.
 */
import { readConfig, type Config } from '../../src/config.ts';
import type { ActionSource } from '../../src/gateway/action/action.ts';
import { createLog } from '../../src/log.ts';
import { Models } from '../../src/models/models.ts';
import { Appender } from '../../src/runs/appender.ts';
import { WorkspaceTokens } from '../../src/runs/budgets.ts';
import { EventHub } from '../../src/runs/eventHub.ts';
import { Runs } from '../../src/runs/lifecycle.ts';
import { Transcripts } from '../../src/runs/transcripts.ts';
import { executeTurn } from '../../src/runs/turnExecutor.ts';
import { Worker } from '../../src/runs/worker.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { gatewayOf } from '../gateway/support.ts';
import { testSource } from './actions.ts';

export const POINTS =
  ['before_intent', 'after_intent', 'in_call', 'after_call', 'after_record'] as const;
export type Point = (typeof POINTS)[number];

/** Grants everything to every workspace that there is. */
export async function grantEverything(sql: Sql): Promise<void> {
  await sql`
    insert into grants (workspace_id, id, actions, decision)
    select id, 'grt_everything', '*', 'allow' from workspaces on conflict do nothing`;
}

/** Starts the worker; answers how it is stopped. */
export async function startWriteNode(
  url: string, sources: readonly ActionSource[], wrap: (sql: Sql) => Sql = (sql) => sql,
  settings: Partial<Config> = {}, keeper_url?: string,
): Promise<() => Promise<void>> {
  const log = createLog('silent');
  const config = readConfig({},
    { database_url: url, claim_poll_ms: 50, lease_ms: 600_000, ...settings });
  const pool = connect(url, { max: 4 });
  const sql = wrap(pool);
  const hub = new EventHub(pool, log);
  await hub.open();
  const appender = new Appender(pool, hub, log);
  await grantEverything(pool);
  const gateway = gatewayOf({ sql, config, log, sources });
  const worker = new Worker({
    sql: pool, lock: connect(url, { max: 1 }), hub, config, log, keeper_url,
    execute: (run, signals) => executeTurn({
      sql: pool, appender, gateway, config, log,
      models: new Models(config), workspaceTokens: new WorkspaceTokens(pool),
      transcripts: new Transcripts(pool, config.model_context_tokens),
      runs: new Runs(pool, hub),
    }, run, signals),
  });
  await worker.start();
  return async () => {
    await worker.stop();
    await hub.close();
    await pool.end();
  };
}

/** An integration `lab` whose one action counts its calls in the table `upstream`. */
export function countingSource(url: string, onCall: () => unknown = () => {}): ActionSource {
  return testSource('lab', { write: { effect: 'write', perform: async (request) => {
    const sql = connect(url, { max: 1 });
    await sql`insert into upstream (idempotency_key) values (${request.idempotency_key})`;
    await sql.end();
    await onCall();
    return { written: true };
  } } });
}

async function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return await new Promise<never>(() => {});
}

/** Has `around` send each statement, which is told how it begins. */
export function wrapped(
  sql: Sql, around: (statement: string, send: () => Promise<unknown>) => unknown): Sql {
  return new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      const send = () => Reflect.apply(target as never, self, args) as Promise<unknown>;
      const [strings] = args as [TemplateStringsArray | unknown];
      // A fragment is no statement, and has to stay what it is.
      return Array.isArray(strings) && 'raw' in strings
        ? around(String(strings[0]).trim(), send) : send();
    },
  });
}

/** Dies before or after the first statement with these words. */
function dyingAt(sql: Sql, words: string, when: 'before' | 'after'): Sql {
  return wrapped(sql, (statement, send) => {
    if (!statement.includes(words)) return send();
    return when === 'before' ? die() : send().then(die);
  });
}

if (import.meta.filename === process.argv[1]) {
  const [, , url, point] = process.argv as [string, string, string, Point];
  const [intent, record] = ['insert into write_intents', 'insert into action_invocations'];
  let left = point === 'in_call' ? 1 : Number(point);
  const dieInTime = () => (left -= 1) === 0 ? die() : undefined;
  await startWriteNode(url, [countingSource(url, dieInTime)], (sql) => {
    switch (point) {
      case 'before_intent': return dyingAt(sql, intent, 'before');
      case 'after_intent': return dyingAt(sql, intent, 'after');
      case 'after_call': return dyingAt(sql, record, 'before');
      case 'after_record': return dyingAt(sql, record, 'after');
      default: return sql;
    }
  });
}
