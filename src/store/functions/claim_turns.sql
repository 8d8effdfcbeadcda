-- revision 1
-- The next p_most workspaces in turn that have runs to claim and may have them executed, beginning
-- after p_pivot and going round once; how many runs of each; of which api keys, and how many of
-- each of these (arrays as texts, because they are of different lengths). Those that have as many
-- executed as they may are passed over: there are no more of them than runs that are being
-- executed.
create or replace function claim_turns(
  p_pivot text, p_most integer, p_limit integer, p_running_limit integer,
  p_key_running_limit integer,
  out turns text[], out places integer[], out keys text[], out key_places text[])
language plpgsql as $$
declare
  others_could_take bigint;
  contended text[];
  first_keys text[];
  first_seqs bigint[];
begin
  -- Each step is one look into the index. The planner gives them in this order, and makes no more
  -- of them than the limit needs.
  with recursive steps (name, key, seq, goes_round) as (
    select p_pivot collate "C", null::text collate "C", null::bigint, false
    union all
    select coalesce(n.name, ''), n.key, n.seq, s.goes_round or n.name is null
    from steps s
    left join lateral (
      select r.workspace_id as name, coalesce(r.api_key_id, '') as key, r.seq from runs r
      where (r.status = 'queued' and r.head
          or r.status = 'running' and r.worker_id = '' and r.losses = 0)
        and r.workspace_id > s.name
      order by r.workspace_id, coalesce(r.api_key_id, ''), r.seq limit 1) n on true
    where not s.goes_round or n.name <= p_pivot
  )
  select coalesce(array_agg(t.name), '{}'), coalesce(array_agg(t.free), '{}'),
    coalesce(array_agg(t.keys::text), '{}'), coalesce(array_agg(t.key_places::text), '{}'),
    coalesce(array_agg(t.key), '{}'), coalesce(array_agg(t.seq), '{}')
  into turns, places, keys, key_places, first_keys, first_seqs
  from (
    select s.name, s.key, s.seq, f.free, f.keys, f.key_places from steps s
    cross join lateral free_places(s.name, s.key, s.seq, p_running_limit, p_key_running_limit) f
    where s.key is not null
    limit p_most) t;
  select p_limit * count(*) into others_could_take from workers w
  where w.lease_until > clock_timestamp();
  select array_agg(t.name order by t.name) into contended
  from unnest(turns, places, key_places) as t (name, free, key_places)
  where others_could_take > any (t.free || t.key_places::integer[]);
  if contended is null then return; end if;
  -- Others that claim at this moment could take what is left as well: one goes after the other, and
  -- counts anew. All in the same order: no deadlocks.
  perform pg_advisory_xact_lock(hashtextextended('claim ' || c.name, 0))
  from unnest(contended) as c (name);
  select coalesce(array_agg(t.name order by t.place), '{}'),
    coalesce(array_agg(f.free order by t.place), '{}'),
    coalesce(array_agg(f.keys::text order by t.place), '{}'),
    coalesce(array_agg(f.key_places::text order by t.place), '{}')
  into turns, places, keys, key_places
  from unnest(turns, first_keys, first_seqs) with ordinality as t (name, key, seq, place)
  cross join lateral free_places(t.name, t.key, t.seq, p_running_limit, p_key_running_limit) f;
end $$;
