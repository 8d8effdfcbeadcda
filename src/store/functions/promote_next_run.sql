-- revision 3
-- Lets the next queued run of a session be claimed. The caller holds the lock of the session's row.
create or replace function promote_next_run(p_workspace_id text, p_session_id text) returns void
language sql as $$
  update runs set head = true, offered_at = clock_timestamp()
  where workspace_id = p_workspace_id and case when status = 'queued' then not head end and id = (
    select id from runs
    where workspace_id = p_workspace_id and session_id = p_session_id
      and status in ('queued', 'running')
    order by seq limit 1)
$$;
