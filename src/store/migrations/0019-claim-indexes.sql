-- By themselves: the columns of 0014 lock `runs` for a moment, and these read all of it.

-- What a worker may claim: the first queued run of each session, and runs that were handed back.
-- Led by the workspace, so that a claim steps from one workspace to the next.
create index runs_waiting on runs (workspace_id, seq)
  where (status = 'queued' and head) or (status = 'running' and worker_id = '' and losses = 0);
-- The same for runs whose worker was lost, which are claimed one at a time. Mostly it is empty.
create index runs_suspected on runs (seq)
  where status = 'running' and worker_id = '' and losses > 0;
