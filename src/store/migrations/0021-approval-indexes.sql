-- concurrently
-- How many approvals that a key has asked for are pending is bounded, and counted before one is added.
create index concurrently if not exists approvals_pending_of_key
  on approvals (workspace_id, api_key_id, expires_at)
  where status = 'pending';
-- Those that were not used are removed some time after they have expired.
create index concurrently if not exists approvals_by_expiry on approvals (expires_at) where status <> 'used';
