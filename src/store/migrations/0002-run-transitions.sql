-- Every change of a run's state goes through these functions. Each locks the session's row first
-- where the order of a session's runs is at stake, and each statement inside sees what was
-- committed before it: the same logic as one statement with CTEs stranded 499 of 2,000 runs on a
-- stale snapshot.

-- What may follow what; the same table as src/runs/runStatus.ts. The functions below never try
-- anything else: this holds whoever else writes to it.
create function refuse_illegal_transition() returns trigger language plpgsql as $$
begin
  raise exception 'a run that is % cannot become %', old.status, new.status
    using errcode = 'check_violation', constraint = 'runs_transition';
end $$;
create trigger runs_transition before update of status on runs for each row
  when (old.status <> new.status and not (
    old.status = 'queued' and new.status in ('running', 'cancelled')
    or old.status = 'running' and new.status in ('completed', 'failed', 'cancelled')))
  execute function refuse_illegal_transition();

-- Lets the next queued run of a session be claimed. The caller holds the session's lock.
create function promote_next_run(p_workspace_id text, p_session_id text) returns void
language sql as $$
  update runs set head = true
  where workspace_id = p_workspace_id and status = 'queued' and not head and id = (
    select id from runs
    where workspace_id = p_workspace_id and session_id = p_session_id
      and status in ('queued', 'running')
    order by seq limit 1)
$$;

-- Cancels one open run; answers its last event number, or null if it was not open. Calls of the
-- agent that were begun and have no result are closed first, so that nobody waits for them.
-- The caller holds the session's lock.
create function cancel_open_run(p_workspace_id text, p_run_id text, p_reason text)
returns integer language plpgsql as $$
declare
  previous record;
  closing record;
  number integer;
begin
  select status, last_seq, input_tokens, output_tokens into previous from runs
  where workspace_id = p_workspace_id and id = p_run_id and status in ('queued', 'running')
  for update;
  if not found then return null; end if;
  number := previous.last_seq;
  for closing in
    select e.data->>'tool_call_id' as tool_call_id, max(e.data->>'name') as name
    from run_events e
    where e.workspace_id = p_workspace_id and e.run_id = p_run_id
      and e.type in ('tool_call.started', 'tool_call.completed', 'tool_call.failed')
    group by 1
    having count(*) filter (where e.type <> 'tool_call.started') = 0
    order by min(e.seq)
  loop
    number := number + 1;
    insert into run_events (workspace_id, run_id, seq, type, data) values (
      p_workspace_id, p_run_id, number, 'tool_call.failed',
      format('{"tool_call_id":%s,"name":%s,"error":{"code":"cancelled","message":%s}}',
        to_json(closing.tool_call_id), to_json(closing.name),
        to_json('The run was cancelled before this call had a result.'::text))::json);
  end loop;
  number := number + 1;
  insert into run_events (workspace_id, run_id, seq, type, data) values (
    p_workspace_id, p_run_id, number, 'run.cancelled',
    format('{"previous_status":%s,"reason":%s}',
      to_json(previous.status), to_json(p_reason))::json);
  update runs set status = 'cancelled', last_seq = number, head = false,
    updated_at = clock_timestamp(), finished_at = clock_timestamp()
  where workspace_id = p_workspace_id and id = p_run_id;
  return number;
end $$;

-- Cancels a run. Answers true if it was open, false if it had ended, no row if there is none.
create function cancel_run(p_workspace_id text, p_run_id text, p_reason text)
returns setof boolean language plpgsql as $$
declare
  owner text;
begin
  select session_id into owner from runs where workspace_id = p_workspace_id and id = p_run_id;
  if not found then return; end if;
  perform 1 from sessions where workspace_id = p_workspace_id and id = owner for update;
  if cancel_open_run(p_workspace_id, p_run_id, p_reason) is null then
    return next false;
  else
    perform promote_next_run(p_workspace_id, owner);
    return next true;
  end if;
end $$;

-- Creates a run with its first event and its messages. p_messages: [{id, content}]. Answers what
-- came of it: created | not_found | session_archived | session_busy, and the runs that were
-- cancelled to make room (interrupt).
create function create_run(
  p_workspace_id text, p_session_id text, p_run_id text, p_concurrency text, p_source text,
  p_api_key_id text, p_model text, p_instructions text, p_max_steps integer, p_timeout_s integer,
  p_input json, p_metadata json, p_messages json,
  out outcome text, out cancelled text[])
language plpgsql as $$
declare
  session_status text;
  open_runs text[];
  is_head boolean;
  place bigint;
  open_run text;
begin
  cancelled := '{}';
  select status into session_status from sessions
  where workspace_id = p_workspace_id and id = p_session_id for update;
  if not found then outcome := 'not_found'; return; end if;
  if session_status = 'archived' then outcome := 'session_archived'; return; end if;
  select coalesce(array_agg(id order by seq), '{}') into open_runs from runs
  where workspace_id = p_workspace_id and session_id = p_session_id
    and status in ('queued', 'running');
  if p_concurrency = 'reject' and cardinality(open_runs) > 0 then
    outcome := 'session_busy'; return;
  end if;
  if p_concurrency = 'interrupt' then
    foreach open_run in array open_runs loop
      if cancel_open_run(p_workspace_id, open_run, 'interrupted') is not null then
        cancelled := cancelled || open_run;
      end if;
    end loop;
    open_runs := '{}';
  end if;
  is_head := cardinality(open_runs) = 0;
  insert into runs (workspace_id, id, session_id, head, last_seq, source, api_key_id, model,
    instructions, max_steps, timeout_s, input, metadata)
  values (p_workspace_id, p_run_id, p_session_id, is_head, 1, p_source, p_api_key_id, p_model,
    p_instructions, p_max_steps, p_timeout_s, p_input, p_metadata)
  returning seq into place;
  insert into run_events (workspace_id, run_id, seq, type, data) values (
    p_workspace_id, p_run_id, 1, 'run.created',
    format('{"status":"queued","input":%s,"metadata":%s}', p_input, p_metadata)::json);
  insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content)
  select p_workspace_id, p_session_id, place, m.position, m.value->>'id', p_run_id, 'user',
    m.value->'content'
  from json_array_elements(p_messages) with ordinality as m (value, position);
  update sessions set updated_at = now()
  where workspace_id = p_workspace_id and id = p_session_id;
  outcome := 'created';
end $$;

-- Claims up to p_limit runs for a worker: first those whose worker is gone (its lease is over, or
-- its advisory lock is free), then the queued heads, oldest first. One round trip; workers pass
-- each other by (skip locked). Answers what the turn needs.
create function claim_runs(p_worker_id text, p_limit integer)
returns table (
  workspace_id text, id text, session_id text, seq bigint, attempt integer, last_seq integer,
  steps integer, api_key_id text, model text, instructions text, max_steps integer,
  timeout_ms double precision, input_tokens bigint, output_tokens bigint)
language plpgsql as $$
declare
  gone text[];
begin
  select coalesce(array_agg(w.id), '{}') into gone from workers w
  where w.id <> p_worker_id
    and (w.lease_until < clock_timestamp()
      or pg_try_advisory_xact_lock(hashtextextended(w.id, 0)));
  return query
    with orphaned as materialized (
      select r.workspace_id, r.id from runs r
      where r.status = 'running' and not exists (
        select 1 from workers w where w.id = r.worker_id and w.id <> all (gone))
      order by r.seq limit p_limit for update skip locked
    ), waiting as materialized (
      select r.workspace_id, r.id from runs r
      where r.status = 'queued' and r.head
      order by r.seq
      limit greatest(p_limit - (select count(*) from orphaned), 0) for update skip locked
    ), claimed as (
      update runs r set status = 'running', head = false, attempt = r.attempt + 1,
        worker_id = p_worker_id, last_seq = r.last_seq + 1, updated_at = clock_timestamp(),
        started_at = coalesce(r.started_at, clock_timestamp())
      from (select * from orphaned union all select * from waiting) c
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

-- Appends to many runs at once (group commit). For each run r[i]: its attempt (the fence), how many
-- events follow for it, and optionally a committed step (1), its tokens, and an end (status,
-- output, error). Events and messages name their run. Answers the runs that took; a run that is
-- missing was cancelled or belongs to a later attempt, and nothing of it was written.
create function append_to_runs(
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
begin
  if ends then
    -- In one order everywhere, and before the runs: the order of the other functions here.
    perform 1 from sessions s
    where (s.workspace_id, s.id) in (
      select r.workspace_id, r.session_id
      from unnest(r_workspace_id, r_id, r_status) as b (workspace_id, id, status)
      join runs r on r.workspace_id = b.workspace_id and r.id = b.id
      where b.status is not null)
    order by s.workspace_id, s.id for update;
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
    perform promote_next_run(s.workspace_id, s.session_id) from (
      select distinct r.workspace_id, r.session_id
      from unnest(r_workspace_id, r_id, r_status) as b (workspace_id, id, status)
      join runs r on r.workspace_id = b.workspace_id and r.id = b.id
      where b.status is not null) s;
  end if;
end $$;
