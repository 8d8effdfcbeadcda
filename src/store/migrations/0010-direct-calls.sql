-- concurrently
-- Likewise the calls that no run has made; those of runs are found by action_invocations_by_run.
create index concurrently if not exists action_invocations_direct
  on action_invocations (workspace_id, source, id) where source <> 'run';
