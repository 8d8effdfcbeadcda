-- How many approvals are pending in a workspace is bounded, and counted before one is added.
create index approvals_pending on approvals (workspace_id, expires_at) where status = 'pending';
