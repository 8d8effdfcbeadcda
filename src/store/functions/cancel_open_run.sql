-- revision 1
-- Cancels one open run. Answers the number of its last event, or null if the run was not open.
-- Tool calls that began and have no result are closed first, so that no reader waits for them. The
-- caller holds the lock of the session's row.
create or replace function cancel_open_run(p_workspace_id text, p_run_id text, p_reason text)
returns integer language plpgsql as $$
declare
  previous record;
  closing record;
  number integer;
begin
  select status, last_seq into previous from runs
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
