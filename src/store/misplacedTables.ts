import type { Sql } from './database.ts';
import { only } from './rows.ts';

/** What is wrong with where a role looks for tables, and what to do about it. */
export interface MisplacedTables { found: string; advice: string }

/**
 * Whether the tables are where new ones would be made, the first schema of the role's search_path
 * that there is; null if they are, and where there are none yet. PostgreSQL looks for a schema of
 * the role's name first. So one that somebody makes in the database takes the place of the one
 * that holds the tables: a start would make others there, all empty, and from then on every node
 * would see these. Tables of others count for nothing elsewhere, also of the same name; here, where
 * ours would have to be, one of them is in the way.
 */
export async function misplacedTables(sql: Sql): Promise<MisplacedTables | null> {
  const { first, actual, is_taken, role, database } = await only(sql<{
    first: string | null; actual: string | null; is_taken: boolean; role: string; database: string;
  }[]>`
    select quote_ident(current_schema()) as first, quote_ident(session_user) as role,
      quote_ident(current_database()) as database,
      (select n.oid::regnamespace::text
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid = to_regclass('schema_migrations') and n.nspname <> current_schema()
          and pg_has_role(c.relowner, 'usage') and exists (
            select from pg_class f where f.relnamespace = n.oid and f.relname = 'schema_functions'))
        as actual,
      exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relname = 'schema_migrations' and not exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'sha256')
      ) as is_taken`);
  if (first === null) {
    return { found: 'The search_path of the database URL\'s role leads to no schema that there is'
      + ' and that it may use',
    advice: 'Set it, or create that schema: create schema … authorization …' };
  }
  if (is_taken) {
    return { found: `The schema ${first} has a table schema_migrations of another program`,
      advice: 'Give this service a database of its own; or, in this one, a role and a schema of its'
        + " own: create role gatehouse login password '…'; create schema gatehouse authorization"
        + ` gatehouse; alter role gatehouse in database ${database} set search_path = gatehouse;`
        + ' and name that role in the database URL.' };
  }
  if (actual === null) return null;
  return { found: `The tables are in the schema ${actual}, and the search_path of the database`
    + ` URL's role leads to ${first} before, where others would be made, all empty`,
  advice: `Remove that schema, if nothing is in it: drop schema ${first}; or name the other one:`
    + ` alter role ${role} in database ${database} set search_path = ${actual}; (For tables of its`
    + ` own, the search_path must not lead to ${actual}.)` };
}
