import type { Test } from 'tap';
import type { Sql } from '../../src/store/database.ts';

/**
 * Has the database refuse events that hold the word poison, as it refuses what is no text. `types`:
 * a pattern of those that it looks at.
 */
export async function refusePoison(
  t: Pick<Test, 'teardown'>, sql: Sql, types = '%'): Promise<void> {
  await sql`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin
      if new.data::text like '%poison%' and new.type like tg_argv[0] then
        raise exception 'no such text' using errcode = '22P05';
      end if;
      return new;
    end $$`;
  await sql.unsafe(`create trigger refuse_poison before insert on run_events for each row
    execute function refuse_poison('${types}')`);
  t.teardown(() => sql`drop function refuse_poison cascade`);
}
