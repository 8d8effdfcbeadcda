-- revision 1
-- Looks from where on runs wait and are executed (queue_front), unless that was done within five
-- seconds; once in a minute also at those before. For what a transaction has offered or created that
-- is not committed yet is not seen. As a rule it is within ten seconds; one that takes longer, because
-- a standby does not answer, is seen in pg_stat_activity, but not if it is of another role.
create or replace function advance_queue_front() returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  now_at timestamptz := clock_timestamp();
  given bigint := pg_sequence_last_value(pg_get_serial_sequence('runs', 'seq')::regclass);
  -- Before anything is looked for: what is committed meanwhile is seen then.
  open_since timestamptz := (
    select coalesce(min(a.xact_start), now_at) from pg_stat_activity a
    where a.backend_xid is not null and a.datname = current_database());
  looks_at_all boolean;
  front queue_front;
begin
  -- Not if another worker does it at this moment. A time that lies ahead was noted before the clock
  -- was set back.
  select * into front from queue_front f
  where f.looked_at not between now_at - interval '5 seconds' and now_at
  for update skip locked;
  if not found then
    insert into queue_front default values on conflict do nothing; -- a dump may have left it out
    return;
  end if;
  looks_at_all := front.looked_all_at not between now_at - interval '1 minute' and now_at;
  if looks_at_all then
    front.offered_at := '-infinity';
    front.looked_all_at := now_at;
  end if;
  -- If whatever had a number at the last look is committed by now.
  if open_since > front.looked_at then
    front.queued_seq := least(front.last_seq, (
      select min(r.seq) from runs r where r.status = 'queued'
        and r.seq >= case when looks_at_all then 0 else front.queued_seq end));
    front.open_seq := least(front.queued_seq, (
      select min(r.seq) from runs r where r.status = 'running'
        and r.seq >= case when looks_at_all then 0 else front.open_seq end));
    front.last_seq := coalesce(given, 0);
  end if;
  front.offered_at := least(now_at - interval '10 seconds', open_since, (
    select min(r.offered_at) from runs r
    where is_claimable(r) and r.offered_at >= front.offered_at));
  update queue_front set offered_at = front.offered_at, queued_seq = front.queued_seq,
    open_seq = front.open_seq, last_seq = front.last_seq, looked_at = now_at,
    looked_all_at = front.looked_all_at;
end $$;
