-- revision 1
-- Cancels a run. Answers true if it was open, false if it had ended, no row if there is none.
create or replace function cancel_run(p_workspace_id text, p_run_id text, p_reason text)
returns setof boolean language plpgsql as $$
declare
  owner text;
begin
  select session_id into owner from runs where workspace_id = p_workspace_id and id = p_run_id;
  if not found then return; end if;
  perform 1 from sessions where workspace_id = p_workspace_id and id = owner for update;
  if cancel_open_run(p_workspace_id, p_run_id, p_reason) is null then
    return next false;
  else
    perform promote_next_run(p_workspace_id, owner);
    return next true;
  end if;
end $$;
