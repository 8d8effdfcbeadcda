-- Integrations that the operator added. They belong to the service, not to a workspace: connections
-- and grants decide what a workspace sees of them.
create table integrations (
  slug            text collate "C" primary key,
  id              text collate "C" not null unique, -- its place in lists
  kind            text not null check (kind in ('openapi', 'mcp')),
  title           text not null,
  base_url        text,
  document        text,            -- the OpenAPI document as it came; null for an MCP server
  document_url    text,
  document_sha256 text,
  mcp             json,            -- {url} or {command, args}, trust_hints
  mcp_env         text,            -- the command's environment, sealed
  auth_methods    json not null default '[]',
  egress_allow    json not null default '[]',
  overrides       json not null default '{}',
  workspace_ids   json,            -- null: offered to all
  revision        integer not null default 1,
  report          json not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  constraint integrations_source check ((kind = 'openapi') = (document is not null)
    and (kind = 'mcp') = (mcp is not null))
);

-- The actions of an integration, by what they are in their source. A name is given once: a
-- re-import never renames, and the name of an action that is gone is not given to another.
create table integration_actions (
  integration    text collate "C" not null references integrations (slug) on delete cascade,
  source_key     text not null,
  name           text collate "C" not null,
  effect         text not null check (effect in ('read', 'write', 'destructive')),
  schema_hash    text not null,
  definition     json,             -- an MCP server's definition of the tool; null: in the document
  quarantined_at timestamptz,      -- the action has changed, and nobody has accepted the change yet
  removed_at     timestamptz,      -- the source no longer has the action
  primary key (integration, source_key),
  unique (name)
);

-- One number that changes with every change of integrations and their actions: a node that has
-- another number in memory loads them again before it answers.
create table integrations_version (version bigint not null);
insert into integrations_version values (0);

alter table connections
  add column auth_type text not null default 'none'
    check (auth_type in ('none', 'bearer', 'api_key', 'basic', 'oauth2'));

-- Secrets. A sealed secret is a text of the form v1.key.iv.tag.ciphertext (AES-256-GCM). The tag
-- also covers the table, workspace, connection and field, so that the text opens nowhere else.

-- The keys that a workspace's secrets are sealed with, each wrapped by one of the operator's master
-- keys. The workspace `_service` holds the keys for the secrets of integrations. The key with the
-- highest number seals; every key opens what it has sealed.
create table workspace_keys (
  workspace_id  text collate "C" not null,
  number        integer not null check (number > 0),
  master_key_id text not null,   -- which master key it is wrapped by; `rotate-master` changes it
  wrapped       text not null,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  primary key (workspace_id, number)
);

-- What a connection is made with: a token, a password, an OAuth 2.0 client and its tokens.
create table connection_secrets (
  workspace_id     text collate "C" not null,
  connection_id    text collate "C" not null,
  type             text not null check (type in ('bearer', 'api_key', 'basic', 'oauth2')),
  sealed           text not null,
  -- New with each write. A counter would begin again when a secret is removed and another is
  -- stored: a refresh that was under way would take the other secret for the one that it read.
  version          uuid not null default gen_random_uuid(),
  granted_scopes   text[],       -- null: not known
  expires_at       timestamptz,  -- of the access token; null: not known to expire
  refresh_at       timestamptz,  -- somewhat before it: from then on it is renewed before each use
  -- A process that refreshes holds this lease. A transaction would not do: a token endpoint may
  -- take longer than a transaction may stand still.
  refreshing_by    text collate "C",
  refreshing_until timestamptz,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (workspace_id, connection_id),
  foreign key (workspace_id, connection_id) references connections (workspace_id, id)
    on delete cascade,
  constraint connection_secrets_expiry check ((expires_at is null) = (refresh_at is null)),
  constraint connection_secrets_lease check ((refreshing_by is null) = (refreshing_until is null))
);

-- Authorizations under way: from sending a person to the other service until they come back.
create table oauth_flows (
  workspace_id   text collate "C" not null,
  connection_id  text collate "C" not null,
  state_sha256   bytea not null,  -- only that person's browser knows the state itself
  session_sha256 bytea,           -- of the session that began it; null: no session did
  sealed         text not null,   -- the code verifier, and the address to come back to
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null,
  primary key (workspace_id, state_sha256),
  foreign key (workspace_id, connection_id) references connections (workspace_id, id)
    on delete cascade
);
-- The browser comes back without its workspace, so this one lookup cannot lead with workspace_id.
create unique index oauth_flows_by_state on oauth_flows (state_sha256);
create index oauth_flows_by_expiry on oauth_flows (expires_at);

create table grants (
  workspace_id  text collate "C" not null references workspaces (id),
  id            text collate "C" not null,
  api_key_id    text collate "C",  -- null: every key of the workspace
  actions       text not null,     -- a name, with * for one part, and at its end for any number
  decision      text not null check (decision in ('allow', 'require_approval', 'deny')),
  connection_id text collate "C",  -- null: every connection
  expires_at    timestamptz,
  created_at    timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- A call that somebody has to approve. An approval is for one exact call (action, connection and
-- digest of the input), and the next such call uses it up.
create table approvals (
  workspace_id  text collate "C" not null references workspaces (id),
  id            text collate "C" not null,
  api_key_id    text collate "C",
  run_id        text collate "C",
  action        text not null,
  effect        text not null check (effect in ('read', 'write', 'destructive')),
  connection_id text collate "C" not null,
  input         json not null,
  input_sha256  bytea not null,
  status        text not null default 'pending'
    check (status in ('pending', 'approved', 'denied', 'used')), -- expires_at tells the expired
  reason        text,
  invocation_id text collate "C",  -- the attempt that used it up
  created_at    timestamptz not null default now(),
  decided_at    timestamptz,
  expires_at    timestamptz not null,
  primary key (workspace_id, id),
  constraint approvals_decided check ((status = 'pending') = (decided_at is null)),
  constraint approvals_used check ((status = 'used') = (invocation_id is not null))
);
create index approvals_by_call on approvals (workspace_id, action, connection_id, input_sha256)
  where status in ('pending', 'approved', 'denied');

-- The audit log is append-only (refuse_change) and chained: each hash is over the entry and the
-- hash before it (append_audit). The content of an entry is one text, so that its hash is over
-- exactly the bytes that are stored.
create table audit_entries (
  seq          bigint primary key,
  workspace_id text collate "C",
  event        text not null,
  target       text,
  entry        text not null,      -- JSON: the whole content
  hash         text not null,
  created_at   timestamptz not null default clock_timestamp()
);
create index audit_entries_by_workspace on audit_entries (workspace_id, seq);
create index audit_entries_by_event on audit_entries (event, seq);
create index audit_entries_by_target on audit_entries (target, seq) where target is not null;
