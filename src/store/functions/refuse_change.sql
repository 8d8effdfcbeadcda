-- revision 1
-- Refuses every change of the audit log and of its anchors but an insert.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only appended to' using errcode = 'insufficient_privilege';
end $$;
create or replace trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create or replace trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();
create or replace trigger audit_anchors_append_only before update or delete on audit_anchors
  for each row execute function refuse_change();
create or replace trigger audit_anchors_no_truncate before truncate on audit_anchors
  for each statement execute function refuse_change();
