import { only } from '../../src/store/rows.ts';
import type { Sql } from '../../src/store/database.ts';

/** What an action was called with, as its record has it; no operation shows that. */
export async function storedInput(sql: Sql, invocation_id: string): Promise<unknown> {
  return (await only(sql<{ input: unknown }[]>`
    select input from action_invocations where id = ${invocation_id}`)).input;
}
