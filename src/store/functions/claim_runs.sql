-- revision 2
-- Claims up to p_limit runs for a worker: runs that were handed back, and queued heads. Each gets
-- its run.started event. Workers do not wait for each other (skip locked). Answers what the turn
-- needs.
--
-- Workspaces take turns, beginning after p_pivot: first one run for each workspace of which the
-- worker holds none (p_held are the others), then equal shares. p_reserve places are left to the
-- former, so that no workspace has all places while another waits. Within a workspace its api keys
-- share alike: the one of which the fewest are executed goes first, and of one key the oldest run.
-- Workspaces and keys are found by stepping through an index from one to the next: the cost goes by
-- the runs that are claimed and the keys that wait, and not by the queue.
--
-- A workspace executes at most max_running_runs of its limits, or p_running_limit; a key at most
-- p_key_running_limit. Claims that together could exceed these wait for each other; so they are
-- kept to, unless workers are of very different sizes.
--
-- Of the runs that were lost with a worker it takes one at most, of those that are offered again by
-- now, and only one that was not lost more than p_suspicion times; one that is condemned, which is
-- then given up, always.
--
-- The runs are chosen first and then updated by their keys, so that the cost does not grow with the
-- table. In one statement the planner took a limit that is an expression for a tenth of the queue,
-- and read all of `runs` to update a few rows: 50 to 100 ms for 16 of 100,000 queued runs, where it
-- is 1 ms by key. Plans are made once and go by the indexes: to plan anew for the arrays of each call
-- took 0.3 to 1 ms, and a plan made while the table was small may read all of it later.
create or replace function claim_runs(
  p_worker_id text, p_limit integer, p_pivot text default '', p_held text[] default '{}',
  p_reserve integer default 0, p_running_limit integer default null,
  p_suspicion integer default 1000000, p_key_running_limit integer default null)
returns table (
  workspace_id text, id text, session_id text, seq bigint, attempt integer, last_seq integer,
  steps integer, api_key_id text, model text, instructions text, max_steps integer,
  timeout_ms double precision, input_tokens bigint, output_tokens bigint, max_total_tokens bigint,
  max_total_tokens_per_day bigint, losses integer, condemned boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  turns text[];
  places integer[];
  keys text[];
  key_places text[];
  left_over integer := p_limit - p_reserve;
  chosen_workspaces text[];
  chosen_keys text[]; -- each behind its workspace
  chosen text[];
  giving integer;
  is_first boolean := true;
  more_workspaces text[];
  more_keys text[];
  more text[];
begin
  -- Its runs are offered to others: it would get them back, and lose them again.
  if exists (select from workers w where w.id = p_worker_id and w.lease_until < clock_timestamp())
  then return; end if;

  select coalesce(array_agg(s.workspace_id), '{}'), coalesce(array_agg(s.key), '{}'),
    coalesce(array_agg(s.id), '{}')
  into chosen_workspaces, chosen_keys, chosen from (
    select r.workspace_id, r.workspace_id || ' ' || coalesce(r.api_key_id, '') as key, r.id
    from runs r
    where r.status = 'running' and r.worker_id = '' and r.losses > 0
      and r.offered_at <= clock_timestamp()
      and (r.condemned or r.losses <= p_suspicion)
      and (left_over > 0 or r.workspace_id <> all (p_held))
    order by r.seq limit 1 for update skip locked) s;

  select t.turns, t.places, t.keys, t.key_places into turns, places, keys, key_places
  from claim_turns(p_pivot, p_limit + cardinality(p_held), p_limit, p_running_limit,
    p_key_running_limit) t;
  select coalesce(array_agg(q.workspace_id), '{}'), coalesce(array_agg(q.key), '{}'),
    coalesce(array_agg(q.id), '{}')
  into more_workspaces, more_keys, more from (
    select h.* from unnest(turns, keys) as t (name, keys)
    cross join lateral (
      select r.workspace_id, t.name || ' ' || k.name as key, r.id
      from unnest(t.keys::text[]) as k (name)
      cross join lateral (
        select r.workspace_id, r.id from runs r
        where (r.status = 'queued' and r.head
            or r.status = 'running' and r.worker_id = '' and r.losses = 0)
          and r.workspace_id = t.name and coalesce(r.api_key_id, '') = k.name
        order by r.seq limit 1 for update skip locked) r
      limit 1) h
    where t.name <> all (p_held || chosen_workspaces)
    limit p_limit - cardinality(chosen)) q;
  chosen_workspaces := chosen_workspaces || more_workspaces;
  chosen_keys := chosen_keys || more_keys;
  chosen := chosen || more;

  -- Each round gives every workspace the same, and the first one each of its keys the same of that.
  -- What some cannot use goes round again, among the workspaces that still gave something.
  giving := cardinality(turns);
  while left_over > cardinality(chosen) and giving > 0 loop
    select coalesce(array_agg(q.workspace_id), '{}'), coalesce(array_agg(q.key), '{}'),
      coalesce(array_agg(q.id), '{}'), count(distinct q.workspace_id)
    into more_workspaces, more_keys, more, giving from (
      select h.* from (
        select u.name, u.keys::text[] as keys, u.key_places::integer[] as key_places,
          greatest(0, least(u.free - cardinality(array_positions(chosen_workspaces, u.name)),
            1 + (left_over - cardinality(chosen) - 1) / giving)) as share
        from unnest(turns, places, keys, key_places) as u (name, free, keys, key_places)
        offset 0) t
      cross join lateral (
        select r.workspace_id, t.name || ' ' || k.name as key, r.id
        from unnest(t.keys, t.key_places) as k (name, free)
        cross join lateral (
          select r.workspace_id, r.id from runs r
          where (r.status = 'queued' and r.head
              or r.status = 'running' and r.worker_id = '' and r.losses = 0)
            and r.workspace_id = t.name and coalesce(r.api_key_id, '') = k.name
            and r.id <> all (chosen)
          order by r.seq
          limit greatest(0, least(
            k.free - cardinality(array_positions(chosen_keys, t.name || ' ' || k.name)),
            case when is_first then ceil(t.share::numeric / cardinality(t.keys)) else t.share end))
          for update skip locked) r
        limit t.share) h
      limit left_over - cardinality(chosen)) q;
    chosen_workspaces := chosen_workspaces || more_workspaces;
    chosen_keys := chosen_keys || more_keys;
    chosen := chosen || more;
    is_first := false;
  end loop;

  return query
    with claimed as (
      update runs r set status = 'running', head = false, attempt = r.attempt + 1,
        worker_id = p_worker_id, last_seq = r.last_seq + 1, updated_at = clock_timestamp(),
        started_at = coalesce(r.started_at, clock_timestamp())
      from unnest(chosen_workspaces, chosen) as c (workspace_id, id)
      where r.workspace_id = any (array[c.workspace_id]) and r.id = c.id -- see append_group
      returning r.*
    ), started as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select c.workspace_id, c.id, c.last_seq, 'run.started',
        format('{"attempt":%s,"model":%s}', c.attempt, to_json(c.model))::json
      from claimed c
    )
    select c.workspace_id, c.id, c.session_id, c.seq, c.attempt, c.last_seq, c.steps, c.api_key_id,
      c.model, c.instructions, c.max_steps,
      c.timeout_s * 1000 - extract(epoch from clock_timestamp() - c.started_at)::double precision
        * 1000,
      c.input_tokens, c.output_tokens, c.max_total_tokens, c.max_total_tokens_per_day, c.losses,
      c.condemned
    from claimed c order by c.seq;
end $$;
