-- Which tool call an approval was used by: one that only reads is repeated when its run goes on in
-- another process, and takes its approval with it.
alter table approvals
  add column used_by_run_id       text collate "C",
  add column used_by_tool_call_id text collate "C",
  add constraint approvals_used_by check (status = 'used' or used_by_run_id is null);
create index approvals_by_use on approvals (workspace_id, used_by_run_id, used_by_tool_call_id)
  where used_by_run_id is not null;
