-- Integrations that the operator added. They belong to the service, not to a workspace: what a
-- workspace sees of them, its connections and grants say.
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
  definition     json,             -- what an MCP server said of the tool; null: in the document
  quarantined_at timestamptz,      -- it changed and nobody has accepted that yet
  removed_at     timestamptz,      -- it is in the source no more
  primary key (integration, source_key),
  unique (name)
);

-- One number that changes with every change of the above: a node that has another one in memory
-- loads anew before it answers.
create table integrations_version (version bigint not null);
insert into integrations_version values (0);

alter table connections
  add column auth_type text not null default 'none'
    check (auth_type in ('none', 'bearer', 'api_key', 'basic', 'oauth2'));

-- Secrets. What is sealed here is text of the form v1.key.iv.tag.ciphertext (AES-256-GCM); it names
-- its table, workspace, connection and field in what the tag covers, so that it opens nowhere else.

-- The keys that a workspace's secrets are sealed with (of `_service`: the integrations' own), each wrapped by one of the operator's master
-- keys. The highest number seals, all of them open.
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
  -- New with each write. Not a counter: one that is removed and stored anew would begin again, and
  -- a refresh that was under way meanwhile would take it for its own.
  version          uuid not null default gen_random_uuid(),
  granted_scopes   text[],       -- null: nobody said
  expires_at       timestamptz,  -- of the access token; null: not known to expire
  refresh_at       timestamptz,  -- somewhat earlier: from here on it is renewed before it is used
  -- A process that refreshes has this lease, not a transaction: a token endpoint may take longer
  -- than a transaction may stand still.
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
  state_sha256   bytea not null,  -- the state itself is known to that person's browser alone
  session_sha256 bytea,           -- of the session that began it; null: of none
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

-- A call that somebody has to approve. It is the exact call: action, connection and digest of the
-- input. An approval is used up by the next such call.
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
    check (status in ('pending', 'approved', 'denied', 'used')), -- expired is a matter of the clock
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

-- Append-only, and chained: each hash is over the entry and the hash before it. What an entry says
-- is one text, so that its hash is over exactly the bytes that are stored.
create table audit_entries (
  seq          bigint primary key,
  workspace_id text collate "C",
  event        text not null,
  target       text,
  entry        text not null,      -- JSON: everything that the entry says
  hash         text not null,
  created_at   timestamptz not null default clock_timestamp()
);
create index audit_entries_by_workspace on audit_entries (workspace_id, seq);
create index audit_entries_by_event on audit_entries (event, seq);
create index audit_entries_by_target on audit_entries (target, seq) where target is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only appended to' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();

-- Appends entries, {workspace_id, event, target, …} as JSON texts, in their order. One at a time
-- over all nodes: the next hash needs the one before.
create function append_audit(p_entries text[]) returns void language plpgsql as $$
declare
  number bigint;
  previous text;
  entry text;
  at timestamptz;
begin
  perform pg_advisory_xact_lock(4735270915);
  select seq, hash into number, previous from audit_entries order by seq desc limit 1;
  number := coalesce(number, 0);
  foreach entry in array p_entries loop
    number := number + 1;
    at := clock_timestamp();
    previous := encode(sha256(convert_to(
      coalesce(previous, '') || chr(10) || number || chr(10) || extract(epoch from at) || chr(10)
        || entry, 'UTF8')), 'hex');
    insert into audit_entries (seq, workspace_id, event, target, entry, hash, created_at)
    values (number, entry::json->>'workspace_id', entry::json->>'event', entry::json->>'target',
      entry, previous, at);
  end loop;
end $$;

-- Walks the chain: how many entries there are, the last hash, and the first that does not fit.
create function verify_audit(out entries bigint, out head text, out first_broken bigint)
language plpgsql as $$
declare
  previous text := '';
  expected bigint := 0;
  item record;
begin
  entries := 0;
  for item in select * from audit_entries order by seq loop
    entries := entries + 1;
    expected := expected + 1;
    if first_broken is null and (item.seq <> expected
      or item.hash <> encode(sha256(convert_to(
        previous || chr(10) || item.seq || chr(10) || extract(epoch from item.created_at) || chr(10)
          || item.entry, 'UTF8')), 'hex')
      or item.workspace_id is distinct from item.entry::json->>'workspace_id'
      or item.event is distinct from item.entry::json->>'event'
      or item.target is distinct from item.entry::json->>'target') then
      first_broken := item.seq;
    end if;
    previous := item.hash;
    head := item.hash;
  end loop;
end $$;
