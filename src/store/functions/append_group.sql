-- revision 4
-- Appends to many runs at once (group commit). For each run r[i] it is given: the attempt (the
-- fence), how many of the events are the run's, and optionally a committed step (1) with its
-- tokens, and an end (status, output, error). Events and messages name their run by its place i.
-- Answers the new last event number of each. One that is null was cancelled or belongs to a later
-- attempt: nothing of it was written. The events bear the time of the transaction, which its caller
-- can ask for and pass them on by, without reading them. `waits`: some have ended, and now there are
-- runs that a worker may claim.
--
-- Plans are made once: to plan anew for the arrays of each call took 0.6 ms, most of it for the
-- sessions of the runs that end. So no statement may leave the planner a choice that depends on how
-- much there is: runs and sessions are found by their keys, and events by places in arrays. With a
-- plain `r.workspace_id = b.workspace_id` it may go from one table to the other by the workspace
-- alone, which in an empty database costs the same, and later read all sessions and runs of the
-- workspace for each. `= any (array[b.workspace_id])` leaves it one way, for the array has to be
-- known first, and so does `order by` what is known first. test/store/plans.test.ts watches that.
create or replace function append_group(
  r_workspace_id text[], r_id text[], r_attempt integer[], r_events integer[], r_steps integer[],
  r_input_tokens integer[], r_output_tokens integer[], r_status text[], r_output text[],
  r_error text[],
  e_run integer[], e_place integer[], e_type text[], e_data text[],
  m_run integer[], m_position integer[], m_id text[], m_role text[], m_content text[],
  m_provider text[],
  out last_seqs integer[], out waits boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  ends boolean := false;
  bases integer[] := array_fill(null::integer, array[cardinality(r_id)]);
  session_ids text[] := array_fill(null::text, array[cardinality(r_id)]);
  run_seqs bigint[] := array_fill(null::bigint, array[cardinality(r_id)]);
  s_workspace_id text[];
  s_id text[];
  taken record;
begin
  last_seqs := bases;
  waits := false;
  -- Several wait for the lock of one of them only for a moment: each is written alone then.
  if cardinality(r_id) > 1 then perform set_config('lock_timeout', '100ms', true); end if;
  if array_remove(r_status, null) <> '{}' then
    ends := true;
    -- Before the runs, as in the other functions, and always in this order: no deadlocks.
    select coalesce(array_agg(l.workspace_id), '{}'), coalesce(array_agg(l.id), '{}')
    into s_workspace_id, s_id from (
      select s.workspace_id, s.id
      from unnest(r_workspace_id, r_id, r_status) as b (workspace_id, id, status)
      cross join lateral (
        select r.workspace_id, r.session_id from runs r
        where r.workspace_id = b.workspace_id and r.id = b.id limit 1) r
      join sessions s on s.workspace_id = any (array[r.workspace_id]) and s.id = r.session_id
      where b.status is not null
      order by r.workspace_id, r.session_id for update of s) l;
  end if;
  for taken in
    update runs r set
      last_seq = r.last_seq + b.events,
      steps = r.steps + b.steps,
      input_tokens = r.input_tokens + b.input_tokens,
      output_tokens = r.output_tokens + b.output_tokens,
      status = coalesce(b.status, r.status),
      output = coalesce(b.output::json, r.output),
      error = b.error::json,
      -- What commits something does not bring its worker down (see bury_workers).
      losses = case when b.steps > 0 or b.place = any (m_run) then 0 else r.losses end,
      condemned = r.condemned and b.steps = 0 and b.place <> all (m_run),
      -- A run that was lost meanwhile may be claimed from now on.
      offered_at = case when r.worker_id = '' and (b.steps > 0 or b.place = any (m_run))
        then clock_timestamp() else r.offered_at end,
      updated_at = clock_timestamp(),
      finished_at = case when b.status is not null then clock_timestamp() end
    from unnest(r_workspace_id, r_id, r_attempt, r_events, r_steps, r_input_tokens,
        r_output_tokens, r_status, r_output, r_error) with ordinality
      as b (workspace_id, id, attempt, events, steps, input_tokens, output_tokens, status, output,
        error, place)
    -- For a plain "r.status = 'running'" the planner takes the index of running runs and compares
    -- each of them with each of the batch: 10 ms for 128 runs. By primary key it is 1.
    where r.workspace_id = any (array[b.workspace_id]) and r.id = b.id and r.attempt = b.attempt
      and case when r.status = 'running' then true end
    returning b.place, r.session_id, r.seq, r.last_seq, b.events
  loop
    bases[taken.place] := taken.last_seq - taken.events;
    last_seqs[taken.place] := taken.last_seq;
    session_ids[taken.place] := taken.session_id;
    run_seqs[taken.place] := taken.seq;
  end loop;
  insert into run_events (workspace_id, run_id, seq, type, created_at, data, data_bytes)
  select r_workspace_id[e.run], r_id[e.run], bases[e.run] + e.place, e.type, now(), e.data::json,
    octet_length(e.data)
  from unnest(e_run, e_place, e_type, e_data) as e (run, place, type, data)
  where bases[e.run] is not null;
  if m_run <> '{}' then
    insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content,
      provider)
    select r_workspace_id[m.run], session_ids[m.run], run_seqs[m.run], m.position, m.id,
      r_id[m.run], m.role, m.content::json, m.provider::json
    from unnest(m_run, m_position, m_id, m_role, m_content, m_provider)
      as m (run, position, id, role, content, provider)
    where bases[m.run] is not null;
  end if;
  insert into storage_additions (workspace_id, bytes)
  select r_workspace_id[w.run], sum(w.bytes) from (
    select e.run, octet_length(e.data) as bytes from unnest(e_run, e_data) as e (run, data)
    union all
    select m.run, octet_length(m.content) + coalesce(octet_length(m.provider), 0)
    from unnest(m_run, m_content, m_provider) as m (run, content, provider)) w
  where bases[w.run] is not null
  group by r_workspace_id[w.run];
  if ends then
    -- One statement for all: a call for each session took four fifths of the time of the ends.
    update runs r set head = true, offered_at = clock_timestamp()
    from unnest(s_workspace_id, s_id) as s (workspace_id, id)
    cross join lateral (
      select o.workspace_id, o.id from runs o
      where o.workspace_id = s.workspace_id and o.session_id = s.id
        and o.status in ('queued', 'running')
      order by o.seq limit 1) next
    where r.workspace_id = any (array[next.workspace_id]) and r.id = next.id
      and case when r.status = 'queued' then not r.head end; -- as above: by primary key
    waits := run_waits();
  end if;
end $$;
