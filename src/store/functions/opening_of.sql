-- revision 1
-- The transcript that a run begins with, if it is short: the session's messages up to the run's
-- own, as JSON. Null if it is longer, and has to be read. For a run that was just claimed: it sees
-- what the statement that calls it has written.
--
-- The sizes as they are stored come first, which reads no long text: this is part of a claim, which
-- may be for others as well. A text of stored 16 kB has a megabyte and a half at the very most.
create or replace function opening_of(p_workspace_id text, p_session_id text, p_run_seq bigint)
returns json
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  most_messages constant integer := 16;
  most_bytes constant integer := 32768;
  most_stored_bytes constant integer := 16384;
  stored_bytes bigint;
  messages integer;
begin
  select count(*), sum(n.stored_bytes) into messages, stored_bytes from (
    select pg_column_size(content) + coalesce(pg_column_size(provider), 0) as stored_bytes
    from messages
    where workspace_id = p_workspace_id and session_id = p_session_id and run_seq <= p_run_seq
    order by run_seq desc, position desc limit most_messages + 1) n;
  if messages > most_messages or stored_bytes > most_stored_bytes then return null; end if;
  return (
    select json_agg(json_build_object('run_id', m.run_id, 'run_seq', m.run_seq, 'role', m.role,
      'content', m.content, 'provider', m.provider, 'bytes', m.bytes)
      order by m.run_seq, m.position)
    from (
      select n.*, octet_length(n.content::text) + coalesce(octet_length(n.provider::text), 0)
        as bytes
      from messages n
      where n.workspace_id = p_workspace_id and n.session_id = p_session_id
        and n.run_seq <= p_run_seq
      order by n.run_seq desc, n.position desc) m
    having sum(m.bytes) <= most_bytes);
end $$;
