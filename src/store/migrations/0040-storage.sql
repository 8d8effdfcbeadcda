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
insert into storage (workspace_id) select id from workspaces;
