-- revision 1
-- How many more runs a workspace may have executed at once, in all workers together:
-- max_running_runs of its limits, or else p_limit, without those that are. No limit: many. With
-- them, the api keys that have runs to claim and may have some executed, and how many of each: at
-- most p_key_limit are executed of one key. The key of which the fewest are executed comes first,
-- and of those that are equal, the one whose run is the oldest. p_key is the first of those that
-- have runs to claim, and p_seq the place of its oldest. No row: nothing of it may be executed.
--
-- The keys are found by stepping through an index from one to the next. A claim has no use for
-- more than a hundred of them.
create or replace function free_places(
  p_workspace_id text, p_key text, p_seq bigint, p_limit integer, p_key_limit integer)
returns table (free integer, keys text[], key_places integer[])
language sql stable as $$
  with recursive waiting (key, seq) as (
    select p_key collate "C", p_seq
    union all
    select n.key, n.seq from waiting w
    cross join lateral (
      select coalesce(r.api_key_id, '') as key, r.seq from runs r
      where (r.status = 'queued' and r.head
          or r.status = 'running' and r.worker_id = '' and r.losses = 0)
        and r.workspace_id = p_workspace_id and coalesce(r.api_key_id, '') > w.key
      order by coalesce(r.api_key_id, ''), r.seq limit 1) n
  ), executed (key, runs) as materialized (
    select coalesce(r.api_key_id, ''), count(*)::int from runs r
    where r.workspace_id = p_workspace_id and r.status = 'running' and r.worker_id <> ''
    group by 1
  )
  select m.free, k.keys, k.places
  from (
    select coalesce(coalesce((w.limits->>'max_running_runs')::int, p_limit)
      - (select coalesce(sum(e.runs), 0)::int from executed e), 1000000) as free
    from workspaces w where w.id = p_workspace_id
    offset 0 -- or else it counts once for each mention of free
  ) m
  cross join lateral (
    select array_agg(f.key) as keys, array_agg(f.places) as places from (
      select w.key, coalesce(p_key_limit - coalesce(e.runs, 0), 1000000) as places
      from waiting w left join executed e on e.key = w.key
      where m.free > 0 and coalesce(e.runs < p_key_limit, true)
      order by coalesce(e.runs, 0), w.seq limit 100) f
  ) k
  where m.free > 0 and k.keys is not null
$$;
