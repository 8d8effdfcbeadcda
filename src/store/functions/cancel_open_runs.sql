-- revision 1
-- Cancels open runs of a workspace, or of one of its keys: those among the next p_limit open runs of
-- the workspace after a place in the order of sessions. Answers which were cancelled, and the place
-- to go on from, which is null once there are no more. No row: another node is at it, or the
-- workspace is active again.
--
-- It walks the index of open runs, whoever's they are: an index by key would cost each run that is
-- made. The sessions are locked in the order in which append_to_runs locks them.
create or replace function cancel_open_runs(
  p_workspace_id text, p_api_key_id text, p_after_session_id text, p_after_seq bigint,
  p_limit integer, p_reason text)
returns table (cancelled text[], session_id text, seq bigint)
language plpgsql as $$
declare
  item record;
  owner text;
  examined integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(
    'end ' || p_workspace_id || ' ' || coalesce(p_api_key_id, ''), 0)) then return; end if;
  if p_api_key_id is null and not exists (
    select from workspaces w where w.id = p_workspace_id and w.archived_at is not null) then return;
  end if;
  cancelled := '{}';
  for item in
    select r.session_id, r.seq, r.id, r.api_key_id from runs r
    where r.workspace_id = p_workspace_id and r.status in ('queued', 'running')
      and (r.session_id, r.seq) > (p_after_session_id, p_after_seq)
    order by r.session_id, r.seq limit p_limit
  loop
    examined := examined + 1;
    session_id := item.session_id;
    seq := item.seq;
    continue when p_api_key_id is not null and item.api_key_id is distinct from p_api_key_id;
    if owner is distinct from item.session_id then
      if owner is not null then perform promote_next_run(p_workspace_id, owner); end if;
      owner := item.session_id;
      perform 1 from sessions s where s.workspace_id = p_workspace_id and s.id = owner for update;
    end if;
    if cancel_open_run(p_workspace_id, item.id, p_reason) is not null then
      cancelled := cancelled || item.id;
    end if;
  end loop;
  if owner is not null then perform promote_next_run(p_workspace_id, owner); end if;
  if examined < p_limit then
    session_id := null;
    seq := null;
  end if;
  return next;
end $$;
