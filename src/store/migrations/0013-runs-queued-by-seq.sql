-- concurrently
-- Likewise in place of runs_queued, by which the queued runs of a key and of a workspace are counted.
create index concurrently if not exists runs_queued_by_key
  on runs (workspace_id, api_key_id, seq) where status = 'queued';
drop index concurrently if exists runs_queued;
