-- concurrently
-- By themselves, and before those that they take the place of are dropped: a drop locks `runs` for a
-- moment, and these read all of it.

-- What a worker may claim: the first queued run of each session, and runs that were handed back. A
-- claim steps from one workspace to the next, and within one from one api key to the next. A run
-- without a key, of which none is made, counts as one of the key ''.
create index concurrently if not exists runs_waiting_by_key
  on runs (workspace_id, coalesce(api_key_id, ''), seq)
  where (status = 'queued' and head) or (status = 'running' and worker_id = '' and losses = 0);
-- How many runs of a key, and of a workspace, are queued is bounded, and counted before one is added.
create index concurrently if not exists runs_queued on runs (workspace_id, api_key_id)
  where status = 'queued';
