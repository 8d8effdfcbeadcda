-- revision 5
-- Records of calls that were to change something, and had left, that nobody knows what came of them:
-- of those that have a write intent and no recorded outcome. They are named by the keys of their
-- intents. The audit log has an entry of each, in the same transaction: what may have changed
-- something is never missing there. Answers which were recorded here.
--
-- Nothing is recorded of a run that was deleted meanwhile: whoever deleted it has done so before.
--
-- The rows come before the lock of the audit log, and in this order, as in insertInvocations: no two
-- wait for each other.
create or replace function record_unknown_writes(
  p_workspace_ids text[], p_run_ids text[], p_tool_call_ids text[])
returns table (recorded_id text, recorded_action text)
language plpgsql
set enable_seqscan = off
as $$
declare
  left_run_ids text[];
  workspace_ids text[];
  ids text[];
  actions text[];
  api_key_ids text[];
  entries text[];
begin
  -- `deleteRuns` either finds what is recorded here, or has been. By the ids of the runs, as there
  -- and in insertInvocations: no two wait for each other.
  select coalesce(array_agg(locked.id), '{}') into left_run_ids from (
    select distinct run_id collate "C" as run_id, workspace_id collate "C" as workspace_id
    from unnest(p_workspace_ids, p_run_ids) as u (workspace_id, run_id) order by 1, 2) g
  cross join lateral (
    select r.id from runs r where r.workspace_id = g.workspace_id and r.id = g.run_id limit 1
    for key share) locked;
  with recorded as (
    insert into action_invocations (workspace_id, id, action, connection_id, status, source,
      api_key_id, run_id, tool_call_id, input, error, duration_ms)
    select i.workspace_id, i.invocation_id, i.action, i.connection_id, 'failed',
      case i.run_id when '' then 'mcp' else 'run' end, i.api_key_id, nullif(i.run_id, ''),
      case when i.run_id <> '' then i.tool_call_id end, i.input,
      json_build_object('code', 'outcome_unknown', 'message',
        i.action || ' was called, and the call was interrupted before its outcome was known. It may'
        ' have taken effect, and was not repeated. Find out before you call it again.'),
      -- By nobody until housekeeping comes by: that is no duration of the call.
      case when i.run_id = '' then 0 else
        least(2147483647, extract(epoch from clock_timestamp() - i.created_at) * 1000) end::integer
    from unnest(p_workspace_ids, p_run_ids, p_tool_call_ids)
      as g (workspace_id, run_id, tool_call_id)
    -- One by one, by its key: a plan from the time when the table was small read all of it for each.
    cross join lateral (
      select * from write_intents w
      where w.workspace_id = g.workspace_id and w.run_id = g.run_id
        and w.tool_call_id = g.tool_call_id limit 1) i
    where i.run_id = '' or i.run_id = any (left_run_ids)
    order by i.workspace_id, i.invocation_id
    on conflict (workspace_id, id) do nothing
    returning action_invocations.*
  ), stored as (
    insert into storage_additions (workspace_id, bytes)
    select r.workspace_id, sum(octet_length(r.input::text) + octet_length(r.error::text))
    from recorded r group by r.workspace_id
  )
  select array_agg(r.workspace_id), array_agg(r.id), array_agg(r.action), array_agg(r.api_key_id),
    -- As JSON.stringify would write it, but for its end.
    array_agg(format('{"workspace_id":%s,"actor":{"type":"%s","id":%s},"event":"action.called",'
      '"target":%s,"outcome":"unknown","reason":"outcome_unknown","request_id":%s,"details":'
      '{"invocation_id":%s,"connection_id":%s,"api_key_id":%s,"source":"%s"',
      to_json(r.workspace_id),
      case when r.source = 'run' then 'run' when i.person is null then 'api_key' else 'person' end,
      to_json(coalesce(r.run_id, i.person, r.api_key_id)), to_json(r.action),
      coalesce(to_json(i.request_id)::text, 'null'), to_json(r.id),
      to_json(r.connection_id), to_json(r.api_key_id), r.source))
  into workspace_ids, ids, actions, api_key_ids, entries
  from recorded r
  left join lateral (
    select w.person, w.request_id from write_intents w
    where w.workspace_id = r.workspace_id and w.run_id = coalesce(r.run_id, '')
      and w.tool_call_id = coalesce(r.tool_call_id, r.id) limit 1) i on true;
  if ids is null then return; end if;
  perform append_calls_to_audit(
    (select array_agg(e || '}}' order by n) from unnest(entries) with ordinality as u (e, n)),
    -- What is written of a key that was revoked meanwhile: the call had left before.
    (select array_agg(e || ',"left_before_revocation":true}}' order by n)
      from unnest(entries) with ordinality as u (e, n)),
    workspace_ids, api_key_ids);
  return query select * from unnest(ids, actions);
end $$;
