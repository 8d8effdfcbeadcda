-- revision 1
-- Appends entries to the audit log, in the order given. Each is a JSON text with workspace_id,
-- event, target and more. The lock lets one transaction of all nodes append at a time, because
-- each hash is over the hash before it.
create or replace function append_audit(p_entries text[]) returns void language plpgsql as $$
declare
  number bigint;
  previous text;
  entry text;
  at timestamptz;
begin
  perform pg_advisory_xact_lock(4735270915);
  select seq, hash into number, previous from audit_entries order by seq desc limit 1;
  number := coalesce(number, 0);
  foreach entry in array p_entries loop
    number := number + 1;
    at := clock_timestamp();
    previous := encode(sha256(convert_to(
      coalesce(previous, '') || chr(10) || number || chr(10) || extract(epoch from at) || chr(10)
        || entry, 'UTF8')), 'hex');
    insert into audit_entries (seq, workspace_id, event, target, entry, hash, created_at)
    values (number, entry::json->>'workspace_id', entry::json->>'event', entry::json->>'target',
      entry, previous, at);
  end loop;
end $$;
