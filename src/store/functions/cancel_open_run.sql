-- revision 2
-- Cancels one open run. Answers the number of its last event, or null if the run was not open.
-- Tool calls that began and have no result are closed first, so that no reader waits for them: what
-- was to change something and had left by what is known of it (settle_writes), in the transcript as
-- well, for the next run reads that; any other as cancelled. The caller holds the lock of the
-- session's row.
create or replace function cancel_open_run(p_workspace_id text, p_run_id text, p_reason text)
returns integer language plpgsql as $$
declare
  previous record;
  open_calls record;
  number integer;
begin
  select status, last_seq, session_id, seq into previous from runs
  where workspace_id = p_workspace_id and id = p_run_id and status in ('queued', 'running')
  for update;
  if not found then return null; end if;
  number := previous.last_seq;
  select array_agg(o.id order by o.began) as ids, array_agg(o.name order by o.began) as names
  into open_calls from (
    select e.data->>'tool_call_id' as id, max(e.data->>'name') as name, min(e.seq) as began
    from run_events e
    where e.workspace_id = p_workspace_id and e.run_id = p_run_id
      and e.type in ('tool_call.started', 'tool_call.completed', 'tool_call.failed')
    group by 1
    having count(*) filter (where e.type <> 'tool_call.started') = 0) o;
  if open_calls.ids is not null then
    with closing as materialized (
      select o.nth, o.id, o.name, s.type, s.data, s.part,
        s.place + count(s.part) over (order by o.nth) as place
      from unnest(open_calls.ids, open_calls.names) with ordinality as o (id, name, nth)
      -- No node's MODEL_CONTEXT_TOKENS is known here: what its default leaves a result.
      left join settle_writes(p_workspace_id, p_run_id, open_calls.ids, 16000) s
        on s.tool_call_id = o.id
    ), told as (
      insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content)
      select p_workspace_id, previous.session_id, previous.seq, c.place,
        'msg_' || substr(c.data::json->>'invocation_id', 5), p_run_id, 'tool',
        format('[%s]', c.part)::json
      from closing c where c.part is not null
    )
    insert into run_events (workspace_id, run_id, seq, type, data)
    select p_workspace_id, p_run_id, number + c.nth, coalesce(c.type, 'tool_call.failed'),
      coalesce(c.data,
        format('{"tool_call_id":%s,"name":%s,"error":{"code":"cancelled","message":%s}}',
          to_json(c.id), to_json(c.name),
          to_json('The run was cancelled before this call had a result.'::text)))::json
    from closing c;
    number := number + cardinality(open_calls.ids);
  end if;
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
