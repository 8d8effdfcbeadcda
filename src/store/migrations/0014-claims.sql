-- Claims take turns between workspaces, and a run that brings its workers down is found out.

alter table runs
  -- Workers that the run was lost with one after the other, without a committed step between.
  add column losses    integer not null default 0,
  add column lost_by   text collate "C",                -- the worker that it was lost with last
  add column condemned boolean not null default false;  -- the run itself brought them down
alter table workers
  -- When somebody first saw its lock free since `locked_at`, or its lease over since that ended.
  add column missed_at    timestamptz,
  -- Since when the worker has always renewed its lease in time.
  add column steady_since timestamptz not null default now();
