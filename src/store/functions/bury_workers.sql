-- revision 1
-- Looks for workers that are gone, and offers their runs to others. Answers how many runs that were,
-- and how many workers are missed, of which the next look will tell more. A worker is gone if
--
-- - its lease is over, and the worker that looks has held its own for as long as a lease lasts, or
--   as much time has passed since somebody saw it to be over. When the database or the network was
--   away, all leases are over, and nobody is gone: those who live renew theirs in this time. An
--   operator who knows that a host is lost sets its lease to -infinity;
-- - or its advisory lock was free for p_grace_ms, although its lease is not over. That is what a
--   killed process leaves. A living worker that has lost only the connection with its lock says so
--   meanwhile: it sets locked_at to null, or takes the lock again. A free lock tells nothing of
--   a worker that took it before the database started: a restart frees all of them.
--
-- Who holds which lock is read from pg_locks. To try the lock would keep its owner from taking it
-- again at that moment.
--
-- Each loss counts against the run until it commits something. If it was the only run of the worker
-- that had been lost before, it is condemned: it is the cause. If there were several, any of them
-- may be: they are claimed one by one from then on.
create or replace function bury_workers(
  p_worker_id text, p_lease_ms integer, p_grace_ms integer, out buried integer, out missed integer)
language plpgsql as $$
declare
  held bigint[];
  gone text[];
  steady boolean;
begin
  select coalesce(array_agg((l.classid::bigint << 32) | l.objid::bigint), '{}') into held
  from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database());
  update workers w set missed_at = clock_timestamp()
  where w.id <> p_worker_id
    and (w.lease_until < clock_timestamp() and coalesce(w.missed_at < w.lease_until, true)
      or w.locked_at > pg_postmaster_start_time() and coalesce(w.missed_at < w.locked_at, true)
        and hashtextextended(w.id, 0) <> all (held));
  steady := exists (select from workers w where w.id = p_worker_id
    and w.steady_since < clock_timestamp() - p_lease_ms * interval '1 millisecond');
  select coalesce(array_agg(w.id) filter (where w.is_gone), '{}'),
    count(*) filter (where w.is_missed and not w.is_gone) into gone, missed
  from (
    select m.id, m.is_missed, m.lease_until = '-infinity'
      or m.lease_until < clock_timestamp() and (steady or m.lease_until < m.missed_at
        and m.missed_at < clock_timestamp() - p_lease_ms * interval '1 millisecond')
      or m.is_missed and m.missed_at < clock_timestamp() - p_grace_ms * interval '1 millisecond'
      as is_gone
    from (
      select *, coalesce(o.missed_at > o.locked_at and o.locked_at > pg_postmaster_start_time()
        and hashtextextended(o.id, 0) <> all (held), false) as is_missed
      from workers o
      where o.id <> p_worker_id) m) w
  where exists (select from runs r where r.status = 'running' and r.worker_id = w.id);
  with lost as (
    select r.workspace_id, r.id, r.worker_id,
      count(*) filter (where r.losses > 0) over (partition by r.worker_id) as suspects
    from runs r where r.status = 'running' and r.worker_id = any (gone)
  ), offered as (
    update runs r set worker_id = '', losses = r.losses + 1, lost_by = r.worker_id,
      condemned = r.losses > 0 and l.suspects = 1, updated_at = clock_timestamp()
    from lost l
    where r.workspace_id = l.workspace_id and r.id = l.id and r.status = 'running'
      and r.worker_id = l.worker_id
    returning 1
  ), signed_off as (
    -- Of workers that have signed off, without having been able to hand them back.
    update runs r set worker_id = '', updated_at = clock_timestamp()
    where r.status = 'running' and r.worker_id <> ''
      and not exists (select from workers w where w.id = r.worker_id)
    returning 1
  )
  select (select count(*) from offered) + (select count(*) from signed_off) into buried;
end $$;
