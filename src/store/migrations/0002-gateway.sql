-- What agents may call, by which accounts, and who allows it.
--
-- A sealed secret is a text of the form v1.key.iv.tag.ciphertext (AES-256-GCM). The tag also covers
-- the table, workspace, connection and field, so that the text opens nowhere else.

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
  accepted_document text,          -- null: `document` is accepted
  -- Whether credentials may be sent to public addresses by plain http.
  insecure_http   boolean not null default false,
  -- Whether browsers come back from the other service to an address of the integration's own.
  own_redirect    boolean not null default true,
  -- Origins besides that of base_url to which it may send its credentials, for operations that have
  -- servers of their own.
  other_origins   json not null default '[]',
  -- What becomes of an action that its source adds: it waits for an operator, or is offered at once.
  new_actions     text not null default 'wait' check (new_actions in ('wait', 'offer')),
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
  -- What has changed about an action and waits for an operator. Until then a tool goes on by the
  -- definition that was accepted, and an operation by the document that was.
  proposed       json,             -- the tool as its server describes it now; null: as accepted
  operation_id   text,             -- of an operation of a document, if it has one
  hidden         boolean not null default false, -- the operator does not offer it
  -- The source has it no longer, and no operator has accepted that.
  missing_since  timestamptz,
  -- What it was called before it was renamed: nothing else is called that.
  former_names   text[] not null default '{}',
  -- Where the source had an action before it moved: what is there now may be the same again.
  former_keys    text[] not null default '{}',
  primary key (integration, source_key),
  unique (name)
);

-- The operations of documents as calls need them, made once of the document and what the operator
-- says of it: to make them anew takes a second of a processor for each large document, and all of it
-- at once half a gigabyte of memory. They are of one revision of an integration, in one format of
-- the importer: nodes of another version have theirs beside them.
create table operation_definitions (
  integration_id text collate "C" not null references integrations (id) on delete cascade,
  revision       integer not null,
  format         integer not null,
  name           text collate "C" not null, -- of the action
  source_key     text not null,
  title          text not null,
  description    text not null,
  effect         text not null check (effect in ('read', 'write', 'destructive')),
  paged          boolean not null,
  definition     bytea not null,            -- the rest of it: JSON, deflated
  primary key (integration_id, revision, format, name)
);
alter table operation_definitions alter column definition set storage external;

-- One number that changes with every change of integrations and their actions: a node that has
-- another number in memory loads them again before it answers.
create table integrations_version (version bigint not null);
insert into integrations_version values (0);

create table connections (
  workspace_id  text collate "C" not null references workspaces (id),
  id            text collate "C" not null,
  integration   text not null,
  name          text not null,
  account_label text,
  status        text not null check (status in ('pending', 'connected', 'needs_reconnect', 'disabled')),
  status_reason text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  auth_type     text not null default 'none'
    check (auth_type in ('none', 'bearer', 'api_key', 'basic', 'oauth2')),
  -- What the other service has called the account. As long as it is the label, nobody has written
  -- another one, and it may be replaced.
  account_label_found text,
  primary key (workspace_id, id)
);
create index connections_by_integration on connections (workspace_id, integration, id)
  where integration is not null;

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

-- Authorizations under way: from sending a person to the other service until they come back.
create table oauth_flows (
  workspace_id   text collate "C" not null,
  connection_id  text collate "C" not null,
  state_sha256   bytea not null,  -- only that person's browser knows the state itself
  session_sha256 bytea,           -- of the cookie of the browser that opened the page; null: none yet
  sealed         text not null,   -- the code verifier, and the address to come back to
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null,
  -- It begins with a page of ours, which gives the browser that opens it a cookie: the state then
  -- counts for that browser alone.
  ticket_sha256  bytea not null,  -- of what the page's address holds
  primary key (workspace_id, state_sha256),
  foreign key (workspace_id, connection_id) references connections (workspace_id, id)
    on delete cascade
);
-- The browser comes back without its workspace, so this one lookup cannot lead with workspace_id.
create unique index oauth_flows_by_state on oauth_flows (state_sha256);
create index oauth_flows_by_expiry on oauth_flows (expires_at);
create unique index oauth_flows_by_ticket on oauth_flows (ticket_sha256);

create table grants (
  workspace_id  text collate "C" not null references workspaces (id),
  id            text collate "C" not null,
  api_key_id    text collate "C",  -- null: every key of the workspace
  actions       text not null,     -- a name, with * for one part, and at its end for any number
  decision      text not null check (decision in ('allow', 'require_approval', 'deny')),
  connection_id text collate "C",  -- null: every connection
  expires_at    timestamptz,
  created_at    timestamptz not null default now(),
  -- Who may use an approval: the key that asked for it, or every key of the workspace.
  approval_scope text not null default 'api_key' check (approval_scope in ('api_key', 'workspace')),
  primary key (workspace_id, id),
  constraint grants_approval_scope check
    (approval_scope = 'api_key' or decision = 'require_approval')
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
  -- Which tool call used an approval. When a run goes on in another process, a tool call that only
  -- reads is made again, and it may use its approval again.
  used_by_run_id       text collate "C",
  used_by_tool_call_id text collate "C",
  scope         text not null default 'api_key' check (scope in ('api_key', 'workspace')),
  input_bytes   integer not null,  -- as a text
  primary key (workspace_id, id),
  constraint approvals_decided check ((status = 'pending') = (decided_at is null)),
  constraint approvals_used check ((status = 'used') = (invocation_id is not null)),
  constraint approvals_used_by check (status = 'used' or used_by_run_id is null)
);
create index approvals_by_call on approvals (workspace_id, action, connection_id, input_sha256)
  where status in ('pending', 'approved', 'denied');
create index approvals_by_use on approvals (workspace_id, used_by_run_id, used_by_tool_call_id)
  where used_by_run_id is not null;
-- How many approvals are pending in a workspace is bounded, and counted before one is added.
create index approvals_pending on approvals (workspace_id, expires_at) where status = 'pending';
-- The same of those that one key has asked for.
create index approvals_pending_of_key on approvals (workspace_id, api_key_id, expires_at)
  where status = 'pending';
-- Those that were not used are removed some time after they have expired.
create index approvals_by_expiry on approvals (expires_at) where status <> 'used';

create table embeddings (
  model       text collate "C" not null,
  text_sha256 bytea not null,
  vector      bytea not null,  -- whole numbers from -127 to 127, a byte each
  -- The last day on which a node had an action with this text.
  seen_on     date not null default current_date,
  primary key (model, text_sha256)
);
-- Vectors cannot be packed any smaller.
alter table embeddings alter column vector set storage external;
create index embeddings_seen_on on embeddings (seen_on);

create table embedding_work (
  model       text collate "C" primary key,
  node_id     text not null,
  lease_until timestamptz not null,
  texts       integer not null,  -- of the actions that the node knows, each once
  computed    integer not null,
  failures    integer not null default 0,  -- since something succeeded
  failure     text,
  retry_at    timestamptz not null default '-infinity',
  updated_at  timestamptz not null default now()
);
