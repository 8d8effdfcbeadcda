-- revision 5
-- Looks for workers that are gone, and offers their runs to others. Answers how many runs those were
-- (buried), and of how many workers the lock is free but not for p_grace_ms yet (missed): whoever
-- calls this looks again soon. A worker is gone if
--
-- - its lease is over, and the worker that looks has held its own for as long as a lease lasts, and
--   holds it still (one that stood still itself may look before it has renewed its own), or
--   as much time has passed since somebody saw it to be over. When the database or the network was
--   away, all leases are over, and nobody is gone: those who live renew theirs in this time. An
--   operator who knows that a host is lost sets its lease to -infinity;
-- - or its advisory lock was free for p_grace_ms, although its lease is not over. That is what a
--   killed process leaves. A living worker that has lost only the connection with its lock says so
--   meanwhile: it sets locked_at to null, or takes the lock again. Null for p_grace_ms: whoever looks
--   was cut off itself a moment ago, as others may be, and free locks tell it nothing.
--
-- A free lock tells nothing, either, of a worker that took it before the database started: a restart
-- frees all of them. Nor if sessions were terminated since the worker renewed its lease: its own may
-- have been among them. The server counts these apart from the sessions whose client went away.
--
-- A worker that has renewed its lease at a time that is still to come did so before the clock of the
-- server was set back, or by that of another server, before a failover. It counts as renewed now: it
-- does that itself in a moment, if it lives, and would else be waited for until then. So does one
-- without a lock whose lease lies further ahead than any may (GATEHOUSE_LEASE_MS).
--
-- Who holds which lock is read from pg_locks. To try the lock would keep its owner from taking it
-- again at that moment.
--
-- Each loss counts against the run until it commits something. If it was the only run of the worker
-- that had been lost before, it is condemned: it is the cause. So it is if it was lost p_most_losses
-- times. If there were several, any of them may be: they are claimed one by one from then on.
--
-- The first time it is offered again at once, and then after 1, 3, 7, 15 and at most 31 seconds. One
-- that is condemned ends only after 75: a worker that lives, and was cut off for up to a minute, is
-- back by then and takes its loss back.
create or replace function bury_workers(
  p_worker_id text, p_lease_ms integer, p_grace_ms integer,
  p_most_losses integer default 1000000, out buried integer, out missed integer)
language plpgsql as $$
declare
  held bigint[];
  killed bigint;
  gone text[];
  steady boolean;
begin
  update workers w set missed_at = null,
    lease_until = clock_timestamp() + coalesce(
      w.lease_until - w.locked_at, p_lease_ms * interval '1 millisecond'),
    locked_at = case when w.locked_at is not null then clock_timestamp() end
  where w.locked_at > clock_timestamp() and w.lease_until > w.locked_at
    or w.locked_at is null and w.lease_until > clock_timestamp() + interval '10 minutes';
  select coalesce(array_agg((l.classid::bigint << 32) | l.objid::bigint), '{}') into held
  from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database());
  -- After the locks: a session that ends lets go of its locks first, and is counted then.
  killed := pg_stat_get_db_sessions_killed(
    (select d.oid from pg_database d where d.datname = current_database()));
  update workers w set missed_at = clock_timestamp()
  where w.id <> p_worker_id
    and (w.lease_until < clock_timestamp() and coalesce(w.missed_at < w.lease_until, true)
      or w.locked_at > pg_postmaster_start_time() and coalesce(w.sessions_killed = killed, true)
        and coalesce(w.missed_at < w.locked_at, true)
        and hashtextextended(w.id, 0) <> all (held));
  steady := exists (select from workers w where w.id = p_worker_id
    and w.lease_until > clock_timestamp()
    and w.steady_since < clock_timestamp() - p_lease_ms * interval '1 millisecond');
  select coalesce(array_agg(w.id) filter (where w.is_gone), '{}'),
    count(*) filter (where w.is_missed and not w.is_gone) into gone, missed
  from (
    select m.id, m.is_missed, m.lease_until = '-infinity'
      or m.lease_until < clock_timestamp() and (steady or m.lease_until < m.missed_at
        and m.missed_at < clock_timestamp() - p_lease_ms * interval '1 millisecond')
      or m.is_missed and coalesce(
        m.missed_at < clock_timestamp() - p_grace_ms * interval '1 millisecond', false)
      as is_gone
    from (
      select *, coalesce(o.missed_at > o.locked_at and o.locked_at > pg_postmaster_start_time()
        and coalesce(o.sessions_killed = killed, true)
        and hashtextextended(o.id, 0) <> all (held), false) as is_missed
      from workers o
      where o.id <> p_worker_id) m) w
  where exists (select from runs r where r.status = 'running' and r.worker_id = w.id);
  with lost as (
    select r.workspace_id, r.id, r.worker_id, r.losses + 1 >= p_most_losses or r.losses > 0
      and count(*) filter (where r.losses > 0) over (partition by r.worker_id) = 1 as is_cause
    from runs r where r.status = 'running' and r.worker_id = any (gone)
  ), offered as (
    update runs r set worker_id = '', losses = r.losses + 1, condemned = l.is_cause,
      lost_with = case when r.losses = 0 then '{}' else r.lost_with end || r.worker_id,
      offered_at = clock_timestamp() + interval '1 second'
        * case when l.is_cause then 75 else 2 ^ least(r.losses, 5) - 1 end,
      handed_back = r.handed_back + 1, updated_at = clock_timestamp()
    from lost l
    where r.workspace_id = l.workspace_id and r.id = l.id and r.status = 'running'
      and r.worker_id = l.worker_id
    returning 1
  ), signed_off as (
    -- Of workers that have signed off, without having been able to hand them back.
    update runs r set worker_id = '', handed_back = r.handed_back + 1,
      offered_at = clock_timestamp(), updated_at = clock_timestamp()
    where r.status = 'running' and r.worker_id <> ''
      and not exists (select from workers w where w.id = r.worker_id)
    returning 1
  )
  select (select count(*) from offered) + (select count(*) from signed_off) into buried;
end $$;
