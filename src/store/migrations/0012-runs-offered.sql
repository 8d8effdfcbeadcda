-- concurrently
-- As runs_waiting_by_key, of which it takes the place: by when it was offered, an entry that an ended
-- run has left behind is passed over without a look at the run itself.
create index concurrently if not exists runs_offered_by_key
  on runs (workspace_id, coalesce(api_key_id, ''), seq, offered_at)
  where (status = 'queued' and head) or (status = 'running' and worker_id = '' and losses = 0);
drop index concurrently if exists runs_waiting_by_key;
