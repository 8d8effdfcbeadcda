-- revision 4
-- Creates one run as create_runs does, for nodes of an earlier version.
drop function if exists create_run(
  text, text, text, text, text, text, text, text, integer, integer, json, json, json, bigint,
  bigint);
drop function if exists create_run(
  text, text, text, text, text, text, text, text, integer, integer, json, json, json, bigint,
  bigint, integer);
create or replace function create_run(
  p_workspace_id text, p_session_id text, p_run_id text, p_concurrency text, p_source text,
  p_api_key_id text, p_model text, p_instructions text, p_max_steps integer, p_timeout_s integer,
  p_input json, p_metadata json, p_messages json, p_max_total_tokens bigint default null,
  p_max_total_tokens_per_day bigint default null, p_max_queued integer default null,
  p_max_queued_of_key integer default null, out outcome text, out cancelled text[])
language plpgsql as $$
begin
  select c.outcome, c.cancelled into outcome, cancelled
  from create_runs(array[p_workspace_id], array[p_session_id], array[p_run_id],
    array[p_concurrency], array[p_source], array[p_api_key_id], array[p_model],
    array[p_instructions], array[p_max_steps], array[p_timeout_s], array[p_input::text],
    array[p_metadata::text], array[p_messages::text], array[p_max_total_tokens],
    array[p_max_total_tokens_per_day], array[p_max_queued], array[p_max_queued_of_key],
    array[null::text]) c;
end $$;
