/** What a page reads of the large texts in its tables: those that it gives, and no others. */
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { wholeWorkspace } from '../../src/caller.ts';
import { newId } from '../../src/ids.ts';
import { listApprovalRows, requestApproval } from '../../src/store/approvals.ts';
import type { Transaction } from '../../src/store/database.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { readEventPage } from '../../src/store/runEvents.ts';
import { appendToRuns, claimRuns, listRunRows } from '../../src/store/runs.ts';
import type { Schemas } from '../support/client.ts';
import { queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { storeWorkers } from '../support/storedRuns.ts';

const { client, sql, workspace_id } = await testServer(t, { config: { role: 'api' } });
const [{ id: api_key_id }] = await sql<[{ id: string }]>`select id from api_keys`;
const scope = wholeWorkspace(workspace_id);
/** Pages end at 1,048,576 bytes: the fourth of these is the last one. */
const LARGE_BYTES = 300_000;
const GIVEN = 4;
const ITEMS = 12;
/** No compression makes it smaller, so that its size is that of what is read. */
const noise = (bytes: number) => randomBytes(Math.ceil(bytes / 2)).toString('hex').slice(0, bytes);

/** The blocks beside a table, and its partitions, that a read asks for: those of long texts. */
async function longBlocks(table: string, read: (tx: Transaction) => Promise<unknown>) {
  return await sql.begin(async (tx) => {
    // What this connection has asked for; it may have counted before this transaction, too.
    const count = async () => (await tx<[{ blocks: number }]>`
      select sum(pg_stat_get_xact_blocks_fetched(c.reltoastrelid))::int as blocks
      from pg_class c where c.reltoastrelid <> 0
        and (c.oid = ${table}::regclass or c.oid in (
          select inhrelid from pg_inherits where inhparent = ${table}::regclass))`)[0].blocks;
    const before = await count();
    await read(tx);
    return await count() - before;
  }) as number;
}

const newRun = async (...texts: string[]) => {
  const { id: session_id } = await client.expect(201, 'createSession', { body: {} });
  const input = texts.map((text) => (
    { role: 'user' as const, content: [{ type: 'input_text' as const, text }] }));
  const id = newId('run');
  await createRuns(sql, [{
    workspace_id, session_id, id, concurrency: 'reject', source: 'api',
    api_key_id, model: 'rehearsal', instructions: null, max_steps: 1,
    timeout_s: 60, input, metadata: {},
    messages: input.map(({ content }) => ({ id: newId('msg'), content })),
  }]);
  return { id, session_id };
};

t.test('a list of runs reads the beginnings of their inputs, however long they are', async (t) => {
  const blocksOf = async (bytes: number) => {
    const model = `of ${bytes} bytes`;
    for (let nth = 0; nth < ITEMS; nth++) {
      const { id } = await newRun(noise(bytes));
      await sql`update runs set model = ${model} where id = ${id}`;
    }
    return await longBlocks('runs', async (tx) => {
      const rows = await listRunRows(tx, scope, { model }, { limit: 100, order: 'asc' });
      t.equal(rows.length, ITEMS);
      t.ok(rows.every((row) => row.input_truncated));
    });
  };
  const [short, long] = [await blocksOf(10_000), await blocksOf(LARGE_BYTES)];
  t.ok(short > 0, 'they are counted');
  t.ok(long <= short + ITEMS, `${long} blocks for inputs 30 times as long, ${short} for others`);
});

t.test('a page of approvals reads the inputs that it gives', async (t) => {
  for (let nth = 0; nth < ITEMS; nth++) {
    await requestApproval(sql, {
      id: newId('apr'), workspace_id, api_key_id, scope: 'api_key', run_id: null,
      action: 'lab.echo.get', effect: 'read', connection_id: 'con_1',
      input: { text: noise(LARGE_BYTES) }, input_sha256: randomBytes(32), lifetime_ms: 60_000,
    }, []);
  }
  const blocksOf = (limit: number) => longBlocks('approvals', async (tx) => {
    const { rows } = await listApprovalRows(tx, { workspace_id }, { limit, order: 'asc' });
    t.equal(rows.length, GIVEN);
  });
  const [given, all] = [await blocksOf(GIVEN), await blocksOf(100)];
  t.ok(given > 0, 'they are counted');
  t.equal(all, given);
});

t.test('a page of events reads the data that it gives', async (t) => {
  const { id } = await newRun('hello');
  await storeWorkers(sql, 'wrk_1');
  const claimed = await claimRuns(sql, 'wrk_1', 100);
  const { attempt } = claimed.find((run) => run.id === id)!;
  const events = Array.from({ length: ITEMS }, () => (
    { type: 'message.output.delta', data: JSON.stringify({ delta: noise(LARGE_BYTES) }) }));
  await appendToRuns(sql, [{ workspace_id, run_id: id, attempt, events, messages: [], steps: 0,
    input_tokens: 0, output_tokens: 0, end: null }]);
  const blocksOf = (most: number) => longBlocks('run_events', async (tx) => {
    const page = await readEventPage(
      tx, workspace_id, id, 2, { events: most, bytes: 1_048_576 });
    t.equal(page!.events.length, GIVEN);
  });
  const [given, all] = [await blocksOf(GIVEN), await blocksOf(1_000)];
  t.ok(given > 0, 'they are counted');
  t.equal(all, given);
});

type Item = Schemas['RunInputItem'];
const items = (...texts: string[]): Item[] =>
  [{ role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) }];

/** Inputs, and what a list shows of them: undefined for all of it. */
const INPUTS: Readonly<Record<string, [asked: Item[], shown?: Item[]]>> = {
  'a short one': [items('hello')],
  'one of just so many characters': [items('é'.repeat(4_064))],
  'one more': [items('é'.repeat(4_065)), items('é'.repeat(4_064))],
  'characters outside the first plane': [items('𝄞'.repeat(5_000)), items('𝄞'.repeat(4_064))],
  'characters that JSON writes longer': [items('"'.repeat(3_000))],
  'several parts': [items('a', 'b'.repeat(4_000), 'c'.repeat(99)), items('a', 'b'.repeat(4_000))],
  'a part that is cut': [items('a', 'b'.repeat(3_000), 'c'.repeat(9_999)),
    items('a', 'b'.repeat(3_000), 'c'.repeat(999))],
  'several items': [[...items('a'.repeat(4_000)), ...items('b'.repeat(33)), ...items('c')],
    [...items('a'.repeat(4_000)), ...items('b'.repeat(32))]],
  'many parts': [items(...Array.from({ length: 64 }, () => 'x'.repeat(40))),
    [...items(...Array.from({ length: 56 }, () => 'x'.repeat(40)), 'x'.repeat(32))]],
};

t.test('a long input is cut in lists alone', async (t) => {
  const asked = new Map<string, string>();
  for (const [name, [input]] of Object.entries(INPUTS)) {
    const { id: session_id } = await client.expect(201, 'createSession', { body: {} });
    const { id } = await queueRun(client, session_id, '', { input } as never);
    asked.set(id, name);
    t.strictSame((await client.expect(200, 'getRun', { path: { run_id: id } })).input, input, name);
  }
  const { data } = await client.expect(200, 'listRuns', { query: { limit: 100 } });
  for (const [id, name] of asked) {
    const [input, shown] = INPUTS[name]!;
    const run = data.find((one) => one.id === id)!;
    t.strictSame(run.input, shown ?? input, name);
    t.equal(run.input_truncated, shown && true, name);
  }
});
