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
-- Pairs that stay are not touched: a migration may be about to write them. It is here, and not among
-- the functions, because those come last, and 0018 has to come after the triggers.
create function remember_metadata() returns trigger
language plpgsql
as $$
declare
  before json := case when tg_op = 'UPDATE' then old.metadata else '{}' end;
begin
  delete from metadata_pairs p
  using (select * from json_each_text(before) except select * from json_each_text(new.metadata)) gone
  where p.workspace_id = new.workspace_id and p.id = new.id
    and p.key = gone.key and p.value = gone.value;
  insert into metadata_pairs (workspace_id, id, key, value)
  select new.workspace_id, new.id, fresh.key, fresh.value
  from (select * from json_each_text(new.metadata) except select * from json_each_text(before)) fresh
  on conflict do nothing;
  return null;
end
$$;

create trigger runs_metadata after insert on runs
  for each row when (new.metadata::text <> '{}') execute function remember_metadata();
