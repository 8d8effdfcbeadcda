import type { Sql, Transaction } from './database.ts';
import type { IntegrationRow } from './integrations.ts';
import { some, tableOf, type Schemas } from './rows.ts';

/** Whose definitions: of one revision of an integration, and in one format. */
export type DefinitionsKey = Pick<IntegrationRow, 'id' | 'revision'> & { format: number };

/** What is known of an operation without its definition. */
export interface DefinitionSummary {
  name: string;
  source_key: string;
  title: string;
  description: string;
  effect: Schemas['ActionEffect'];
  paged: boolean;
  /** What its caller chooses from, to be searched. */
  verbs: string;
}

/** `definition`: the rest of it, packed. */
export type DefinitionRow = DefinitionSummary & { definition: Buffer };

/** So many in one statement: 16 MB, if each is as large as they get. */
const ROWS_LIMIT = 500;

/**
 * Writes all definitions of a revision, unless they are there. Those of the revision and of the
 * format before stay: calls that have begun by them, and older nodes, need them.
 */
export async function writeDefinitions(
  tx: Transaction, { id, revision, format }: DefinitionsKey, rows: readonly DefinitionRow[],
): Promise<void> {
  await tx`
    delete from operation_definitions
    where integration_id = ${id} and (revision < ${revision - 1} or format < ${format - 1})`;
  for (let from = 0; from < rows.length; from += ROWS_LIMIT) {
    const part = rows.slice(from, from + ROWS_LIMIT)
      .map((row) => ({ ...row, definition: row.definition.toString('base64') }));
    await tx`
      insert into operation_definitions (integration_id, revision, format, name, source_key, title,
        description, effect, paged, verbs, definition)
      select ${id}, ${revision}, ${format}, d.name, d.source_key, d.title, d.description, d.effect,
        d.paged, d.verbs, decode(d.definition, 'base64')
      from ${tableOf(tx, 'd', part, {
        name: 'text', source_key: 'text', title: 'text', description: 'text', effect: 'text',
        paged: 'boolean', verbs: 'text', definition: 'text' })}
      on conflict do nothing`;
  }
}

/** Whether the integration still is of this revision; if so, it is until the transaction ends. */
export async function holdRevision(
  tx: Transaction, { id, revision }: DefinitionsKey): Promise<boolean> {
  return await some(tx`
    select 1 from integrations where id = ${id} and revision = ${revision} for share`);
}

/** Of all operations of a revision, in no particular order; empty: nobody has written them yet. */
export function definitionSummaries(
  sql: Sql, { id, revision, format }: DefinitionsKey): Promise<DefinitionSummary[]> {
  return sql<DefinitionSummary[]>`
    select name, source_key, title, description, effect, paged, verbs
    from operation_definitions
    where integration_id = ${id} and revision = ${revision} and format = ${format}`;
}

/** The definitions that are asked for, in the same order; null for one that there is not. */
export async function readDefinitions(
  sql: Sql, asked: readonly (DefinitionsKey & { name: string })[]): Promise<(Buffer | null)[]> {
  const rows = await sql<{ definition: Buffer | null }[]>`
    select d.definition
    from unnest(${asked.map(({ id }) => id)}::text[],
      ${asked.map(({ revision }) => revision)}::int[], ${asked.map(({ format }) => format)}::int[],
      ${asked.map(({ name }) => name)}::text[]) with ordinality
      as a (integration_id, revision, format, name, nth)
    left join operation_definitions d using (integration_id, revision, format, name)
    order by a.nth`;
  return rows.map(({ definition }) => definition);
}
