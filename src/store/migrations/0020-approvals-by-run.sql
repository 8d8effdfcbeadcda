-- concurrently
-- Those that the calls of a run asked for go with its session.
create index concurrently if not exists approvals_by_run
  on approvals (workspace_id, run_id) where run_id is not null;
