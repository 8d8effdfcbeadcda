/** What the statements on several tables have in common. */
import type { components } from '../../generated/types.ts';
import type { Sql, Transaction } from './database.ts';

export type Schemas = components['schemas'];

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

/** The text of a json column; null and undefined are the null of SQL, which the checks read. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

type Values = Record<string, string | object | null | undefined>;

/** ` and column = value` for each value that is not undefined. Names of columns are our own. */
export function conditions(sql: Sql | Transaction, values: Values) {
  return pairs(sql, 'and', values);
}

/** `, column = value` for each value that is not undefined; an object is for a json column. */
export function assignments(sql: Sql | Transaction, values: Values) {
  return pairs(sql, ',', values);
}

function pairs(sql: Sql | Transaction, before: 'and' | ',', values: Values) {
  return Object.entries(values).reduce((all, [column, value]) => {
    if (value === undefined) return all;
    const stored = typeof value === 'string' || value === null
      ? value : sql`${JSON.stringify(value)}::text::json`;
    return sql`${all} ${sql.unsafe(`${before} ${column} =`)} ${stored}`;
  }, sql``);
}
