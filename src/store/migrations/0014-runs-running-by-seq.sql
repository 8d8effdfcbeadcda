-- concurrently
-- By which the runs are counted that are executed of a workspace.
create index concurrently if not exists runs_running_by_seq
  on runs (workspace_id, seq) where status = 'running';
