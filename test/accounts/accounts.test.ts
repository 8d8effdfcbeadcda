/** What a new database begins with. */
import t from 'tap';
import { createMissingCredentials, type FirstCredentials } from '../../src/accounts/accounts.ts';
import { testDatabase } from '../support/database.ts';

t.test('of services that find an unused database at once, one makes credentials', async (t) => {
  const { sql } = await testDatabase(t);
  const kept: FirstCredentials[] = [];
  const made = await Promise.all(Array.from({ length: 4 }, () =>
    createMissingCredentials(sql, async (one) => void kept.push(one))));
  t.same(made.filter((one) => one !== null), kept);
  t.equal(kept.length, 1);
  t.same(await sql`select id from workspaces`, [{ id: kept[0]!.workspace_id }]);
  t.equal((await sql`select from admin_tokens`).length, 1);
});

t.test('credentials that cannot be kept do not count', async (t) => {
  const { sql } = await testDatabase(t);
  const full = new Error('no space left');
  await t.rejects(createMissingCredentials(sql, () => Promise.reject(full)), full);
  t.same(await sql`select id from workspaces`, []);
  t.ok(await createMissingCredentials(sql), 'the next start makes them');
});
