-- revision 3
-- Settles calls of a run that were to change something and had left, as far as they have a write
-- intent: where no outcome is recorded, it records that nobody knows it (record_unknown_writes). From
-- then on this is what the call came to, whatever its worker learns later (insertInvocation does not
-- write over it).
-- Answers of each what the log and the transcript are to say, as performToolCall words it: the event
-- that ends the call, and the part of a message with its result. `is_news`: it was recorded here.
-- `place`: of the last message that the run has.
--
-- The caller holds the lock of the run's row. So every call has either been written down before, or
-- finds when it asks to leave that the run is not the same any more. A result has at most about
-- p_limit_chars characters; with 0, neither a result nor the words of an error are quoted.
create or replace function settle_writes(
  p_workspace_id text, p_run_id text, p_tool_call_ids text[], p_limit_chars integer)
returns table (
  tool_call_id text, is_news boolean, action text, type text, data text, part text, place integer)
language plpgsql
set enable_seqscan = off
as $$
declare
  -- By their ids, for there may be thousands: what was recorded here, and the parts of the calls.
  news jsonb;
  said jsonb;
  last_place integer;
begin
  select coalesce(jsonb_object_agg(r.recorded_id, true), '{}') into news
  from record_unknown_writes(array_fill(p_workspace_id, array[cardinality(p_tool_call_ids)]),
    array_fill(p_run_id, array[cardinality(p_tool_call_ids)]), p_tool_call_ids) r;
  select jsonb_object_agg(p.value->>'tool_call_id', p.value::text) into said
  from runs r
  join messages m on m.workspace_id = r.workspace_id and m.session_id = r.session_id
    and m.run_seq = r.seq and m.role = 'assistant'
  cross join lateral json_array_elements(m.content) p
  where r.workspace_id = p_workspace_id and r.id = p_run_id and p.value->>'type' = 'tool_call';
  select max(m.position) into last_place
  from runs r
  join messages m on m.workspace_id = r.workspace_id and m.session_id = r.session_id
    and m.run_seq = r.seq
  where r.workspace_id = p_workspace_id and r.id = p_run_id;
  -- A statement of its own: it sees what others have recorded while the first one waited for them.
  return query
    with settled as (
      select v.*, coalesce(v.result::text, 'null') as result_text,
        (said->>i.tool_call_id)::json->'name' as name,
        (said->>i.tool_call_id)::json->'arguments' as arguments,
        case when v.error->'details'->'missing'->0->>'code' = v.error->>'code'
          then v.error->'details'->'missing' end as missing
      from write_intents i
      -- One by one, by its key: a plan from the time when the table was small read all of it for each.
      cross join lateral (
        select * from action_invocations a
        where a.workspace_id = i.workspace_id and a.id = i.invocation_id limit 1) v
      where i.workspace_id = p_workspace_id and i.run_id = p_run_id
        and i.tool_call_id = any (p_tool_call_ids) and said ? i.tool_call_id
    ), worded as (
      select s.*, format('{"tool_call_id":%s,"name":%s', to_json(s.tool_call_id), s.name)
          as named,
        s.truncated or length(s.result_text) > p_limit_chars as cut,
        case
          -- Of what was cut before, as toToolResult shows it: a shorter beginning.
          when length(s.result_text) > p_limit_chars and p_limit_chars > 0 and s.truncated
            and json_typeof(s.result->'truncated') = 'object'
            and json_typeof(s.result->'head') = 'string' then format('{"truncated":%s,"head":%s}',
            (s.result->'truncated')::jsonb || jsonb_build_object('returned',
              octet_length(left(s.result->>'head', p_limit_chars))),
            to_json(left(s.result->>'head', p_limit_chars)))
          when length(s.result_text) > p_limit_chars then format(
          '{"truncated":true,"total_chars":%s,"note":%s,"head":%s,"tail":%s}',
          length(s.result_text), to_json(format('Too long for here; %s is on the invocation. head'
            ' and tail are the ends of its JSON.', case when s.truncated
            then 'what is kept of the result' else 'the whole result' end)),
          to_json(left(s.result_text, p_limit_chars * 3 / 4)),
          to_json(right(s.result_text, p_limit_chars / 4)))
          else s.result_text end as shown,
        case when p_limit_chars = 0 then format('{"code":%s,"message":%s}', s.error->'code',
            to_json('What was answered could not be stored here; the invocation has it.'::text))
          when s.missing is null
          then format('{"code":%s,"message":%s}', s.error->'code', s.error->'message')
          else format('{"code":%s,"message":%s,"missing":%s}', s.error->'code',
            (select to_json(string_agg(g.value->>'message', ' '))
              from json_array_elements(s.missing) g), s.missing) end as refusal
      from settled s
    )
    select w.tool_call_id, news ? w.id, w.action,
      case w.status when 'completed' then 'tool_call.completed' else 'tool_call.failed' end,
      case w.status when 'completed' then format(
        '%s,"invocation_id":%s,"arguments":%s,"result":%s,"truncated":%s,"duration_ms":%s}',
        w.named, to_json(w.id), w.arguments, told.result, to_json(w.cut), w.duration_ms)
        else format('%s,"error":%s,"invocation_id":%s,"duration_ms":%s}',
          w.named, w.refusal, to_json(w.id), w.duration_ms) end,
      format('{"type":"tool_result",%s,%s}', substr(w.named, 2),
        case w.status when 'completed' then '"result":' || told.result
          else '"error":' || w.refusal end),
      last_place
    from worded w
    cross join lateral (
      select format('{"ok":true,"invocation_id":%s,"action":%s,"connection_id":%s,"result":%s%s%s}',
        to_json(w.id), to_json(w.action), to_json(w.connection_id), w.shown,
        case when w.next_cursor is not null
          then format(',"page":{"next_cursor":%s}', to_json(w.id)) end,
        case when w.cut then ',"truncated":true' end) as result) told;
end $$;
