-- revision 2
-- Appends to many runs at once (group commit). For each run r[i] it is given: the attempt (the
-- fence), how many of the events are the run's, and optionally a committed step (1) with its
-- tokens, and an end (status, output, error). Events and messages name their run. Answers the runs
-- that were written. A run that is missing was cancelled or belongs to a later attempt: nothing of
-- it was written.
--
-- One statement gives the sessions of all runs that end their next run: a call of promote_next_run
-- for each took four fifths of the time of a group of ends.
create or replace function append_to_runs(
  r_workspace_id text[], r_id text[], r_attempt integer[], r_events integer[], r_steps integer[],
  r_input_tokens integer[], r_output_tokens integer[], r_status text[], r_output text[],
  r_error text[],
  e_run_id text[], e_place integer[], e_type text[], e_data text[],
  m_run_id text[], m_position integer[], m_id text[], m_role text[], m_content text[],
  m_provider text[])
returns table (run_id text, last_seq integer)
language plpgsql as $$
declare
  ends boolean := exists (select 1 from unnest(r_status) s where s is not null);
  s_workspace_id text[];
  s_id text[];
begin
  if ends then
    -- Before the runs, as in the other functions, and always in this order: no deadlocks.
    select coalesce(array_agg(l.workspace_id), '{}'), coalesce(array_agg(l.id), '{}')
    into s_workspace_id, s_id from (
      select s.workspace_id, s.id from sessions s
      where (s.workspace_id, s.id) in (
        select r.workspace_id, r.session_id
        from unnest(r_workspace_id, r_id, r_status) as b (workspace_id, id, status)
        join runs r on r.workspace_id = b.workspace_id and r.id = b.id
        where b.status is not null)
      order by s.workspace_id, s.id for update) l;
  end if;
  return query
    with batch as (
      select * from unnest(r_workspace_id, r_id, r_attempt, r_events, r_steps, r_input_tokens,
        r_output_tokens, r_status, r_output, r_error)
        as b (workspace_id, id, attempt, events, steps, input_tokens, output_tokens, status,
          output, error)
    ), taken as (
      update runs r set
        last_seq = r.last_seq + b.events,
        steps = r.steps + b.steps,
        input_tokens = r.input_tokens + b.input_tokens,
        output_tokens = r.output_tokens + b.output_tokens,
        status = coalesce(b.status, r.status),
        output = coalesce(b.output::json, r.output),
        error = b.error::json,
        -- What commits something does not bring its worker down (see bury_workers).
        losses = case when b.steps > 0 or b.id = any (m_run_id) then 0 else r.losses end,
        updated_at = clock_timestamp(),
        finished_at = case when b.status is not null then clock_timestamp() end
      from batch b
      -- For a plain "r.status = 'running'" the planner takes the index of running runs and
      -- compares each of them with each of the batch: 10 ms for 128 runs. By primary key it is 1.
      where r.workspace_id = b.workspace_id and r.id = b.id and r.attempt = b.attempt
        and case when r.status = 'running' then true end
      returning r.workspace_id, r.id, r.session_id, r.seq, r.last_seq, r.last_seq - b.events as base
    ), appended as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select t.workspace_id, t.id, t.base + e.place, e.type, e.data::json
      from unnest(e_run_id, e_place, e_type, e_data) as e (run_id, place, type, data)
      join taken t on t.id = e.run_id
    ), said as (
      insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content,
        provider)
      select t.workspace_id, t.session_id, t.seq, m.position, m.id, t.id, m.role, m.content::json,
        m.provider::json
      from unnest(m_run_id, m_position, m_id, m_role, m_content, m_provider)
        as m (run_id, position, id, role, content, provider)
      join taken t on t.id = m.run_id
    )
    select t.id, t.last_seq from taken t;
  if ends then
    update runs r set head = true
    from unnest(s_workspace_id, s_id) as s (workspace_id, id)
    cross join lateral (
      select o.id from runs o
      where o.workspace_id = s.workspace_id and o.session_id = s.id
        and o.status in ('queued', 'running')
      order by o.seq limit 1) next
    where r.workspace_id = s.workspace_id and r.id = next.id and r.status = 'queued'
      and not r.head;
  end if;
end $$;
