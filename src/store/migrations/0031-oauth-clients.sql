-- Clients that this service has registered at the authorization servers of MCP servers (RFC 7591),
-- one for each integration and server. Each connection keeps a copy of the one that it is made with.
create table oauth_clients (
  integration  text collate "C" not null references integrations (slug) on delete cascade,
  issuer       text not null,
  redirect_uri text not null,  -- a client is good for one address to come back to
  client_id    text not null,
  sealed       text not null,  -- the client, with its secret
  expires_at   timestamptz,    -- of the secret; null: never
  created_at   timestamptz not null default now(),
  primary key (integration, issuer)
);
