-- Apart from those of runs (0016): a transaction that takes the locks of both tables meets those who
-- create runs, and take them in the other order. Each would wait for the other.
create trigger sessions_metadata after insert on sessions
  for each row when (new.metadata::text <> '{}') execute function remember_metadata();
create trigger sessions_other_metadata after update of metadata on sessions
  for each row when (old.metadata::text <> new.metadata::text) execute function remember_metadata();
