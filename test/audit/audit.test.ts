import t from 'tap';
import { AuditLog } from '../../src/audit/audit.ts';
import { testDatabase } from '../support/database.ts';

t.test('entries that waited for the lock in vain are appended again', async (t) => {
  const { sql } = await testDatabase(t);
  const audit = new AuditLog(sql);
  const event = (name: string) =>
    ({ workspace_id: null, actor: { type: 'system' as const, id: null }, event: name });
  await sql.unsafe(`
    create sequence waits;
    create function wait_in_vain() returns trigger language plpgsql as $$
    begin
      if nextval('waits') <= 2 then raise 'locked' using errcode = '55P03'; end if;
      return new;
    end $$;
    create trigger wait before insert on audit_entries
      for each row execute function wait_in_vain()`);
  await audit.append(event('test.first'));
  await sql`drop sequence waits`;
  await sql`create sequence waits minvalue 0 maxvalue 1 cycle`;
  await t.rejects(audit.append(event('test.second')), { code: '55P03' }, 'not for ever');
  t.strictSame([...await sql`select event from audit_entries`], [{ event: 'test.first' }]);
});
