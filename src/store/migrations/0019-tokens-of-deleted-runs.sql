-- What runs of a day (UTC) have used that were deleted with their sessions since, of each workspace
-- the latest such day: they still count for its limit of tokens per day.
create table deleted_run_tokens (
  workspace_id text collate "C" primary key,
  day date not null,
  tokens bigint not null
);
