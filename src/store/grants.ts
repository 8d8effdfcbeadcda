import type { Sql, Transaction } from './database.ts';
import {
  conditions, first, keyset, only, tableOf, type Filter, type Page, type RowOf,
} from './rows.ts';

/** Without a key it holds for every key of the workspace, without a connection for every one. */
export type Grant = RowOf<'Grant', 'matches'>;

export type NewGrant = Omit<Grant, 'created_at'>;

/** Something that a grant names and that does not exist. */
export interface MissingTarget {
  missing: { what: 'workspace' | 'api key' | 'connection'; id: string };
}

/** Adds a grant, or answers what it names and the workspace does not have. */
export async function insertGrant(
  tx: Transaction, grant: NewGrant): Promise<Grant | MissingTarget> {
  const { workspace_id, api_key_id, connection_id } = grant;
  const [missing] = await tx<MissingTarget['missing'][]>`
    select what, id from (values
      ('workspace', ${workspace_id}::text, exists (
        select from workspaces where id = ${workspace_id})),
      ('api key', ${api_key_id}::text, exists (
        select from api_keys where workspace_id = ${workspace_id} and id = ${api_key_id})),
      ('connection', ${connection_id}::text, exists (
        select from connections where workspace_id = ${workspace_id} and id = ${connection_id}))
    ) as named (what, id, found) where id is not null and not found limit 1`;
  if (missing) return { missing };
  return await only(insertAll(tx, [grant]));
}

function insertAll(tx: Transaction, grants: readonly NewGrant[]) {
  return tx<Grant[]>`
    insert into grants (workspace_id, id, api_key_id, actions, decision, approval_scope,
      connection_id, expires_at)
    select * from ${tableOf(tx, 'given', grants, {
      workspace_id: 'text', id: 'text', api_key_id: 'text', actions: 'text', decision: 'text',
      approval_scope: 'text', connection_id: 'text', expires_at: 'timestamptz' })}
    returning *`;
}

/** A page of grants, one row more than its limit if there are more. */
export function listGrantRows(
  sql: Sql, { workspace_id }: Filter<'workspace_id'>, page: Page): Promise<Grant[]> {
  return sql<Grant[]>`
    select * from grants where true ${conditions(sql, { workspace_id })} ${keyset(sql, page)}`;
}

/** The grants of all workspaces that hold now and can be meant for actions of an integration. */
export function grantsNaming(sql: Sql | Transaction, slug: string): Promise<Grant[]> {
  return sql<Grant[]>`
    select * from grants where (starts_with(actions, ${`${slug}.`}) or starts_with(actions, '*'))
      and (expires_at is null or expires_at > now())
    order by workspace_id, id`;
}

/** Nobody adds or removes grants before the transaction ends. */
export async function holdGrants(tx: Transaction): Promise<void> {
  await tx`lock table grants in share row exclusive mode`;
}

/**
 * Grants that name an action go with it to its new name (`names`: the new ones by the old ones).
 * Further ones are added for what patterns no longer match. Answers both, as they are now.
 */
export async function followRenames(
  tx: Transaction, names: ReadonlyMap<string, string>, added: readonly NewGrant[],
): Promise<{ changed: Grant[]; added: Grant[] }> {
  const changed = await tx<Grant[]>`
    update grants as g set actions = n.after
    from unnest(${[...names.keys()]}::text[], ${[...names.values()]}::text[]) as n (before, after)
    where g.actions = n.before returning g.*`;
  return { changed, added: await insertAll(tx, added) };
}

/** The grant that was removed; undefined if there was none. */
export async function deleteGrantRow(
  sql: Sql | Transaction, id: string): Promise<Grant | undefined> {
  return await first(sql<Grant[]>`delete from grants where id = ${id} returning *`);
}
