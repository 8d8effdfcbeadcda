import t from 'tap';
import { createBuiltinConnections, listConnectionRows } from '../../src/store/connections.ts';
import type { Transaction } from '../../src/store/database.ts';
import { insertWorkspace } from '../../src/store/workspaces.ts';
import { testDatabase } from '../support/database.ts';

const workspace = (id: string) => ({ id, name: id, model: null, instructions: null, limits: {} });

t.test('built-in connections are made once', async (t) => {
  const { sql } = await testDatabase(t);
  await insertWorkspace(sql, workspace('wsp_1'));
  await insertWorkspace(sql, workspace('wsp_2'));
  const connect = (id: string, slugs: string[]) =>
    sql.begin((tx) => createBuiltinConnections(tx, id, slugs));

  await connect('wsp_1', ['gatehouse']);
  const [first] = await listConnectionRows(sql, 'wsp_1');
  t.match(first, { id: /^con_/ });
  t.strictSame(first, { id: first!.id, integration: 'gatehouse', name: 'gatehouse',
    account_label: null, status: 'connected', status_reason: null }, 'what calls need');

  await connect('wsp_1', ['gatehouse', 'gateway']);
  const both = await listConnectionRows(sql, 'wsp_1');
  t.same(both.map(({ integration }) => integration), ['gatehouse', 'gateway']);
  t.same(both[0], first, 'the first one is untouched');
  t.same(await listConnectionRows(sql, 'wsp_2'), [], 'another workspace has its own');
});

t.test('also when two make them at the same time', async (t) => {
  const { sql } = await testDatabase(t);
  await insertWorkspace(sql, workspace('wsp_1'));
  const connect = (tx: Transaction) => createBuiltinConnections(tx, 'wsp_1', ['gatehouse']);
  let second: Promise<unknown> | undefined;
  await sql.begin(async (tx) => {
    await connect(tx);
    let done = false;
    second = sql.begin(connect).finally(() => { done = true; });
    // The second one must neither finish nor have looked before the first one commits.
    for (let waits = false; !waits && !done;) {
      const [row] = await sql<{ waits: boolean }[]>`
        select exists (select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock') as waits`;
      waits = row!.waits;
    }
  });
  await second;
  t.equal((await listConnectionRows(sql, 'wsp_1')).length, 1);
});
