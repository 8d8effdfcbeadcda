-- What those who operate the service use: who they are, what was done, and how it does.

create table admin_tokens (
  sha256       bytea primary key,
  id           text collate "C" not null,  -- by which the audit log tells who acted
  name         text not null,
  hint         text,  -- null: it was given to the service, which made no token
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz
);
create unique index admin_tokens_by_id on admin_tokens (id);

-- Who is signed in to the dashboard, and one-time links to it. Of both the database has hashes alone.
--
-- Each came from an admin token, or from the configuration: its admin token, or what it says of
-- persons. Then `configured` can be made of the secret and that part of the configuration alone: it
-- ends when the configuration changes, and nobody can guess at a token by what is stored.
create table dashboard_sessions (
  id           text collate "C" primary key,
  sha256       bytea not null,   -- of the cookie
  method       text not null check (method in ('ticket', 'admin_token', 'oidc')),
  role         text not null check (role in ('viewer', 'operator', 'admin')),
  name         text not null,
  person       text,             -- as the audit log names them; null: whoever has the admin token
  admin_token_id text collate "C",
  configured   bytea,
  parent_id      text collate "C", -- the session in which the link was made that it began with, if any
  user_agent   text,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  ends_at      timestamptz not null, -- however often it is used
  revoked_at   timestamptz,
  constraint dashboard_sessions_origin check (
    (admin_token_id is null) <> (configured is null)
    and (person is null or configured is not null))
);
create unique index dashboard_sessions_by_sha256 on dashboard_sessions (sha256);
create index dashboard_sessions_by_parent on dashboard_sessions (parent_id) where parent_id is not null;

create table dashboard_tickets (
  sha256       bytea primary key,
  role         text not null check (role in ('viewer', 'operator', 'admin')),
  name         text not null,
  person       text,
  admin_token_id text collate "C",
  configured   bytea,
  parent_id      text collate "C",
  ends_at      timestamptz not null, -- of the session that it becomes
  expires_at   timestamptz not null, -- its own
  constraint dashboard_tickets_origin check (
    (admin_token_id is null) <> (configured is null)
    and (person is null or configured is not null))
);

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
-- What the audit log is looked through by. The actor is in the text of an entry, which always begins
-- with `{"workspace_id":…,"actor":{"type":"…","id":"…"}`. A cast to JSON would fail on a text that is
-- none, and the index with it: the verification is to tell of such an entry. A regular expression took
-- 60 µs of each entry that is appended.
create index audit_entries_by_actor on audit_entries (
  split_part(split_part(entry, '"actor":{"type":"', 2), '"', 5), seq);
create index audit_entries_by_time on audit_entries (created_at, seq);

-- What a service with the master key vouches for: the audit log held this hash at this entry. Who
-- owns the database and has no master key can remove an anchor, but cannot make one.
create table audit_anchors (
  seq        bigint primary key,  -- of the entry in audit_entries
  previous   bigint,              -- the anchor before it; null: it is the first
  sealed     text not null,       -- the hash of the entry, and what is before it
  created_at timestamptz not null default now(),
  -- Of two nodes that go on from the same anchor one comes first.
  constraint audit_anchors_in_a_row unique nulls not distinct (previous)
);

-- What each running node tells of itself, whatever its role, for what an operator does beside it.
create table nodes (
  id          uuid primary key,
  host        text not null,
  pid         integer not null,
  master_keys json not null,  -- by their names: fingerprints, which tell keys apart and give none away
  settings    json not null,  -- no secrets
  lease_until timestamptz not null,
  worker_id   text collate "C",  -- null: it runs none
  seals_with  text               -- the fingerprint of its first master key; null: it has none
);

-- What each workspace has stored, in bytes. Whatever writes adds a row to storage_additions, for which
-- nobody waits; nodes fold these into storage every few seconds, and count anew once a day.
create table storage (
  workspace_id text collate "C" primary key,
  bytes        bigint not null default 0,
  added        bigint not null default 0,  -- of all time: what came while it was counted
  counted_at   timestamptz                 -- null: to be counted
);

create table storage_additions (
  workspace_id text collate "C" not null,
  bytes        bigint not null
);

-- Which functions of src/store/functions/ the database has, and in which revision.
create table schema_functions (
  name       text primary key,
  revision   integer not null check (revision > 0),
  sha256     text not null,
  applied_at timestamptz not null default now()
);
