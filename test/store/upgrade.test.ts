/** A database that an earlier version made and used, brought up to date in place. */
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { newId } from '../../src/ids.ts';
import { verifyAudit } from '../../src/store/auditEntries.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { FUNCTIONS } from '../../src/store/functions.ts';
import { isUpToDate, migrate, MIGRATIONS } from '../../src/store/migrate.ts';
import { readEventPage } from '../../src/store/runEvents.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { appendToRuns, cancelRun, claimRuns } from '../../src/store/runs.ts';
import { buryWorkers } from '../../src/store/workers.ts';
import { catalogueOf } from '../support/catalogue.ts';
import { emptyDatabase } from '../support/database.ts';
import { soundLogs } from '../support/log.ts';

const FIXTURE = readFileSync(new URL('./fixtures/schema-8.sql', import.meta.url), 'utf8');
const FIXTURE_VERSION = 8;

/** The database of the fixture, as that version has left it. */
async function formerDatabase(t: Test): Promise<{ url: string; sql: Sql }> {
  const { url, sql } = await emptyDatabase(t);
  // The dump changes settings of its connection.
  const own = connect(url, { max: 1 });
  await own.begin((tx) => tx.unsafe(FIXTURE), { limit_ms: 60_000 });
  await own.end();
  return { url, sql };
}

t.test('it ends with the same catalogue as a new database', async (t) => {
  const { sql } = await formerDatabase(t);
  const fresh = await emptyDatabase(t);
  await migrate(fresh.sql);
  t.notOk(await isUpToDate(sql));
  t.same(await migrate(sql), {
    applied: MIGRATIONS.slice(FIXTURE_VERSION).map(({ version }) => version),
    functions: FUNCTIONS.map(({ name }) => name),
  });
  t.ok(await isUpToDate(sql));
  const expected = await catalogueOf(fresh.sql);
  t.strictSame(await catalogueOf(sql), expected);
  t.equal(expected.filter((line) => line.startsWith('CREATE TRIGGER')).length, 5);
  for (const { name } of FUNCTIONS) {
    t.equal(expected.filter((line) =>
      line.startsWith(`function CREATE OR REPLACE FUNCTION public.${name}(`)).length, 1, name);
  }
  t.match(await migrate(sql), { applied: [], functions: [] });
});

t.test('nodes that upgrade it at once do so once', async (t) => {
  const { url } = await formerDatabase(t);
  const nodes = Array.from({ length: 4 }, () => connect(url, { max: 2 }));
  t.teardown(() => Promise.all(nodes.map((node) => node.end())));
  const done = await Promise.all(nodes.map((node) => migrate(node)));
  t.same(done.flatMap(({ applied }) => applied).sort((a, b) => a - b),
    MIGRATIONS.slice(FIXTURE_VERSION).map(({ version }) => version));
  t.same(done.flatMap(({ functions }) => functions), FUNCTIONS.map(({ name }) => name));
});

t.test('the earlier version refuses it from then on', async (t) => {
  const { sql } = await formerDatabase(t);
  const former = { migrations: MIGRATIONS.slice(0, FIXTURE_VERSION), functions: [] };
  await migrate(sql);
  await t.rejects(migrate(sql, undefined, former),
    { message: /a newer gatehouse has migrated it.* Nothing was changed/s });
});

t.test('no other text of an earlier migration is taken for its own', async (t) => {
  const { sql } = await formerDatabase(t);
  const { sha256 } = MIGRATIONS[2]!;
  await sql`update schema_migrations set sha256 = ${sha256} where version = 2`;
  await t.rejects(migrate(sql),
    { message: /^migration 0002-run-transitions was applied to the database in another form/ });
});

t.test('its runs go on, and its audit log is whole', async (t) => {
  const { sql } = await formerDatabase(t);
  await migrate(sql);
  await soundLogs(t, sql);
  const entries = (await sql`select from audit_entries`).length;
  t.match(await verifyAudit(sql, 4_000), { entries, first_broken: null });
  await t.rejects(sql`update audit_entries set event = 'x'`, { message: /only appended to/ });

  await sql`update workers set lease_until = '-infinity'`;
  await buryWorkers(sql,
    { worker_id: 'wrk_new', lease_ms: 1_000, trusts_locks: true, most_losses: 10 });
  const claimed = await claimRuns(sql, 'wrk_new', 10);
  t.match(claimed, [{ attempt: 2, last_seq: 3, max_total_tokens: 5000 },
    { attempt: 1, last_seq: 2 }], 'the run whose worker is lost, and the one that waited');
  const [taken, waited] = claimed;
  const { workspace_id } = taken!;
  const page = await readEventPage(sql, workspace_id, taken!.id, 0,
    { events: 10, bytes: 1_000 });
  t.strictSame(page!.events.map(({ type }) => type), ['run.created', 'run.started', 'run.started']);
  const written = await appendToRuns(sql, [{
    workspace_id, run_id: taken!.id, attempt: 2, events: [{ type: 'run.completed', data: '{}' }],
    messages: [], steps: 0, input_tokens: 0, output_tokens: 0,
    end: { status: 'completed', output: [], error: null },
  }]);
  t.strictSame([...written.taken], [[taken!.id, 4]]);
  t.match(await claimRuns(sql, 'wrk_new', 10),
    [{ session_id: taken!.session_id, attempt: 1 }], 'the run that was queued behind it');
  t.equal(await cancelRun(sql, workspace_id, waited!.id, 'requested'), true);
  // What breaks no other rule of the table: those are asked first.
  await t.rejects(sql`update runs set status = 'failed', error = '{}' where id = ${taken!.id}`,
    { message: 'a run that is completed cannot become failed' });
  t.match(await createRuns(sql, [{
    workspace_id, session_id: waited!.session_id, id: newId('run'), concurrency: 'reject',
    source: 'api', api_key_id: taken!.api_key_id, model: 'rehearsal', instructions: null,
    max_steps: 1, timeout_s: 60, input: [], metadata: {}, messages: [],
  }]), { outcomes: [{ outcome: 'created' }] });
});
