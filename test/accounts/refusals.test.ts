/** Who was not let in to the dashboard: each is told of, and nobody for another. */
import t from 'tap';
import { Refusals } from '../../src/accounts/refusals.ts';
import { createLog, type Log } from '../../src/log.ts';
import { testDatabase } from '../support/database.ts';

t.test('each who was refused has an entry of their own, with the number of attempts', async (t) => {
  const { sql } = await testDatabase(t);
  const refusals = new Refusals({ sql, log: createLog('silent') });
  const guesser = { type: 'system', id: null } as const;
  for (let at = 0; at < 3; at++) refusals.count(guesser, 'admin_token', `req_${at}`);
  refusals.count({ type: 'person', id: 'ada@example.com' }, 'oidc', 'req_ada', 'Why not.');
  for (let at = 0; at < 30; at++) {
    refusals.count({ type: 'person', id: `${at}@example.com` }, 'oidc', `req_p${at}`);
  }
  await refusals.close();
  const entries = await sql<{ actor: { id: string }; details: { attempts: number };
    reason: string | null }[]>`
    select entry::json -> 'actor' as actor, entry::json -> 'details' as details,
      entry::json ->> 'reason' as reason
    from audit_entries order by seq`;
  const attempts = (id: string | null) => entries.filter(({ actor }) => actor.id === id)
    .map(({ details }) => details.attempts);
  t.strictSame(attempts('ada@example.com'), [1]);
  t.match(entries.find(({ actor }) => actor.id === 'ada@example.com'), { reason: 'Why not.' });
  t.strictSame(attempts(null), [1, 2, 12],
    'the first at once, those that follow counted, apart from the many that are not named');
});

t.test('what could not be written is written later', async (t) => {
  const { sql } = await testDatabase(t);
  const failed = Promise.withResolvers<object>();
  const refusals = new Refusals({ sql, log: { warn: failed.resolve } as unknown as Log });
  await sql`alter table audit_entries rename to gone`;
  refusals.count({ type: 'person', id: 'ada@example.com' }, 'oidc', 'req_1');
  t.match(await failed.promise, { attempts: 1 });
  await sql`alter table gone rename to audit_entries`;
  refusals.count({ type: 'person', id: 'ada@example.com' }, 'oidc', 'req_2');
  await refusals.close();
  const entries = await sql`select entry::json -> 'details' as details from audit_entries`;
  t.match(entries, [{ details: { method: 'oidc', attempts: 2 } }]);
  t.equal(entries.length, 1);
});

t.test('nor is the number of those that are not named lost', async (t) => {
  const { sql } = await testDatabase(t);
  const refusals = new Refusals({ sql, log: createLog('silent') });
  await sql`alter table audit_entries rename to gone`;
  for (let n = 0; n < 30; n++) refusals.count({ type: 'person', id: `p${n}` }, 'oidc', 'req_1');
  await refusals.close(); // tries to write all of them
  await sql`alter table gone rename to audit_entries`;
  await refusals.close();
  const entries = await sql<{ attempts: number }[]>`
    select (entry::json -> 'details' ->> 'attempts')::int as attempts from audit_entries`;
  t.equal(entries.reduce((sum, { attempts }) => sum + attempts, 0), 30);
});
