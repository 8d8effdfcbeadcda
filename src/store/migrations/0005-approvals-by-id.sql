-- concurrently
-- Of all workspaces together the newest are listed first, and one is looked for by its id alone.
create index concurrently if not exists approvals_by_id on approvals (id);
