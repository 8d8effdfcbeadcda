-- By which sessions and runs are found by a pair of their metadata, in the order of their ids. An
-- index of `runs` and `sessions` themselves (gin) knows no order: a pair that a million of them have
-- would be read whole for each page. Who reads it compares the metadata itself, too.
create table metadata_pairs (
  workspace_id text collate "C" not null,
  key text collate "C" not null,
  value text collate "C" not null,
  id text collate "C" not null,
  constraint metadata_pairs_pkey primary key (workspace_id, key, value, id)
);

-- Nodes of the version before write none. What they write is remembered by the database, for all.
create function remember_metadata() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' then
    delete from metadata_pairs p using json_each_text(old.metadata) o
    where p.workspace_id = old.workspace_id and p.id = old.id and p.key = o.key and p.value = o.value;
  end if;
  insert into metadata_pairs (workspace_id, id, key, value)
  select new.workspace_id, new.id, n.key, n.value from json_each_text(new.metadata) n
  on conflict do nothing;
  return null;
end
$$;

create trigger runs_metadata after insert on runs
  for each row when (new.metadata::text <> '{}') execute function remember_metadata();
create trigger sessions_metadata after insert on sessions
  for each row when (new.metadata::text <> '{}') execute function remember_metadata();
create trigger sessions_other_metadata after update of metadata on sessions
  for each row when (old.metadata::text <> new.metadata::text) execute function remember_metadata();
