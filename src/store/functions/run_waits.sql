-- revision 4
-- Whether there is a run that a worker may claim, as claim_next finds them: one look into an index.
-- Those that were lost with a worker do not count, for they are offered again by the clock. It sees
-- what the statement that calls it has written.
create or replace function run_waits() returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  front queue_front := front_of_queue();
begin
  return exists (
    select from runs r
    where is_claimable(r) and r.offered_at >= front.offered_at);
end $$;
