/**
 * Lists of approvals read what they show, however many others there are; and none is passed over by
 * the end of its key.
 */
import t from 'tap';
import { listApprovalRows } from '../../src/store/approvals.ts';
import { connect } from '../../src/store/database.ts';
import { withdrawApprovals } from '../../src/store/revocations.ts';
import { testDatabase } from '../support/database.ts';
import { hold } from '../support/openTransaction.ts';

const USED = 10_000;
/** Rows of a page, and some more that an index has of rows that are changed or of another state. */
const FEW = 150;
const STATUSES = ['pending', 'approved', 'denied', 'expired', 'used'] as const;

const { sql, url } = await testDatabase(t);
const own = connect(url, { max: 1 });
t.teardown(() => own.end());

await sql`insert into workspaces (id, name) values ('wsp_1', 'test'), ('wsp_2', 'test')`;
await sql`
  insert into approvals (workspace_id, id, action, effect, connection_id, input, input_bytes,
    input_sha256, status, decided_at, invocation_id, expires_at)
  select 'wsp_' || n % 2 + 1, 'apr_' || lpad(n::text, 6, '0'), 'a.b.c', 'write', 'con_1', '{}', 2,
    decode(md5(n::text), 'hex'), case when n > ${USED} then
      (array['pending', 'approved', 'denied'])[n % 3 + 1] else 'used' end,
    case when n > ${USED} and n % 3 = 0 then null else now() end,
    case when n > ${USED} then null else 'inv_1' end,
    now() + (case when n % 5 = 0 then -1 else 1 end) * interval '1 day'
  from generate_series(1, ${USED + 48}::int) n`;
await sql`analyze approvals`;

/** How many rows of the table were read until now. */
async function readRows(): Promise<number> {
  await own`select pg_stat_force_next_flush()`;
  const [row] = await own<{ count: number }[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_user_tables where relname = 'approvals'`;
  return row!.count;
}

const everything = await sql<{ id: string; workspace_id: string; status: string }[]>`
  select id, workspace_id,
    case when status <> 'used' and expires_at < now() then 'expired' else status end as status
  from approvals order by id desc`;

for (const status of [undefined, ...STATUSES]) {
  for (const workspace_id of [undefined, 'wsp_2']) {
    t.test(`those of ${workspace_id ?? 'all'}: ${status ?? 'in any state'}`, async (t) => {
      const before = await readRows();
      const { rows } = await listApprovalRows(own, {
        ...(workspace_id && { workspace_id }), ...(status && { status }),
      }, { limit: 10, order: 'desc' });
      const read = await readRows() - before;
      const wanted = everything.filter((row) => row.status === (status ?? row.status)
        && row.workspace_id === (workspace_id ?? row.workspace_id)).slice(0, 10);
      t.strictSame(rows.map(({ id }) => id), wanted.map(({ id }) => id));
      t.ok(wanted.length > 3 && rows.every((row) => row.status === (status ?? row.status)));
      t.ok(read <= FEW, `${read} rows were read`);
    });
  }
}

t.test('an approval that is being decided is withdrawn with its key', async (t) => {
  await sql`
    insert into approvals (workspace_id, id, api_key_id, action, effect, connection_id, input,
      input_bytes, input_sha256, expires_at)
    values ('wsp_1', 'apr_1', 'key_1', 'a.b.c', 'write', 'con_1', '{}', 2, '', now() + '1 hour')`;
  const ended =
    { workspace_id: 'wsp_1', api_key_id: 'key_1', reason: 'api_key_revoked' } as const;
  const release = await hold(sql, (tx) => tx`
    update approvals set status = 'approved', decided_at = now() where id = 'apr_1'`);
  await t.rejects(withdrawApprovals(own, ended), { code: '55P03' }, 'it is done another time');
  await release();
  t.equal(await withdrawApprovals(own, ended), false);
  const [row] = await sql`
    select expires_at < now() as is_over, reason from approvals where id = 'apr_1'`;
  t.same(row, { is_over: true, reason: 'api_key_revoked' });
});
