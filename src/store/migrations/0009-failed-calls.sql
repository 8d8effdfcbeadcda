-- concurrently
-- Lists of what failed, of which there is little, would walk all calls of a workspace.
create index concurrently if not exists action_invocations_failed
  on action_invocations (workspace_id, id) where status = 'failed';
