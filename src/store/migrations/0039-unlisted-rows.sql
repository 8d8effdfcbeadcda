-- concurrently
-- The rows that housekeeping has still to fill in. Once it has, these hold nothing and cost nothing.
create index concurrently if not exists runs_unlisted on runs (workspace_id, id)
  where input_truncated is null;
create index concurrently if not exists approvals_unsized on approvals (workspace_id, id)
  where input_bytes is null;
