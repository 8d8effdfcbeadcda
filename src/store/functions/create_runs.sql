-- revision 6
-- Creates runs, each with its first event and its messages: one for each place of the arrays, and
-- in that order. p_messages: [{id, content}] of each. Answers of each its outcome (created |
-- workspace_changed | not_found | session_archived | session_busy | queue_full | key_queue_full |
-- storage_full) and the runs that were cancelled to make room (interrupt). No two may be of the same session: the
-- second would not see the first.
--
-- Where p_workspace_version says so, a run is made only if its workspace is of that version still,
-- and its key good. The queue is full with p_max_queued runs of the workspace, or
-- p_max_queued_of_key of the api key, without those that the new one takes the place of. Runs that
-- are created at this moment, here or by others, are not seen: they may be too many by so many. The
-- storage is full with p_max_storage_bytes; what was stored in the last seconds is not seen.
--
-- Plans are made once and go by the indexes, as in append_group, which says why it is written so.
create or replace function create_runs(
  p_workspace_id text[], p_session_id text[], p_run_id text[], p_concurrency text[],
  p_source text[], p_api_key_id text[], p_model text[], p_instructions text[],
  p_max_steps integer[], p_timeout_s integer[], p_input text[], p_metadata text[],
  p_messages text[], p_max_total_tokens bigint[], p_max_total_tokens_per_day bigint[],
  p_max_queued integer[], p_max_queued_of_key integer[], p_workspace_version text[],
  p_max_storage_bytes bigint[] default null)
returns table (created_id text, outcome text, cancelled text[])
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  front queue_front := front_of_queue();
  outcomes text[];
  heads boolean[];
  interrupted text[] := -- arrays as texts, of different lengths
    array_fill('{}'::text, array[cardinality(p_run_id)]);
  made_room text[];
begin
  -- Several wait for a lock of one of them only for a moment: each is made alone then.
  if cardinality(p_run_id) > 1 then perform set_config('lock_timeout', '100ms', true); end if;

  -- Always in this order, as in the other functions: no deadlocks.
  perform from sessions s
  join unnest(p_workspace_id, p_session_id) as a (workspace_id, id)
    on s.workspace_id = any (array[a.workspace_id]) and s.id = a.id
  order by a.workspace_id collate "C", a.id collate "C" for update of s;

  -- A statement of its own: it sees what was committed while the first one waited.
  with asked as materialized (
    -- Those that are counted alike, `queue`, are counted once: a queue may be long.
    select a.*, dense_rank() over (order by a.workspace_id, a.api_key_id, a.max_queued,
        a.max_queued_of_key, case when a.concurrency = 'interrupt' then a.session_id end) as queue
    from unnest(p_workspace_id, p_session_id, p_concurrency, p_api_key_id, p_max_queued,
        p_max_queued_of_key, p_workspace_version) with ordinality
      as a (workspace_id, session_id, concurrency, api_key_id, max_queued, max_queued_of_key,
        workspace_version, nth)
  ), queues as materialized (
    select q.queue,
      q.max_queued_of_key <= (
        select count(*) from (
          select from runs r
          where r.workspace_id = q.workspace_id and r.api_key_id = q.api_key_id
            and r.status = 'queued' and r.seq >= front.queued_seq
            and (q.concurrency <> 'interrupt' or r.session_id <> q.session_id)
          limit coalesce(q.max_queued_of_key, 0)) c) as is_full_of_key,
      q.max_queued <= (
        select count(*) from (
          select from runs r
          where r.workspace_id = q.workspace_id and r.status = 'queued' and r.seq >= front.queued_seq
            and (q.concurrency <> 'interrupt' or r.session_id <> q.session_id)
          limit coalesce(q.max_queued, 0)) c) as is_full
    from (select distinct on (a.queue) a.* from asked a order by a.queue) q
  )
  select array_agg(j.outcome order by j.nth), array_agg(not j.is_busy order by j.nth)
  into outcomes, heads from (
    select a.nth, b.is_busy, case
      when a.workspace_version is not null and not exists (
        select from workspaces w
        where w.id = a.workspace_id and w.xmin::text = a.workspace_version and not exists (
          select from api_keys k
          where k.workspace_id = a.workspace_id and k.id = a.api_key_id
            and (k.revoked_at is not null or w.archived_at is not null)))
      then 'workspace_changed'
      when s.id is null then 'not_found'
      when s.status = 'archived' then 'session_archived'
      when a.concurrency = 'reject' and b.is_busy then 'session_busy'
      when q.is_full_of_key then 'key_queue_full'
      when q.is_full then 'queue_full'
      when p_max_storage_bytes[a.nth] <= (
        select t.bytes from storage t where t.workspace_id = a.workspace_id)
      then 'storage_full'
      else 'created' end as outcome
    from asked a
    join queues q on q.queue = a.queue
    left join sessions s
      on s.workspace_id = any (array[a.workspace_id]) and s.id = a.session_id
    cross join lateral (
      -- In their order: that is the index of open runs, and not the one of all of the session's.
      select (
        select true from runs r
        where r.workspace_id = a.workspace_id and r.session_id = a.session_id
          and r.status in ('queued', 'running')
        order by r.seq limit 1) is not null as is_busy) b) j;

  for place in 1 .. cardinality(p_run_id) loop
    if p_concurrency[place] = 'interrupt' and outcomes[place] = 'created' and not heads[place] then
      -- Those that wait together, as cancel_open_run ends one: there may be thousands, and a
      -- statement has seconds.
      with open as materialized (
        select r.workspace_id, r.id from runs r
        where r.workspace_id = p_workspace_id[place] and r.session_id = p_session_id[place]
          and r.status in ('queued', 'running')
        order by r.seq
      ), ended as (
        update runs r set status = 'cancelled', last_seq = r.last_seq + 1, head = false,
          updated_at = clock_timestamp(), finished_at = clock_timestamp()
        from open o
        where r.workspace_id = any (array[o.workspace_id]) and r.id = o.id
          and case when r.status = 'queued' then true end -- by primary key: see append_group
        returning r.workspace_id, r.id, r.seq, r.last_seq
      ), told as (
        insert into run_events (workspace_id, run_id, seq, type, data)
        select e.workspace_id, e.id, e.last_seq, 'run.cancelled',
          '{"previous_status":"queued","reason":"interrupted"}'::json from ended e
      )
      select coalesce(array_agg(e.id order by e.seq), '{}') into made_room from ended e;
      -- The one that is under way last: while there are thousands, it goes on writing.
      select coalesce(array_agg(c.id order by c.seq), '{}') || made_room into made_room from (
        select o.id, o.seq, cancel_open_run(p_workspace_id[place], o.id, 'interrupted') as number
        from (
          select r.id, r.seq from runs r
          where r.workspace_id = p_workspace_id[place] and r.session_id = p_session_id[place]
            and r.status in ('queued', 'running')
          order by r.seq offset 0) o) c
      where c.number is not null;
      heads[place] := true;
      interrupted[place] := made_room::text;
    end if;
  end loop;

  with asked as materialized (
    select *, case when octet_length(a.input) > 4096
      then shortened_input(a.input::json) end as listed_input
    from unnest(p_workspace_id, p_session_id, p_run_id, p_source, p_api_key_id, p_model,
        p_instructions, p_max_steps, p_timeout_s, p_max_total_tokens, p_max_total_tokens_per_day,
        p_input, p_metadata, p_messages, heads, outcomes) with ordinality
      as a (workspace_id, session_id, id, source, api_key_id, model, instructions, max_steps,
        timeout_s, max_total_tokens, max_total_tokens_per_day, input, metadata, messages, head,
        outcome, nth)
    where a.outcome = 'created'
  ), made as (
    insert into runs (workspace_id, id, session_id, head, last_seq, source, api_key_id, model,
      instructions, max_steps, timeout_s, max_total_tokens, max_total_tokens_per_day, input,
      listed_input, metadata, offered_at)
    select a.workspace_id, a.id, a.session_id, a.head, 1, a.source, a.api_key_id, a.model,
      a.instructions, a.max_steps, a.timeout_s, a.max_total_tokens, a.max_total_tokens_per_day,
      case when a.listed_input is null then a.input::json end, a.listed_input, a.metadata::json,
      clock_timestamp()
    from asked a order by a.nth
    returning workspace_id, id, session_id, seq
  ), told as (
    insert into run_events (workspace_id, run_id, seq, type, data, data_bytes)
    -- What else the event says is read with it from the run and its messages.
    select a.workspace_id, a.id, 1, 'run.created', '{"status":"queued"}'::json,
      octet_length(a.input) + octet_length(a.metadata)
    from asked a
  ), said as (
    insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content)
    select a.workspace_id, a.session_id, r.seq, m.position, m.value->>'id', a.id, 'user',
      m.value->'content'
    from made r join asked a on a.id = r.id
    cross join lateral json_array_elements(a.messages::json) with ordinality as m (value, position)
  ), stored as (
    insert into storage_additions (workspace_id, bytes)
    select a.workspace_id,
      sum(octet_length(coalesce(a.listed_input::text, a.input)) + octet_length(a.messages))
    from asked a group by a.workspace_id
  )
  update sessions s set updated_at = now() from asked a
  where s.workspace_id = any (array[a.workspace_id]) and s.id = a.session_id;

  return query
    select p_run_id[i], outcomes[i], interrupted[i]::text[]
    from generate_series(1, cardinality(p_run_id)) i order by i;
end $$;
