import t from 'tap';
import { wholeWorkspace } from '../../src/caller.ts';
import {
  getInvocation, insertInvocation, listInvocations, type NewActionInvocation,
} from '../../src/store/actionInvocations.ts';
import { testDatabase } from '../support/database.ts';
import { soundness } from '../support/soundness.ts';
import { storedInput } from '../support/storedInput.ts';
import { storedRun } from '../support/storedRuns.ts';

const completed = (
  id: string, changes: Partial<NewActionInvocation> = {}): NewActionInvocation => ({
  workspace_id: 'wsp_1',
  id,
  action: 'gatehouse.runs.list',
  connection_id: 'con_1',
  source: 'api',
  api_key_id: 'key_1',
  run_id: null,
  tool_call_id: null,
  input: { query: { limit: 1 } },
  result: { data: ['"text" with \\ and é'] },
  error: null,
  truncated: false,
  duration_ms: 12,
  ...changes,
});
const failure = { code: 'not_found', message: 'No.', details: { a: [1] } };

t.test('an attempt comes back as it was recorded', async (t) => {
  const { sql } = await testDatabase(t);
  const { id: run_id } = await storedRun(sql, { status: 'running' });
  await insertInvocation(sql, completed('inv_1'));
  const { workspace_id: _, input, ...recorded } = completed('inv_1');
  const row = await getInvocation(sql, wholeWorkspace('wsp_1'), 'inv_1');
  t.match(row, { created_at: /^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/ });
  t.same(row, { ...recorded, status: 'completed', created_at: row?.created_at });
  t.strictSame(await storedInput(sql, 'inv_1'), input);

  await insertInvocation(sql, completed('inv_2', { connection_id: null, result: null,
    error: failure, source: 'run', run_id, tool_call_id: 'call_1' }));
  t.match(await getInvocation(sql, wholeWorkspace('wsp_1'), 'inv_2'), {
    status: 'failed', error: failure, result: null, connection_id: null, source: 'run',
    run_id, tool_call_id: 'call_1' });

  for (const result of ['text', 0, false, null, ['a']]) {
    const id = `inv_${JSON.stringify(result)}`;
    await insertInvocation(sql, completed(id, { result }));
    t.strictSame((await getInvocation(sql, wholeWorkspace('wsp_1'), id))?.result, result);
  }
});

t.test('another workspace has no such attempt', async (t) => {
  soundness(t, 'a permission exceeded');
  const { sql } = await testDatabase(t);
  await insertInvocation(sql, completed('inv_1'));
  t.equal(await getInvocation(sql, wholeWorkspace('wsp_2'), 'inv_1'), undefined);
  t.same(await listInvocations(sql, wholeWorkspace('wsp_2'), {}, { limit: 10, order: 'desc' }), []);
});

t.test('lists are filtered pages, without input and result', async (t) => {
  const { sql } = await testDatabase(t);
  const { id: run_id } = await storedRun(sql, { status: 'running' });
  await insertInvocation(sql, completed('inv_1'));
  await insertInvocation(sql, completed('inv_2', { action: 'gatehouse.runs.get' }));
  await insertInvocation(sql, completed('inv_3', { source: 'run', run_id }));
  await insertInvocation(sql, completed('inv_4', { result: null, error: failure }));
  const list = async (filter: object, page: object = {}) => {
    const rows = await listInvocations(
      sql, wholeWorkspace('wsp_1'), filter, { limit: 10, order: 'desc', ...page });
    return rows.map(({ id }) => id);
  };
  t.same(await list({}), ['inv_4', 'inv_3', 'inv_2', 'inv_1']);
  t.same(await list({ action: 'gatehouse.runs.get' }), ['inv_2']);
  t.same(await list({ status: 'failed' }), ['inv_4']);
  t.same(await list({ source: 'run' }), ['inv_3']);
  t.same(await list({ run_id, status: 'completed' }), ['inv_3']);
  t.same(await list({ run_id: 'run_2' }), []);
  t.same(await list({}, { limit: 1 }), ['inv_4', 'inv_3'], 'one more, which tells of more');
  t.same(await list({}, { after_id: 'inv_3' }), ['inv_2', 'inv_1']);
  t.same(await list({}, { after_id: 'inv_3', order: 'asc' }), ['inv_4']);
  const [row] = await listInvocations(
    sql, wholeWorkspace('wsp_1'), {}, { limit: 1, order: 'desc' });
  t.notOk('result' in row! || 'input' in row!);
});
