-- revision 2
-- Creates a run with its first event and its messages. p_messages: [{id, content}]. Answers the
-- outcome (created | not_found | session_archived | session_busy | queue_full) and the runs that
-- were cancelled to make room (interrupt).
--
-- The queue is full with p_max_queued runs of the workspace, without those that the new one takes the
-- place of. Runs that others create at this moment are not seen: they may be too many by so many.
drop function if exists create_run(
  text, text, text, text, text, text, text, text, integer, integer, json, json, json, bigint,
  bigint);
create or replace function create_run(
  p_workspace_id text, p_session_id text, p_run_id text, p_concurrency text, p_source text,
  p_api_key_id text, p_model text, p_instructions text, p_max_steps integer, p_timeout_s integer,
  p_input json, p_metadata json, p_messages json, p_max_total_tokens bigint default null,
  p_max_total_tokens_per_day bigint default null, p_max_queued integer default null,
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
  if p_max_queued <= (
    select count(*) from (
      select from runs
      where workspace_id = p_workspace_id and status = 'queued'
        and (p_concurrency <> 'interrupt' or session_id <> p_session_id)
      limit p_max_queued) q) then
    outcome := 'queue_full'; return;
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
