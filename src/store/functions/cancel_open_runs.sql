-- revision 3
-- Cancels open runs of a workspace, or of one of its keys: those among the next p_limit open runs of
-- the workspace after a place in the order of sessions. Answers which were cancelled, and the place
-- to go on from, which is null once there are no more. No row: another node is at it, or the
-- workspace is active again.
--
-- It walks the index of open runs, whoever's they are: an index by key would cost each run that is
-- made. All sessions are locked before the first run, in the same order as in the other functions: an
-- append that has the lock of one session may wait for the row of a run of another. Then all rows of
-- its runs, and what is to be said of their writes: whoever settles the writes of a run has its row
-- and then waits for the audit log, so nobody may wait for a run who has that.
create or replace function cancel_open_runs(
  p_workspace_id text, p_api_key_id text, p_after_session_id text, p_after_seq bigint,
  p_limit integer, p_reason text)
returns table (cancelled text[], session_id text, seq bigint)
language plpgsql
set enable_seqscan = off
as $$
declare
  item record;
  owner text;
  found_sessions text[];
  found_seqs bigint[];
  found_ids text[];
  found_keys text[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended(
    'end ' || p_workspace_id || ' ' || coalesce(p_api_key_id, ''), 0)) then return; end if;
  if p_api_key_id is null and not exists (
    select from workspaces w where w.id = p_workspace_id and w.archived_at is not null) then return;
  end if;
  cancelled := '{}';
  select coalesce(array_agg(r.session_id), '{}'), coalesce(array_agg(r.seq), '{}'),
    coalesce(array_agg(r.id), '{}'), coalesce(array_agg(r.api_key_id), '{}')
  into found_sessions, found_seqs, found_ids, found_keys from (
    select o.session_id, o.seq, o.id, o.api_key_id from runs o
    where o.workspace_id = p_workspace_id and o.status in ('queued', 'running')
      and (o.session_id, o.seq) > (p_after_session_id, p_after_seq)
    order by o.session_id, o.seq limit p_limit) r;
  perform from sessions s
  where s.workspace_id = p_workspace_id and s.id in (
    select f.session_id from unnest(found_sessions, found_keys) as f (session_id, api_key_id)
    where p_api_key_id is null or f.api_key_id = p_api_key_id)
  order by s.id for update of s;
  for item in
    select f.id from unnest(found_ids, found_keys) with ordinality as f (id, api_key_id, nth)
    where p_api_key_id is null or f.api_key_id = p_api_key_id
    order by f.nth
  loop
    perform from runs r where r.workspace_id = p_workspace_id and r.id = item.id for update;
  end loop;
  perform record_unknown_writes(array_agg(i.workspace_id), array_agg(i.run_id),
    array_agg(i.tool_call_id))
  from unnest(found_ids, found_keys) as f (id, api_key_id)
  cross join lateral (
    select w.workspace_id, w.run_id, w.tool_call_id from write_intents w
    where w.workspace_id = p_workspace_id and w.run_id = f.id and (
      select a.id from action_invocations a
      where a.workspace_id = w.workspace_id and a.id = w.invocation_id) is null offset 0) i
  where p_api_key_id is null or f.api_key_id = p_api_key_id;
  for item in
    select f.session_id, f.id
    from unnest(found_sessions, found_ids, found_keys) with ordinality
      as f (session_id, id, api_key_id, nth)
    where p_api_key_id is null or f.api_key_id = p_api_key_id
    order by f.nth
  loop
    if owner is distinct from item.session_id then
      if owner is not null then perform promote_next_run(p_workspace_id, owner); end if;
      owner := item.session_id;
    end if;
    if cancel_open_run(p_workspace_id, item.id, p_reason) is not null then
      cancelled := cancelled || item.id;
    end if;
  end loop;
  if owner is not null then perform promote_next_run(p_workspace_id, owner); end if;
  if cardinality(found_ids) = p_limit then
    session_id := found_sessions[p_limit];
    seq := found_seqs[p_limit];
  end if;
  return next;
end $$;
