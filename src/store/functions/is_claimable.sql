-- revision 2
-- Whether a worker may claim a run: the oldest open one of its session, or one that was handed back.
-- It is what the index runs_offered_by_key says, and the planner puts it in place of the call (it
-- takes the row, for the comparisons of columns that are passed one by one have another collation,
-- and the index is not found). Runs that were lost with a worker are others: they are offered again
-- by the clock, one at a time.
create or replace function is_claimable(r runs) returns boolean
language sql immutable as $$
  select r.status = 'queued' and r.head
    or r.status = 'running' and r.worker_id = '' and r.losses = 0
$$;
