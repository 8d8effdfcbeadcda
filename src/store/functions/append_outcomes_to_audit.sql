-- revision 3
-- Appends entries of calls that were recorded just now, or were to be: of those that were
-- (p_inserted), and of those others whose outcome became known (p_is_known) after it was recorded as
-- unknown, or after their run was deleted: the log alone tells of these. A function, so that it sees
-- what others have recorded while the caller's insert waited for them; that statement does not.
create or replace function append_outcomes_to_audit(
  p_workspace_ids text[], p_ids text[], p_api_key_ids text[], p_entries text[], p_late text[],
  p_is_known boolean[], p_inserted text[])
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  workspace_ids text[];
  api_key_ids text[];
  entries text[];
  late text[];
begin
  select array_agg(c.workspace_id order by c.nth), array_agg(c.api_key_id order by c.nth),
    array_agg(c.entry order by c.nth), array_agg(c.late order by c.nth)
  into workspace_ids, api_key_ids, entries, late
  from unnest(p_workspace_ids, p_ids, p_api_key_ids, p_entries, p_late, p_is_known) with ordinality
    as c (workspace_id, id, api_key_id, entry, late, is_known, nth)
  left join lateral (
    select coalesce(a.error->>'code', '') = 'outcome_unknown' as is_unknown from action_invocations a
    where a.workspace_id = c.workspace_id and a.id = c.id limit 1) known on true
  -- Null: it is on record no more, since its run was deleted.
  where c.id = any (p_inserted) or (c.is_known and coalesce(known.is_unknown, true));
  if entries is not null then
    perform append_calls_to_audit(entries, late, workspace_ids, api_key_ids);
  end if;
end $$;
