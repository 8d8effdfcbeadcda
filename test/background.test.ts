/** Whatever works in the background starts and stops alike. */
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Authenticator } from '../src/accounts/authenticator.ts';
import { keepAddingUp } from '../src/accounts/storage.ts';
import { AuditAnchors } from '../src/audit/anchors.ts';
import { Background } from '../src/coalesce.ts';
import { readConfig } from '../src/config.ts';
import { Embeddings } from '../src/gateway/embeddings/embeddings.ts';
import { createLog } from '../src/log.ts';
import { openEmbedder } from '../src/models/embedder.ts';
import { announce } from '../src/overview/presence.ts';
import { openEndings } from '../src/runs/endings.ts';
import { EventHub } from '../src/runs/eventHub.ts';
import type { Lease } from '../src/runs/lease.ts';
import type { Runs } from '../src/runs/lifecycle.ts';
import { Losses } from '../src/runs/losses.ts';
import type { Sql } from '../src/store/database.ts';
import { openHouse } from '../src/store/maintenance.ts';
import { NO_METERS } from '../src/telemetry/metrics.ts';
import { testDatabase } from './support/database.ts';
import { untilSeen } from './support/until.ts';

const LOG = createLog('silent');
const DAY_MS = 86_400_000;

function clock(t: Pick<Test, 'teardown'>) {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
}

t.test('it is done when it is asked for, and every so often, once at a time', async (t) => {
  clock(t);
  const rounds: PromiseWithResolvers<void>[] = [];
  const work = new Background(async () => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    await round.promise;
  }, 1_000);
  mock.timers.tick(10_000);
  t.equal(rounds.length, 0, 'it is not open');
  work.open();
  work.open();
  mock.timers.tick(999);
  t.equal(rounds.length, 0);
  mock.timers.tick(1);
  t.equal(rounds.length, 1);
  work.request();
  mock.timers.tick(5_000);
  t.equal(rounds.length, 1, 'one round at a time');
  rounds[0]!.resolve();
  await turn();
  t.equal(rounds.length, 2, 'and one more for all who asked meanwhile');
  let is_closed = false;
  const closed = work.close().then(() => { is_closed = true; });
  t.equal(work.signal.aborted, true, 'what is under way is told');
  await turn();
  t.equal(is_closed, false, 'and waited for');
  rounds[1]!.resolve();
  await closed;
  work.open();
  work.request();
  mock.timers.tick(DAY_MS);
  t.equal(rounds.length, 2, 'then nothing begins any more');
  await work.close();
});

t.test('what was asked for before the end, and has not begun, does not begin', async (t) => {
  let rounds = 0;
  const round = Promise.withResolvers<void>();
  const work = new Background(() => {
    rounds += 1;
    return round.promise;
  });
  work.request();
  work.request();
  const closed = work.close();
  round.resolve();
  await closed;
  t.equal(rounds, 1);
});

/** The same connection, which counts what is asked of it. */
function counting(sql: Sql) {
  const count = { statements: 0 };
  const note = <T>(value: T) => {
    count.statements += 1;
    return value;
  };
  const counted = new Proxy(sql, {
    // A part that listens tells others now and then that it does: that is not its work.
    apply: (target, self, args) => (String(args[0]).includes('pg_notify')
      ? Reflect.apply(target, self, args) : note(Reflect.apply(target, self, args))),
    get: (target, name) => (name === 'begin' || name === 'together' || name === 'unsafe'
      ? note(target[name]) : Reflect.get(target, name)),
  });
  return { count, sql: counted };
}

const config = readConfig({}, { embedding_model: 'openai/test', openai_api_key: 'sk-test' });
const caller = { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null };
const lease = { id: 'wrk_1', is_known: true, alive: true, is_undisturbed: true, kept_ms: 0 };

/** Each part of the service that works in the background, open. */
const PARTS: Record<string, (sql: Sql) => Promise<{ close?(): Promise<void> }>> = {
  'housekeeping': async (sql) => openHouse(sql, { event_retention_days: 7, log: LOG }),
  'the adding up of what is stored': async (sql) => keepAddingUp(sql, LOG),
  'the presence of a node': async (sql) => await announce({ sql, config, log: LOG,
    master_keys: {}, seals_with: null, worker_id: null }),
  'what ends runs of revoked keys': async (sql) => openEndings(sql, {} as Runs, LOG),
  'the look at watched runs': async (sql) => {
    const hub = new EventHub(sql, LOG);
    await hub.open();
    hub.watch('wsp_1', 'run_1', 'events');
    return hub;
  },
  'anchors of the audit log': async (sql) => {
    const anchors = new AuditAnchors({ sql, log: LOG,
      seal: { seal: async () => 'sealed', open: async () => null } });
    await anchors.open();
    return anchors;
  },
  'what is known of keys': async (sql) => {
    const authenticator = new Authenticator(sql, config, LOG);
    authenticator.noteUse(caller);
    authenticator.open();
    return authenticator;
  },
  'vectors of actions': async (sql) => {
    const embeddings = new Embeddings({ sql, log: LOG, meters: NO_METERS,
      embedder: openEmbedder(config)!, lists: async () => {
        await sql`select 'its actions'`;
        return [];
      } });
    embeddings.open();
    return embeddings;
  },
  'the look for workers that are gone': async (sql) => {
    const losses = new Losses({ sql, config, log: LOG, hub: { queued() {} },
      lease: lease as unknown as Lease });
    losses.start();
    return { close: () => losses.stop() };
  },
};

for (const [name, open] of Object.entries(PARTS)) {
  t.test(`${name}: goes on by itself, and not after its end`, async (t) => {
    const database = await testDatabase(t);
    const { sql, count } = counting(database.sql);
    clock(t);
    const part = await open(sql);
    await database.sql`select 1`;
    const began = count.statements;
    mock.timers.tick(DAY_MS);
    await untilSeen('what it does by itself', () => count.statements, (seen) => seen > began);
    await part.close!();
    await part.close!();
    const ended = count.statements;
    mock.timers.tick(DAY_MS);
    await database.sql`select 1`;
    t.equal(count.statements, ended);
  });
}
