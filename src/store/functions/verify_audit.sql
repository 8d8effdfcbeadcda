-- revision 2
-- For nodes of the version before. This one hashes the entries itself (src/store/auditEntries.ts):
-- whoever owns the database could put another function here, which finds everything in order.
--
-- Reads the whole chain of the audit log. Answers how many entries there are, the last hash, and
-- the first entry that does not fit.
create or replace function verify_audit(out entries bigint, out head text, out first_broken bigint)
language plpgsql as $$
declare
  previous text := '';
  expected bigint := 0;
  item record;
begin
  entries := 0;
  for item in select * from audit_entries order by seq loop
    entries := entries + 1;
    expected := expected + 1;
    if first_broken is null and (item.seq <> expected
      or item.hash <> encode(sha256(convert_to(
        previous || chr(10) || item.seq || chr(10) || extract(epoch from item.created_at) || chr(10)
          || item.entry, 'UTF8')), 'hex')
      or item.workspace_id is distinct from item.entry::json->>'workspace_id'
      or item.event is distinct from item.entry::json->>'event'
      or item.target is distinct from item.entry::json->>'target') then
      first_broken := item.seq;
    end if;
    previous := item.hash;
    head := item.hash;
  end loop;
end $$;
