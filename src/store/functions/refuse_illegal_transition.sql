-- revision 1
-- Which status of a run may follow which, as in src/runs/runStatus.ts. The other functions never
-- try a different change: the trigger refuses it to everybody else who writes to the table.
create or replace function refuse_illegal_transition() returns trigger language plpgsql as $$
begin
  raise exception 'a run that is % cannot become %', old.status, new.status
    using errcode = 'check_violation', constraint = 'runs_transition';
end $$;
create or replace trigger runs_transition before update of status on runs for each row
  when (old.status <> new.status and not (
    old.status = 'queued' and new.status in ('running', 'cancelled')
    or old.status = 'running' and new.status in ('completed', 'failed', 'cancelled')))
  execute function refuse_illegal_transition();
