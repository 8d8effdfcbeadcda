-- Which models a workspace may use, and how many tokens a run may.
alter table workspaces
  add column allowed_models json; -- patterns such as "openai/*"; null: what the operator allows
alter table runs
  add column max_total_tokens bigint, -- null: as many as it takes
  add column max_total_tokens_per_day bigint; -- of its workspace
-- Without a look at the rows there are, which would lock out everybody for as long.
alter table runs
  add constraint runs_max_total_tokens check (max_total_tokens > 0) not valid,
  add constraint runs_max_total_tokens_per_day check (max_total_tokens_per_day > 0) not valid;

-- create_run again, with these budgets. Nodes of the version before call it without.
drop function create_run(
  text, text, text, text, text, text, text, text, integer, integer, json, json, json);
create function create_run(
  p_workspace_id text, p_session_id text, p_run_id text, p_concurrency text, p_source text,
  p_api_key_id text, p_model text, p_instructions text, p_max_steps integer, p_timeout_s integer,
  p_input json, p_metadata json, p_messages json, p_max_total_tokens bigint default null,
  p_max_total_tokens_per_day bigint default null,
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
    instructions, max_steps, timeout_s, max_total_tokens, max_total_tokens_per_day, input,
    metadata)
  values (p_workspace_id, p_run_id, p_session_id, is_head, 1, p_source, p_api_key_id, p_model,
    p_instructions, p_max_steps, p_timeout_s, p_max_total_tokens,
    p_max_total_tokens_per_day, p_input, p_metadata)
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

-- claim_runs again, which answers them too.
drop function claim_runs(text, integer);
create function claim_runs(p_worker_id text, p_limit integer)
returns table (
  workspace_id text, id text, session_id text, seq bigint, attempt integer, last_seq integer,
  steps integer, api_key_id text, model text, instructions text, max_steps integer,
  timeout_ms double precision, input_tokens bigint, output_tokens bigint, max_total_tokens bigint,
  max_total_tokens_per_day bigint)
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
      c.input_tokens, c.output_tokens, c.max_total_tokens, c.max_total_tokens_per_day
    from claimed c order by c.seq;
end $$;
