/** What the statements on several tables have in common. */
import type { Schemas } from '../../generated/types.ts';
import { writeJson } from '../jsonText.ts';
import type { Sql, Transaction } from './database.ts';
import type { Statement } from './driver/statement.ts';

export type { Schemas };

/**
 * The row of an object of the document: its columns are the fields of the object. `Added` are the
 * fields that are no columns.
 */
export type RowOf<Name extends keyof Schemas, Added extends PropertyKey = never> =
  Omit<Schemas[Name], 'object' | Added>;

/** The first row that a statement answers; undefined if it answers none. */
export async function first<Row>(statement: PromiseLike<readonly Row[]>): Promise<Row | undefined> {
  return (await statement)[0];
}

/** The row of a statement that always answers one. */
export async function only<Row>(statement: PromiseLike<readonly Row[]>): Promise<Row> {
  return (await statement)[0]!;
}

/** Whether a statement found, or changed, at least one row. */
export async function some(statement: PromiseLike<{ count: number }>): Promise<boolean> {
  return (await statement).count > 0;
}

/**
 * Deletes up to `limit` rows of a table that nobody has locked; answers how many. By their places:
 * by their keys the planner reads the whole table, for each batch.
 */
export async function deleteSome(
  sql: Sql | Transaction, table: Statement<unknown>, such: Statement<unknown>, limit: number,
): Promise<number> {
  const deleted = await sql`
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${such} limit ${limit} for update skip locked))`;
  return deleted.count;
}

/** The text of a json column; null and undefined are the null of SQL, which the checks read. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : writeJson(value);
}

type ColumnType = 'text' | 'int' | 'boolean' | 'json' | 'timestamptz';

/**
 * Rows as a table `name` of a statement, with these of their fields as its columns. All values
 * travel as texts: the driver would declare a list as the type of its first element. (It is one
 * part: with a part for each column, a statement took the process twice as much CPU.)
 */
export function tableOf<Row extends Record<string, any>>(
  sql: Sql | Transaction, name: string, rows: readonly Row[],
  columns: { [Field in keyof Row]?: ColumnType }) {
  const textOf = (value: unknown, type: ColumnType | undefined) =>
    (type === 'json' ? jsonText(value) : value == null ? null : String(value));
  const fields = Object.keys(columns) as (keyof Row & string)[];
  const lists = fields.map((field) => rows.map((row) => textOf(row[field], columns[field])));
  const casts = fields.map((field) => `::text[]::${columns[field]}[]`);
  const end = `${casts.pop()}) as ${name} (${fields.join(', ')})`;
  const strings = ['unnest(', ...casts.map((cast) => `${cast}, `), end];
  return sql(Object.assign(strings, { raw: strings }), ...lists);
}

/** Which rows a list shows: those with these values in these columns. */
export type Filter<Columns extends string> = Partial<Record<Columns, string>>;

type ColumnValues = Record<string, string | object | null | undefined>;

/** ` and column = value` for each value that is not undefined. Names of columns are our own. */
export function conditions(sql: Sql | Transaction, values: ColumnValues) {
  return pairs(sql, 'and', values);
}

/** `, column = value` for each value that is not undefined; an object is for a json column. */
export function assignments(sql: Sql | Transaction, values: ColumnValues) {
  return pairs(sql, ',', values);
}

/**
 * What has become of a key or a token: `active`, `expired` or `revoked`. Decided by the database's
 * clock, like every other time in it.
 */
export function statusOfSecret(sql: Sql | Transaction) {
  return sql`case when revoked_at is not null then 'revoked'
    when expires_at <= now() then 'expired' else 'active' end`;
}

/** Above every character that an id may have. */
const HIGHEST_OF_ID = '~';

/** ` and id …` for the ids that begin so; nothing if no beginning is given. */
export function idsFrom(sql: Sql | Transaction, prefix: string | undefined) {
  return prefix === undefined ? sql`` : sql`and id >= ${prefix} and id < ${prefix + HIGHEST_OF_ID}`;
}

function pairs(sql: Sql | Transaction, before: 'and' | ',', values: ColumnValues) {
  return Object.entries(values).reduce((all, [column, value]) => {
    if (value === undefined) return all;
    const stored = typeof value === 'string' || value === null
      ? value : sql`${JSON.stringify(value)}::text::json`;
    return sql`${all} ${sql.unsafe(`${before} ${column} =`)} ${stored}`;
  }, sql``);
}

/** One page of a list: keyset pagination by id, which is by creation. */
export interface Page {
  limit: number;
  order: 'asc' | 'desc';
  /** The last id (or other column that orders the list) of the page before. */
  after_id?: string | null;
}

/**
 * The end of a list's query: continues after `after_id`, in the page's order, with one row more
 * than the limit, which tells that there are more. The query has a where clause already. `column`:
 * what the list is ordered by, if that is not the id.
 */
export function keyset(sql: Sql | Transaction, page: Page, column: Statement<unknown> = sql`id`) {
  const after = page.after_id ?? null;
  const rest = after === null ? sql``
    : page.order === 'asc' ? sql`and ${column} > ${after}` : sql`and ${column} < ${after}`;
  const order = page.order === 'asc' ? sql`order by ${column}` : sql`order by ${column} desc`;
  return sql`${rest} ${order} limit ${page.limit + 1}`;
}

/** A page of a list whose rows may be large: it ends early where they are. */
export interface SizedPage<Row> {
  rows: Row[];
  has_more: boolean;
}

/**
 * A page of any list ends with the row that reaches this: by what its large columns hold, and again
 * by the characters of what is answered of its rows (operations/reads.ts).
 */
export const PAGE_BYTES = 1_048_576;

/**
 * A page with at most `limit` rows and about PAGE_BYTES, but at least one row. `query` is that of a
 * list, by id, and ends with `keyset`; `bytes` is how much of a row counts, by a stored size: what
 * it would have to read of a long text is read for each row, also for those that are not given.
 */
export async function sizedPage<Row>(
  sql: Sql | Transaction, query: Statement<unknown>, bytes: Statement<unknown>, page: Page,
): Promise<SizedPage<Row>> {
  const order = page.order === 'asc' ? sql`order by id` : sql`order by id desc`;
  const rows = await sql<(Row & { page_rows: number; page_before: number })[]>`
    select * from (
      select *, count(*) over ()::int as page_rows, coalesce(sum(${bytes}) over (
        ${order} rows between unbounded preceding and 1 preceding), 0)::float8 as page_before
      from (${query}) listed) measured
    where page_before < ${PAGE_BYTES} ${order} limit ${page.limit}`;
  return {
    rows: rows.map(({ page_rows: _rows, page_before: _before, ...row }) => row as unknown as Row),
    has_more: rows.length < (rows[0]?.page_rows ?? 0),
  };
}
