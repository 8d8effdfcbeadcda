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

-- What a worker may claim: the first queued run of each session, and runs that were handed back.
-- Led by the workspace, so that a claim steps from one workspace to the next.
create index runs_waiting on runs (workspace_id, seq)
  where (status = 'queued' and head) or (status = 'running' and worker_id = '' and losses = 0);
-- The same for runs whose worker was lost, which are claimed one at a time. Mostly it is empty.
create index runs_suspected on runs (seq)
  where status = 'running' and worker_id = '' and losses > 0;
