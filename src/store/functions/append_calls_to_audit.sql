-- revision 1
-- Appends entries to the audit log of which some tell of calls in the name of an api key: those with
-- a key. Once that is revoked, or its workspace archived, p_late is written in place of the entry, or
-- nothing if that is null. Answers for each entry whether its key was still good.
--
-- The lock is that of append_audit. A revocation writes its own entry under it before it commits, so
-- no entry of the key comes after that one without this function having seen the revocation.
create or replace function append_calls_to_audit(
  p_entries text[], p_late text[], p_workspace_ids text[], p_api_key_ids text[])
returns boolean[] language plpgsql as $$
declare
  good boolean[];
  kept text[];
begin
  perform pg_advisory_xact_lock(4735270915);
  select array_agg(c.good order by c.number),
    array_agg(case when c.good then c.entry else c.late end order by c.number)
      filter (where c.good or c.late is not null)
  into good, kept from (
    select e.entry, e.late, e.number, not exists (
      select from api_keys k join workspaces w on w.id = k.workspace_id
      where k.workspace_id = e.workspace_id and k.id = e.api_key_id
        and (k.revoked_at is not null or w.archived_at is not null)) as good
    from unnest(p_entries, p_late, p_workspace_ids, p_api_key_ids) with ordinality
      as e (entry, late, workspace_id, api_key_id, number)) c;
  if kept is not null then perform append_audit(kept); end if;
  return good;
end $$;
