import type { Sql } from '../../src/store/database.ts';

/**
 * What a database is made of, one line for each thing: functions, tables, columns, constraints,
 * indexes, triggers and comments. Without the partitions of single weeks, which come and go.
 */
export async function catalogueOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with tables as (
      select * from pg_class c where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p', 'S', 'v') and c.relname !~ '^run_events_[0-9]')
    select line from (
      select 'function ' || pg_get_functiondef(oid) from pg_proc
      where pronamespace = 'public'::regnamespace
      union all
      select concat_ws(' ', 'table', relname, relkind, relpersistence, reloptions::text,
        pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid)) from tables
      union all
      select concat_ws(' ', 'column', t.relname, a.attnum, a.attname,
        format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation, a.attnotnull,
        a.attidentity, a.attgenerated, a.attstorage, pg_get_expr(d.adbin, d.adrelid))
      from tables t join pg_attribute a on a.attrelid = t.oid
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum where a.attnum > 0
      union all
      select concat_ws(' ', 'constraint', t.relname, n.conname, pg_get_constraintdef(n.oid),
        n.convalidated) from tables t join pg_constraint n on n.conrelid = t.oid
      where n.contype <> 'n' -- the columns tell; a dump gives these other names
      union all
      select pg_get_indexdef(i.indexrelid) from tables t join pg_index i on i.indrelid = t.oid
      union all
      select concat_ws(' ', pg_get_triggerdef(g.oid), g.tgenabled)
      from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
      union all
      select concat_ws(' ', 'comment', t.relname, d.objsubid, d.description)
      from tables t join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = t.oid
    ) as everything (line) order by line collate "C"`;
  return rows.map(({ line }) => line);
}
