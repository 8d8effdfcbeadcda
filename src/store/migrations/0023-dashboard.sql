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

-- As which key the dashboard acts in a workspace: nobody has its secret. One at a time.
alter table api_keys add column dashboard boolean not null default false;
create unique index api_keys_of_dashboard on api_keys (workspace_id)
  where dashboard and revoked_at is null;
