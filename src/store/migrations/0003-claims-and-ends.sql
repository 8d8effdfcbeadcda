-- The claim again, so that its cost does not grow with the table. As one statement, the planner
-- took a limit that is an expression for a tenth of the queue, and read all of `runs` to update a
-- few of its rows: 50 to 100 ms for 16 of 100,000 queued runs, where by key it is 1. So the rows
-- are chosen first, and updated by their keys.
--
-- Claims up to p_limit runs for a worker: first those whose worker is gone (its lease is over, or
-- its advisory lock is free), then the queued heads, oldest first. One round trip; workers pass
-- each other by (skip locked). Answers what the turn needs.
--
-- A free lock speaks only of a worker that has taken it since the database started: with the database
-- all locks are gone at once, and those whose workers are alive are a moment from being taken again.
alter table workers add column locked_at timestamptz;

create or replace function claim_runs(p_worker_id text, p_limit integer)
returns table (
  workspace_id text, id text, session_id text, seq bigint, attempt integer, last_seq integer,
  steps integer, api_key_id text, model text, instructions text, max_steps integer,
  timeout_ms double precision, input_tokens bigint, output_tokens bigint)
language plpgsql as $$
declare
  gone text[];
  orphaned_workspaces text[];
  orphaned text[];
  waiting_workspaces text[];
  waiting text[];
begin
  select coalesce(array_agg(w.id), '{}') into gone from workers w
  where w.id <> p_worker_id
    and (w.lease_until < clock_timestamp()
      or (w.locked_at > pg_postmaster_start_time()
        and pg_try_advisory_xact_lock(hashtextextended(w.id, 0))));
  select coalesce(array_agg(o.workspace_id), '{}'), coalesce(array_agg(o.id), '{}')
  into orphaned_workspaces, orphaned from (
    select r.workspace_id, r.id from runs r
    where r.status = 'running' and not exists (
      select 1 from workers w where w.id = r.worker_id and w.id <> all (gone))
    order by r.seq limit p_limit for update skip locked) o;
  select coalesce(array_agg(q.workspace_id), '{}'), coalesce(array_agg(q.id), '{}')
  into waiting_workspaces, waiting from (
    select r.workspace_id, r.id from runs r
    where r.status = 'queued' and r.head
    order by r.seq limit p_limit - cardinality(orphaned) for update skip locked) q;
  return query
    with claimed as (
      update runs r set status = 'running', head = false, attempt = r.attempt + 1,
        worker_id = p_worker_id, last_seq = r.last_seq + 1, updated_at = clock_timestamp(),
        started_at = coalesce(r.started_at, clock_timestamp())
      from unnest(orphaned_workspaces || waiting_workspaces, orphaned || waiting)
        as c (workspace_id, id)
      where r.workspace_id = c.workspace_id and r.id = c.id
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
      c.input_tokens, c.output_tokens
    from claimed c order by c.seq;
end $$;

-- The append again: the sessions of all runs that end are given their next run by one statement.
-- promote_next_run, called for each, took four fifths of the time of a group of ends.
--
-- Appends to many runs at once (group commit). For each run r[i]: its attempt (the fence), how many
-- events follow for it, and optionally a committed step (1), its tokens, and an end (status,
-- output, error). Events and messages name their run. Answers the runs that took; a run that is
-- missing was cancelled or belongs to a later attempt, and nothing of it was written.
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
    -- In one order everywhere, and before the runs: the order of the other functions here.
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
        updated_at = clock_timestamp(),
        finished_at = case when b.status is not null then clock_timestamp() end
      from batch b
      -- Not "r.status = 'running'": for that the planner takes the index of running runs and
      -- compares each with each of the batch (10 ms for 128 runs, where by primary key it is 1).
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
