-- Which models a workspace may use, and how many tokens a run may.
alter table workspaces
  add column allowed_models json; -- patterns such as "openai/*"; null: what the operator allows
alter table runs
  add column max_total_tokens bigint, -- null: as many as it takes
  add column max_total_tokens_per_day bigint; -- of its workspace
-- Not valid: a check of the rows that are there would lock everybody out of the table meanwhile.
alter table runs
  add constraint runs_max_total_tokens check (max_total_tokens > 0) not valid,
  add constraint runs_max_total_tokens_per_day check (max_total_tokens_per_day > 0) not valid;

-- A database whose earlier migrations made these functions gets them from src/store/functions/,
-- with more parameters and more columns.
drop function if exists create_run(
  text, text, text, text, text, text, text, text, integer, integer, json, json, json);
drop function if exists claim_runs(text, integer);
