import t from 'tap';
import { DataKeyUnavailable, rotateMaster } from '../../../src/gateway/vault/dataKeys.ts';
import { createSecrets, DecryptionFailed } from '../../../src/gateway/vault/secrets.ts';
import { connect, type Sql } from '../../../src/store/database.ts';
import { testDatabase } from '../../support/database.ts';
import { addWorkspaces, masterKeys } from './support.ts';
import { soundness } from '../../support/soundness.ts';

soundness(t, 'a secret in a text');

const PLACE = { table: 'connection_secrets', row: 'con_1', field: 'credentials' };
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `wsp_${i + 100}`);
const wrappedBy = async (sql: Sql) => (await sql<{ id: string; n: number }[]>`
  select master_key_id as id, count(*)::int as n from workspace_keys group by 1 order by 1`)
  .map(({ id, n }) => [id, n]);

t.test('a value opens in another process, for its own place alone', async (t) => {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1', 'wsp_2');
  const keys = masterKeys('a');
  const secrets = createSecrets({ sql, keys });
  const plain = { token: 'geheim-\u{1f511}', n: 1 };
  const sealed = await secrets.seal('wsp_1', PLACE, plain);
  t.match(sealed, /^v1\.1\./);
  const other = createSecrets({ sql, keys });
  t.strictSame(await other.open('wsp_1', PLACE, sealed), plain);

  await secrets.seal('wsp_2', PLACE, plain);
  const moved: [string, Partial<typeof PLACE>][] = [
    ['wsp_2', {}], ['wsp_1', { row: 'con_2' }], ['wsp_1', { field: 'other' }],
    ['wsp_1', { table: 'oauth_flows' }],
  ];
  for (const [workspace_id, change] of moved) {
    await t.rejects(other.open(workspace_id, { ...PLACE, ...change }, sealed), DecryptionFailed,
      `moved to ${workspace_id} ${JSON.stringify(change)}`);
  }
  for (const number of ['2', '01', '0', '-1', '1e3', '99999999999', 'x']) {
    await t.rejects(other.open('wsp_1', PLACE, sealed.replace('v1.1.', `v1.${number}.`)),
      DecryptionFailed, `of a data key ${number}`);
  }
});

t.test('also a data key that was moved to another workspace opens nothing', async (t) => {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1', 'wsp_2');
  const keys = masterKeys('a');
  const sealed = await createSecrets({ sql, keys }).seal('wsp_1', PLACE, { n: 1 });
  await sql`
    insert into workspace_keys (workspace_id, number, master_key_id, wrapped)
    select 'wsp_2', number, master_key_id, wrapped from workspace_keys`;
  await t.rejects(createSecrets({ sql, keys }).open('wsp_2', PLACE, sealed), DataKeyUnavailable);
});

t.test('a workspace has one data key, whoever seals first', async (t) => {
  const { sql, url } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  const second = connect(url, { max: 5 });
  t.teardown(() => second.end());
  const keys = masterKeys('a');
  const processes = [createSecrets({ sql, keys }), createSecrets({ sql: second, keys })];
  const sealed = await Promise.all(Array.from({ length: 50 }, (_, n) =>
    processes[n % 2]!.seal('wsp_1', PLACE, { n })));
  t.strictSame(await wrappedBy(sql), [['a', 1]]);
  const opened = await Promise.all(sealed.map((one, n) =>
    processes[(n + 1) % 2]!.open<{ n: number }>('wsp_1', PLACE, one)));
  t.strictSame(opened.map(({ n }) => n), Array.from({ length: 50 }, (_, n) => n));
});

t.test('a data key that a failover has lost is used no more', async (t) => {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  const keys = masterKeys('a');
  const running = createSecrets({ sql, keys });
  const other = createSecrets({ sql, keys });
  const before = await running.seal('wsp_1', PLACE, { n: 1 });
  await sql`delete from workspace_keys`;
  const sealed = await running.seal('wsp_1', PLACE, { n: 2 });
  t.same(await other.open('wsp_1', PLACE, sealed), { n: 2 }, 'what is sealed opens elsewhere');

  await sql`delete from workspace_keys`;
  const by_another = await createSecrets({ sql, keys }).seal('wsp_1', PLACE, { n: 3 });
  t.same(await running.open('wsp_1', PLACE, by_another), { n: 3 }, 'and what another has sealed');
  await t.rejects(running.open('wsp_1', PLACE, before), DecryptionFailed);
});

t.test('a wrong master key is told from a changed secret', async (t) => {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  const sealed = await createSecrets({ sql, keys: masterKeys('a') }).seal('wsp_1', PLACE, {});
  await t.rejects(createSecrets({ sql, keys: masterKeys('a') }).open('wsp_1', PLACE, sealed),
    DataKeyUnavailable, 'another key of that name');
  await t.rejects(createSecrets({ sql, keys: masterKeys('b') }).open('wsp_1', PLACE, sealed),
    DataKeyUnavailable, 'a key of another name');
});

t.test('rotation wraps every data key anew, and no secret changes', async (t) => {
  const { sql } = await testDatabase(t);
  const ids = numbered(230);
  await addWorkspaces(sql, ...ids);
  const [fresh, old] = masterKeys('new', 'old');
  const running = createSecrets({ sql, keys: [old!, fresh!] });
  const sealed = await Promise.all(ids.map((id) => running.seal(id, PLACE, { id })));
  t.strictSame(await wrappedBy(sql), [['old', 230]]);

  const both = await Promise.all([
    rotateMaster(sql, [fresh!, old!]), rotateMaster(sql, [fresh!, old!]),
  ]);
  t.equal(both[0].rewrapped + both[1].rewrapped, 230, 'two that run at once share the work');
  t.strictSame(await wrappedBy(sql), [['new', 230]]);
  t.same(await rotateMaster(sql, [fresh!, old!]), { rewrapped: 0 }, 'nothing is left to do');

  const after = createSecrets({ sql, keys: [fresh!] });
  for (const secrets of [after, running]) {
    const opened = await Promise.all(ids.map((id, i) =>
      secrets.open<{ id: string }>(id, PLACE, sealed[i]!)));
    t.strictSame(opened.map(({ id }) => id), ids);
  }
});

t.test('an interrupted rotation goes on, beside a service that seals', async (t) => {
  const { sql } = await testDatabase(t);
  const ids = numbered(12);
  await addWorkspaces(sql, ...ids, 'wsp_late');
  const [fresh, old, lost] = masterKeys('new', 'old', 'lost');
  const seal = (keys: typeof old[], id: string) =>
    createSecrets({ sql, keys: keys as never }).seal(id, PLACE, { id });
  for (const [i, id] of ids.entries()) await seal([i === 7 ? lost : old], id);

  await t.rejects(rotateMaster(sql, [fresh!, old!]), DataKeyUnavailable);
  t.strictSame(await wrappedBy(sql), [['lost', 1], ['new', 7], ['old', 4]], 'so far it came');
  await seal([old, fresh], 'wsp_late');
  t.same(await rotateMaster(sql, [fresh!, old!, lost!]), { rewrapped: 6 });
  t.strictSame(await wrappedBy(sql), [['new', 13]]);
  await t.rejects(rotateMaster(sql, []), { code: 'unavailable' });
});
