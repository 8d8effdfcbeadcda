-- Which tool call used an approval. When a run goes on in another process, a tool call that only
-- reads is made again, and it may use its approval again.
alter table approvals
  add column used_by_run_id       text collate "C",
  add column used_by_tool_call_id text collate "C",
  add constraint approvals_used_by check (status = 'used' or used_by_run_id is null);
create index approvals_by_use on approvals (workspace_id, used_by_run_id, used_by_tool_call_id)
  where used_by_run_id is not null;
