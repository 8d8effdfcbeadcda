-- revision 5
-- Claims up to p_limit runs for a worker: runs that were handed back, and queued heads. Each gets
-- its run.started event. Workers do not wait for each other's rows (skip locked). Answers the runs,
-- as they are then.
--
-- Workspaces take turns, beginning after p_pivot: first one run for each workspace of which the
-- worker holds none (p_held are the others), then equal shares. p_reserve places are left to the
-- former, so that no workspace has all places while another waits. Within a workspace its api keys
-- share alike: the one of which the fewest are executed goes first, and of one key the oldest run.
--
-- A workspace executes at most max_running_runs of its limits, or p_running_limit; a key at most
-- p_key_running_limit. Claims that together could exceed these wait for each other; so they are
-- kept to, unless one worker has far fewer places free than another that claims at that moment.
-- With p_waits false, a claim leaves what it would have to wait for.
--
-- Of the runs that were lost with a worker it takes one at most, of those that are offered again by
-- now, and only one that was not lost more than p_suspicion times; one that is condemned, which is
-- then given up, always. It is taken whatever the limits are; those that are offered count by them.
-- None waits for more than 75 seconds (bury_workers). If the clock of the server is set back, all
-- wait for so much longer; one that seems to wait for more than five minutes is taken.
--
-- What was compared with it, and what it costs: docs/decisions/0002-the-runs-table-is-the-queue.md.
create or replace function claim_next(
  p_worker_id text, p_limit integer, p_pivot text default '', p_held text[] default '{}',
  p_reserve integer default 0, p_running_limit integer default null,
  p_suspicion integer default 1000000, p_key_running_limit integer default null,
  p_waits boolean default true)
returns setof runs language plpgsql
-- Plans are made once and go by the indexes, whatever size the table has by then.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  front queue_front := front_of_queue();
  could_take bigint; -- by all workers together
  contended text[];
  locked text[]; -- null: no lock was taken
  emptied text[]; -- keys, written as '<workspace> <key>'
  passed_over text[] := '{}';
  workspaces text[];
  chosen text[];
begin
  select p_limit * count(*) into could_take from workers w where w.lease_until > clock_timestamp();
  -- Without a lease its runs are others' to claim: it would get them back, and lose them again.
  if p_limit <= 0 or not exists (select from workers w where w.id = p_worker_id
    and w.lease_until >= clock_timestamp()) then return; end if;
  loop
    with recursive lost (name, key, runs, ids) as (
      select r.workspace_id, '', 1, array[r.id] from runs r
      where r.status = 'running' and r.worker_id = '' and r.losses > 0 and passed_over = '{}'
        and r.offered_at not between clock_timestamp() and clock_timestamp() + interval '5 minutes'
        and (r.condemned or r.losses <= p_suspicion)
        and (p_limit > p_reserve or r.workspace_id <> all (p_held))
      order by r.seq limit 1 for update skip locked
    -- Keys of which runs wait, from one to the next by looks into an index: workspace by workspace
    -- from the pivot to the end, and from the beginning to the pivot (goes_round). `seq` is the
    -- oldest run of the key, `free` how many more runs a workspace may have executed, `places` how
    -- many more a key, and `by_key` how many are. A workspace that may have none is left by the
    -- key '~', which is behind all others.
    -- `turn` counts workspaces of which something may be claimed (`served` is the last one), up to
    -- so many that p_limit of them are not held.
    ), steps (turn, served, name, key, seq, free, by_key, places, goes_round) as (
      select 0, '' collate "C", p_pivot collate "C", '~' collate "C", 0::bigint, 0, '{}'::jsonb, 0,
        false
      union all
      select s.turn + (k.places > 0 and n.name <> s.served)::int,
        case when k.places > 0 then n.name else s.served end, coalesce(n.name, ''),
        case when n.name is null then '' when o.free > 0 then n.key else '~' end, n.seq, o.free,
        o.by_key, k.places, s.goes_round or n.name is null
      from steps s left join lateral (
        select r.workspace_id as name, coalesce(r.api_key_id, '') as key, r.seq from runs r
        where is_claimable(r) and r.offered_at >= front.offered_at
          and (r.workspace_id, coalesce(r.api_key_id, '')) > (s.name, s.key)
          and r.workspace_id <= case when s.goes_round then p_pivot else '~' end
        order by r.workspace_id, coalesce(r.api_key_id, ''), r.seq limit 1) n on true
      left join lateral (
        select coalesce((w.limits->>'max_running_runs')::int, p_running_limit, 1000000)
            - coalesce(sum(e.runs), 0)::int as free,
          coalesce(jsonb_object_agg(e.key, e.runs) filter (where e.runs > 0), '{}') as by_key
        from workspaces w left join lateral (
          select coalesce(r.api_key_id, '') as key, count(*) as runs from runs r
          where r.workspace_id = w.id and r.status = 'running' and r.seq >= front.open_seq
            and (r.worker_id <> '' or r.losses > 0 and r.offered_at <= clock_timestamp())
          group by 1) e on true
        where w.id = n.name and w.id <> s.name group by w.id) w on true
      cross join lateral (select coalesce(w.free, s.free) as free,
        coalesce(w.by_key, s.by_key) as by_key) o
      cross join lateral (select case
        when n.name is null or n.name || ' ' || n.key = any (passed_over) then 0 else least(
        o.free, p_key_running_limit - coalesce((o.by_key->>n.key)::int, 0)) end as places) k
      where (not s.goes_round or n.name is not null) and s.turn <= p_limit + cardinality(p_held)
    -- `most`: what may be claimed of the workspace. `rank`: which key has the fewest executed.
    ), keys (turn, name, key, seq, free, places, most, executed, rank) as (
      select s.turn, s.name, s.key, s.seq, s.free, s.places, e.most, e.runs,
        row_number() over (partition by s.name order by e.runs, s.seq)
      from steps s cross join lateral (select coalesce((s.by_key->>s.key)::int, 0) as runs,
        greatest(p_limit - p_reserve, (s.name <> all (p_held))::int) as most) e
      where s.places > 0 and e.most > 0 and s.turn <= p_limit + cardinality(p_held)
        and (s.places >= could_take or s.name = any (locked) or locked is null)
    -- Claims that go on at this moment could together exceed the limits of these, or might if they
    -- went on while this one waits.
    ), contention (names) as (
      select array_agg(distinct k.name order by k.name) from keys k
      where k.places < 2 * could_take having bool_or(k.places < could_take)
    -- Of each workspace, which of its runs goes first, second, …: the fewer of its key would then
    -- be executed, the sooner. No key has more than `most`, and none behind the first `most` any.
    ), candidates (turn, name, key, seq, free, place) as (
      select k.turn, k.name, k.key, k.seq, k.free,
        row_number() over (partition by k.name order by k.executed + r.nth, r.seq)
      from keys k cross join lateral (
        select r.seq, row_number() over (order by r.seq) as nth from runs r
        where is_claimable(r) and r.workspace_id = k.name
          and coalesce(r.api_key_id, '') = k.key and r.seq >= k.seq
        order by r.seq limit least(k.most, k.places)) r
      where k.rank <= k.most
    -- How many of each key: the first one of each workspace that is not held, which alone may have
    -- the reserve, then all first ones, all second ones, …, in turn.
    ), allotments (name, key, seq, runs) as (
      select o.name, o.key, o.seq, count(*) from (
        select c.name, c.key, c.seq, f.is_first,
          row_number() over (order by f.is_first desc, c.place, c.turn) as nth
        from candidates c cross join lateral (select c.place = 1 and c.name <> all (p_held || array(
          select l.name from lost l)) as is_first) f
        where c.place <= c.free) o
      where o.nth <= p_limit - case when o.is_first then 0 else p_reserve end - (
        select count(*) from lost)
      group by o.name, o.key, o.seq
    ), found (name, key, runs, ids) as (
      select a.name, a.key, a.runs, array(
        select r.id from runs r where is_claimable(r) and r.workspace_id = a.name
          and coalesce(r.api_key_id, '') = a.key and r.seq >= a.seq
        order by r.seq limit a.runs for update skip locked)
      from allotments a where locked is not null or (select c.names from contention c) is null
      union all select * from lost
    )
    select (select c.names from contention c),
      array(select f.name || ' ' || f.key from found f where cardinality(f.ids) < f.runs),
      array(select f.name from found f cross join unnest(f.ids)),
      array(select i.id from found f cross join unnest(f.ids) as i (id))
    into contended, emptied, workspaces, chosen;
    -- One claim goes after the other, and counts anew. All in the same order: no deadlocks. Who may
    -- not wait has what nobody else claims now.
    if contended is not null and locked is null then
      locked := array(select c.name from unnest(contended) as c (name) where case when p_waits
        then pg_advisory_xact_lock(hashtextextended('claim ' || c.name, 0)) is not null
        else pg_try_advisory_xact_lock(hashtextextended('claim ' || c.name, 0)) end);
      continue;
    end if;
    return query with claimed as (
      update runs r set status = 'running', head = false, attempt = r.attempt + 1,
        worker_id = p_worker_id, last_seq = r.last_seq + 1, updated_at = clock_timestamp(),
        started_at = coalesce(r.started_at, clock_timestamp())
      from unnest(workspaces, chosen) as c (workspace_id, id)
      where r.workspace_id = any (array[c.workspace_id]) and r.id = c.id -- see append_group
      returning r.*
    ), started as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select c.workspace_id, c.id, c.last_seq, 'run.started',
        format('{"attempt":%s,"model":%s}', c.attempt, to_json(c.model))::json from claimed c
    )
    select c.* from claimed c order by c.seq;
    -- Others were quicker with some that were allotted: what is lacking is allotted anew.
    exit when emptied = '{}';
    passed_over := passed_over || emptied;
    p_limit := p_limit - cardinality(chosen);
    p_held := p_held || workspaces;
  end loop;
end $$;
