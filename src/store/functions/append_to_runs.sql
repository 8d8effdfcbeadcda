-- revision 3
-- Appends to many runs at once as append_group does, for nodes of an earlier version. Events and
-- messages name their run. Answers the runs that were written.
create or replace function append_to_runs(
  r_workspace_id text[], r_id text[], r_attempt integer[], r_events integer[], r_steps integer[],
  r_input_tokens integer[], r_output_tokens integer[], r_status text[], r_output text[],
  r_error text[],
  e_run_id text[], e_place integer[], e_type text[], e_data text[],
  m_run_id text[], m_position integer[], m_id text[], m_role text[], m_content text[],
  m_provider text[])
returns table (run_id text, last_seq integer)
language plpgsql as $$
declare
  last_seqs integer[];
begin
  select g.last_seqs into last_seqs from append_group(
    r_workspace_id, r_id, r_attempt, r_events, r_steps, r_input_tokens, r_output_tokens, r_status,
    r_output, r_error,
    array(select array_position(r_id, e.id) from unnest(e_run_id) with ordinality as e (id, nth)
      order by e.nth), e_place, e_type, e_data,
    array(select array_position(r_id, m.id) from unnest(m_run_id) with ordinality as m (id, nth)
      order by m.nth), m_position, m_id, m_role, m_content, m_provider) g;
  return query
    select t.id, t.last_seq from unnest(r_id, last_seqs) as t (id, last_seq)
    where t.last_seq is not null;
end $$;
