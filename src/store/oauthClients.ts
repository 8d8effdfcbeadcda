/** OAuth clients that this service has registered at other services. */
import type { Sql } from './database.ts';
import { first } from './rows.ts';

/** What a registered client is good for. */
export interface ClientPlace {
  integration: string;
  issuer: string;
  redirect_uri: string;
}

export interface NewOAuthClient extends ClientPlace {
  client_id: string;
  sealed: string;
  /** Seconds since 1970 when its secret expires; null: never. */
  expires_at_s: number | null;
}

/** The sealed client of a place, unless its secret has expired. */
export async function findOAuthClient(
  sql: Sql, { integration, issuer, redirect_uri }: ClientPlace): Promise<string | undefined> {
  const row = await first(sql<{ sealed: string }[]>`
    select sealed from oauth_clients
    where integration = ${integration} and issuer = ${issuer} and redirect_uri = ${redirect_uri}
      and (expires_at is null or expires_at > now())`);
  return row?.sealed;
}

/** Keeps a client in the place of any other of its integration and issuer. */
export async function putOAuthClient(sql: Sql, client: NewOAuthClient): Promise<void> {
  // The integration may have been removed meanwhile: then there is nothing to keep it for.
  await sql`
    insert into oauth_clients (integration, issuer, redirect_uri, client_id, sealed, expires_at)
    select slug, ${client.issuer}, ${client.redirect_uri}, ${client.client_id}, ${client.sealed},
      to_timestamp(${client.expires_at_s}::double precision)
    from integrations where slug = ${client.integration} for key share
    on conflict (integration, issuer) do update set redirect_uri = excluded.redirect_uri,
      client_id = excluded.client_id, sealed = excluded.sealed, expires_at = excluded.expires_at,
      created_at = now()`;
}

/** Forgets a client that its server does not know any more. */
export async function removeOAuthClient(
  sql: Sql, { issuer, client_id }: { issuer: string; client_id: string }): Promise<void> {
  await sql`delete from oauth_clients where issuer = ${issuer} and client_id = ${client_id}`;
}
